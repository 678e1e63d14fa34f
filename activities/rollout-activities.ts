import { setTimeout as delay } from 'node:timers/promises';
import { cancellationSignal } from '@temporalio/activity';
import {
  advanceRollout,
  type RolloutDeps,
  type RolloutStep,
} from '../src/rollouts/advance-rollout';
import type { Bounds } from '../src/platform/admission/bound-metrics';
import { createBoundPermits, type Release } from '../src/platform/admission/permits';
import type { RolloutState } from '../src/rollouts/rollout';
import type { RolloutId } from '../src/rollouts/sql/rollouts';
import { withHeartbeat } from './with-heartbeat';

/** The result of one pass over a rollout. */
export interface RolloutPass {
  readonly state: RolloutState | 'gone';
  /** The progress, for people. */
  readonly summary: string;
  /**
   * The next pass need not follow at once: no target is active and none has started, as all remaining ones wait for apps
   * that are away, or for people there; or this worker has no permit for the rollout.
   */
  readonly isQuiet: boolean;
}

export interface RolloutActivityDeps extends RolloutDeps {
  readonly bounds: Bounds;
}

/** Pause between two steps of a rollout while its targets are active. */
const STEP_EVERY_MS = 250;
/** The time of a pass. After each the workflow, and so the Temporal UI, learns the progress. */
const PASS_MS = 10_000;
/**
 * A pass ends after so many steps in a row that found nothing active: each reads up to 1,000 unfinished targets, and
 * those may wait for a day.
 */
const QUIET_STEPS = 4;

/** All activities of `menuRollout`. */
export function createRolloutActivities({ bounds, ...deps }: RolloutActivityDeps) {
  const permits = createBoundPermits('rollouts_at_work', bounds);
  return {
    /**
     * Lets targets start, watches them for some seconds, and ends the rollout when all have ended. Without a permit it
     * only does what the rollout needs now.
     */
    async driveRollout(rolloutId: string): Promise<RolloutPass> {
      let latest: RolloutStep | undefined;
      let release: Release | undefined;
      const drive = async (): Promise<RolloutPass> => {
        const endAt = performance.now() + PASS_MS;
        let quietSteps = 0;
        for (;;) {
          latest = await advanceRollout(deps, rolloutId as RolloutId, latest);
          if (!latest)
            return { state: 'gone', summary: 'There is no such rollout.', isQuiet: true };
          const { state, summary, isQuiet } = latest;
          if (state !== 'running' && state !== 'reverting') return { state, summary, isQuiet };
          release ??= permits.take(latest.userId);
          if (!release) return { state, summary, isQuiet: true };
          quietSteps = isQuiet ? quietSteps + 1 : 0;
          if (quietSteps >= QUIET_STEPS || performance.now() > endAt) {
            return { state, summary, isQuiet };
          }
          await delay(STEP_EVERY_MS, undefined, { signal: cancellationSignal() });
        }
      };
      try {
        return await withHeartbeat(drive, { details: () => latest?.summary });
      } finally {
        release?.();
      }
    },
  };
}

export type RolloutActivities = ReturnType<typeof createRolloutActivities>;
