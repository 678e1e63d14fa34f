import { BOUNDS } from '../platform/config/bound-table';
import type { UserId } from '../platform/ids';
import { serviceBusy } from '../platform/service-busy';
import { createTurns } from '../platform/turns';
import type { RequestTurnDeps } from './request-turns';

/**
 * Statements that write thousands of rows, such as those of a rollout: one of a user at once, and two of all, so that
 * Postgres has time for others between them. With 24 rollouts of 1,000 targets at once, another user's stock update took
 * two seconds instead of 10 ms.
 */
export interface LargeInserts {
  /** Runs the statements in a turn of their user. Throws the 503 if none comes in time. */
  take<T>(userId: UserId, work: () => Promise<T>): Promise<T>;
}

const WAITING = { ofAll: 200, ofKey: 'three quarters' } as const;
const LONGEST_WAIT_MS = 20_000;

export function createLargeInserts({ bounds, stopping }: RequestTurnDeps): LargeInserts {
  const turns = createTurns<UserId>({
    atOnce: { ofAll: BOUNDS.large_inserts.limit, ofKey: 1 },
    waiting: WAITING,
    longestWaitMs: LONGEST_WAIT_MS,
  });
  const used = () => turns.atOnce.used() + turns.waiting.used();
  const limit = turns.atOnce.limit + turns.waiting.limit;
  const bound = bounds.declare('large_inserts', { limit, used });
  stopping.addEventListener('abort', () => turns.refuse());
  return {
    async take(userId, work) {
      const leave = await turns.enter(userId);
      if (!leave) {
        bound.hit(userId);
        throw serviceBusy();
      }
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}
