import { setTimeout as delay } from 'node:timers/promises';
import { cancellationSignal } from '@temporalio/activity';
import {
  advanceRollout,
  type RolloutDeps,
  type RolloutStep,
} from '../src/rollouts/advance-rollout';
import type { RolloutState } from '../src/rollouts/rollout';
import type { RolloutId } from '../src/rollouts/sql/rollouts';
import { withHeartbeat } from './with-heartbeat';

/** The result of one pass over a rollout. */
export interface RolloutPass {
  readonly state: RolloutState | 'gone';
  /** The progress, for people. */
  readonly summary: string;
  /**
   * No target is active and none has started: all remaining ones wait for apps that are away, or for people there.
   */
  readonly isQuiet: boolean;
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
export function createRolloutActivities(deps: RolloutDeps) {
  return {
    /** Lets targets start, watches them for some seconds, and ends the rollout when all have ended. */
    async driveRollout(rolloutId: string): Promise<RolloutPass> {
      let latest: RolloutStep | undefined;
      const drive = async (): Promise<RolloutPass> => {
        const endAt = performance.now() + PASS_MS;
        let quietSteps = 0;
        for (;;) {
          latest = await advanceRollout(deps, rolloutId as RolloutId, latest);
          if (!latest)
            return { state: 'gone', summary: 'There is no such rollout.', isQuiet: true };
          const isActive = latest.state === 'running' || latest.state === 'reverting';
          quietSteps = latest.isQuiet ? quietSteps + 1 : 0;
          if (!isActive || quietSteps >= QUIET_STEPS || performance.now() > endAt) {
            const { state, summary, isQuiet } = latest;
            return { state, summary, isQuiet };
          }
          await delay(STEP_EVERY_MS, undefined, { signal: cancellationSignal() });
        }
      };
      return withHeartbeat(drive, { details: () => latest?.summary });
    },
  };
}

export type RolloutActivities = ReturnType<typeof createRolloutActivities>;
