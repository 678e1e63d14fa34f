import type { QueueClaim } from '../src/availability/sql/calls';
import { type DuePause, recordPause, takePause } from '../src/availability/sql/pauses';
import { recordMayBePaused } from '../src/availability/sql/marks';
import { recordSpecialDays, takeSpecialDays } from '../src/availability/sql/special-days';
import { NO_SPECIAL_DAYS } from '../src/availability/availability';
import { type Credential, credentialFor } from '../src/delivery-apps/tokens/app-access';
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

/** Changes of the whole store are rare, and apps do not limit their rate. */
const RATE = { spacingMs: 0, burst: 1 } as const;

/** How one kind of change of the whole store is told. */
interface StoreCall<Due extends { readonly changeId: string }> {
  readonly step: 'pauseStore' | 'setSpecialDays';
  readonly credential: Credential;
  /** What waits; undefined: nothing any more. */
  readonly take: () => Promise<Due | undefined>;
  readonly call: (due: Due, token: string) => Promise<PauseOutcome>;
  /** The app may have acted on it, although it never said so, or said otherwise later. */
  readonly mayHaveActed?: (due: Due, isSure: boolean) => Promise<void>;
  readonly record: (
    due: Due,
    state: 'done' | 'failed',
    messages: readonly string[],
  ) => Promise<void>;
  /** For people. */
  readonly done: (due: Due | undefined) => string;
}

export function createStoreChangeActivities(deps: AvailabilityDeps) {
  return {
    /** Tells the app that the store is paused or resumed; returns a description of the result. */
    pauseStore: (ref: QueueClaim): Promise<string> => tell(ref, pauseCall),

    /** Tells the app the special days of the store; returns a description of the result. */
    setSpecialDays: (ref: QueueClaim): Promise<string> => tell(ref, specialDaysCall),
  };

  async function tell<Due extends { readonly changeId: string }>(
    ref: QueueClaim,
    callOf: (queue: QueueContext) => StoreCall<Due>,
  ): Promise<string> {
    const queue = await openQueue(deps, ref);
    if (!queue) return 'the integration cannot be called';
    return withHeartbeat(() => tellApp(queue, callOf(queue)));
  }

  function pauseCall(queue: QueueContext): StoreCall<DuePause> {
    const { ref, app, client, credential, target } = queue;
    const triedBefore = createFirstSeen<boolean>();
    return {
      step: 'pauseStore',
      credential: credentialFor(credential, app.ownTokens?.pauses),
      /** `wasTried` is what it was when this activity first saw the pause. */
      async take() {
        const due = await takePause(deps.sql, ref);
        return due && { ...due, wasTried: triedBefore(due.changeId, due.wasTried) };
      },
      call: ({ paused, until, reason }, token) =>
        client.pauseStore({
          token,
          appStoreId: target.appStoreId,
          store: credential.store,
          paused,
          until,
          reason,
        }),
      async mayHaveActed({ changeId, wasTried }, isSure) {
        if (isSure || wasTried) await recordMayBePaused(deps.sql, ref, changeId);
      },
      record: ({ changeId }, state, messages) =>
        recordPause(deps.sql, ref, changeId, state, messages),
      done: (pause) => (pause?.paused ? 'The store is paused.' : 'The store takes orders again.'),
    };
  }

  function specialDaysCall(queue: QueueContext) {
    const { ref, app, client, credential, target } = queue;
    return {
      step: 'setSpecialDays',
      credential: credentialFor(credential, app.ownTokens?.specialDays),
      take: () => takeSpecialDays(deps.sql, ref, app.availability),
      async call({ days }, token) {
        const { appStoreId } = target;
        const request = { token, appStoreId, store: credential.store, days };
        const outcome = await client.setSpecialDays?.(request);
        return outcome ?? { kind: 'rejected', reasons: [NO_SPECIAL_DAYS] };
      },
      record: ({ changeId }, state, messages) =>
        recordSpecialDays(deps.sql, ref, changeId, state, messages),
      done: () => 'The special days are set.',
    } satisfies StoreCall<NonNullable<Awaited<ReturnType<typeof takeSpecialDays>>>>;
  }

  async function tellApp<Due extends { readonly changeId: string }>(
    queue: QueueContext,
    { step, credential, take, call, mayHaveActed, record, done }: StoreCall<Due>,
  ): Promise<string> {
    const { ref } = queue;
    let due: Due | undefined;
    const called = await callApp<PauseOutcome>(deps, queue, RATE, credential, async ({ token }) => {
      due = await take();
      if (!due) return undefined;
      const outcome = await call(due, token);
      // A later try may be refused, and would hide that this one took effect.
      if (outcome.kind === 'unknown') await mayHaveActed?.(due, true);
      return outcome;
    });
    deps.log.info({ ...ref, step, result: called.kind });
    switch (called.kind) {
      case 'stale':
        return 'Nothing is to be told any more.';
      case 'later':
        await postpone(deps, ref, called);
        return `Tried again later: ${describeLastAnswer(queue)}.`;
      case 'refused': {
        // Without a token it was not read yet.
        due ??= await take();
        if (due) {
          await mayHaveActed?.(due, false);
          await record(due, 'failed', called.reasons);
        }
        return `Refused: ${describeLastAnswer(queue)}.`;
      }
      case 'answered':
        if (due) await record(due, 'done', []);
        return done(due);
    }
  }
}
