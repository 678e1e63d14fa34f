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

/** What a turn of a rollout came to. */
export interface RolloutTurn {
  readonly state: RolloutState | 'gone';
  /** How far it is, for people. */
  readonly told: string;
  /** Nothing is at work and nothing began: what has not ended waits for apps that stay away, or for people there. */
  readonly isQuiet: boolean;
}

/** So often a rollout is looked at while its targets are at work. */
const LOOK_EVERY_MS = 250;
/** A turn tells the workflow, and so the Temporal UI, how far it is. */
const TURN_MS = 10_000;

/** All activities of `menuRollout`. */
export function createRolloutActivities(deps: RolloutDeps) {
  return {
    /** Lets targets begin, watches them for some seconds, and ends the rollout when all have ended. */
    async driveRollout(rolloutId: string): Promise<RolloutTurn> {
      let latest: RolloutStep | undefined;
      const drive = async (): Promise<RolloutTurn> => {
        const endAt = performance.now() + TURN_MS;
        for (;;) {
          latest = await advanceRollout(deps, rolloutId as RolloutId);
          if (!latest) return { state: 'gone', told: 'There is no such rollout.', isQuiet: true };
          const isActive = latest.state === 'running' || latest.state === 'reverting';
          if (!isActive || performance.now() > endAt) return latest;
          await delay(LOOK_EVERY_MS, undefined, { signal: cancellationSignal() });
        }
      };
      return withHeartbeat(drive, { details: () => latest?.told });
    },
  };
}

export type RolloutActivities = ReturnType<typeof createRolloutActivities>;
