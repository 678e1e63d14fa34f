import type { QueueClaim } from '../src/availability/sql/calls';
import { type DuePause, recordPause, takePause } from '../src/availability/sql/pauses';
import { recordMayBePaused } from '../src/availability/sql/marks';
import { pauseCredential } from '../src/delivery-apps/tokens/app-access';
import type { PauseOutcome } from '../src/delivery-apps/app-client';
import { callApp } from './availability-call';
import { createFirstSeen } from './first-seen';
import {
  type AvailabilityDeps,
  describeLastAnswer,
  type QueueContext,
  openQueue,
} from './availability-context';
import { postpone } from './availability-retries';
import { withHeartbeat } from './with-heartbeat';

/** Pauses are rare, and apps do not limit their rate. */
const RATE = { spacingMs: 0, burst: 1 } as const;

export function createAvailabilityPauseActivities(deps: AvailabilityDeps) {
  return {
    /** Tells the app that the store is paused or resumed; returns a description of the result. */
    async pauseStore(ref: QueueClaim): Promise<string> {
      const queue = await openQueue(deps, ref);
      return queue ? withHeartbeat(() => tellApp(queue)) : 'the integration cannot be called';
    },
  };

  async function tellApp(queue: QueueContext): Promise<string> {
    const { ref, app, client, target } = queue;
    const { ownPauseToken } = app.availability;
    const credential = ownPauseToken ? pauseCredential(queue.credential) : queue.credential;
    let pause: DuePause | undefined;
    const triedBefore = createFirstSeen<boolean>();
    /** `wasTried` is what it was when this activity first saw the pause. */
    const take = async (): Promise<DuePause | undefined> => {
      const due = await takePause(deps.sql, ref);
      return due && { ...due, wasTried: triedBefore(due.changeId, due.wasTried) };
    };
    const called = await callApp<PauseOutcome>(deps, queue, RATE, credential, async ({ token }) => {
      pause = await take();
      if (!pause) return undefined;
      const { paused, until, reason } = pause;
      const { appStoreId } = target;
      const outcome = await client.pauseStore({
        token,
        appStoreId,
        store: credential.store,
        paused,
        until,
        reason,
      });
      // A later try may be refused, and would hide that this one took effect.
      if (outcome.kind === 'unknown') await recordMayBePaused(deps.sql, ref, pause.changeId);
      return outcome;
    });
    deps.log.info({ ...ref, step: 'pauseStore', result: called.kind });
    switch (called.kind) {
      case 'stale':
        return 'Nothing is to be told any more.';
      case 'later':
        await postpone(deps, ref, called);
        return `Tried again later: ${describeLastAnswer(queue)}.`;
      case 'refused': {
        // Without a token the pause was not read yet.
        pause ??= await take();
        if (pause?.wasTried) await recordMayBePaused(deps.sql, ref, pause.changeId);
        if (pause) await recordPause(deps.sql, ref, pause.changeId, 'failed', called.reasons);
        return `Refused: ${describeLastAnswer(queue)}.`;
      }
      case 'answered':
        if (pause) await recordPause(deps.sql, ref, pause.changeId, 'done', []);
        return pause?.paused ? 'The store is paused.' : 'The store takes orders again.';
    }
  }
}
