import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../observe/log';

/** One kind of rows that have their time. */
export interface ExpiringKind {
  /** In the log. */
  readonly name: string;
  /** Looks at up to `limit` rows, oldest first, and removes what it may; how many it looked at. Fewer = there are no more. */
  readonly removeSome: (limit: number) => Promise<number>;
}

/** What a round came to. */
export interface RemovalRound {
  readonly kinds: readonly Pick<RemovedKind, 'name' | 'rows'>[];
  /** It ended because its time was over. */
  readonly left: boolean;
  /** Statements that failed. */
  readonly failed: number;
}

export interface RetentionOptions {
  readonly kinds: readonly ExpiringKind[];
  readonly log: Log;
  /** Hears of the round when it is over. */
  readonly onRound?: ((round: RemovalRound) => void) | undefined;
  /** Longest time for a round, ms. */
  readonly budgetMs?: number;
}

/** What one kind cost in a round. */
export interface RemovedKind {
  readonly name: string;
  readonly rows: number;
  readonly statements: number;
  readonly longestMs: number;
}

/** Shorter than the pause between two sweeps, and than the time that a worker which stops gives its activities. */
const BUDGET_MS = 7_000;
/** A statement grows while it is quicker than the lower and shrinks when it is slower than the upper: none takes 100 ms. */
const STATEMENT_MS = { lower: 15, upper: 40 };
const LIMIT = { first: 250, least: 50, most: 2_000 };

/**
 * Removes rows that have had their time, of all kinds in turn until there are no more or the round is over. A pause as
 * long as each statement follows it, so that half of a connection is the most that it takes from the others. A kind
 * that fails is logged and left for this round; the others go on.
 */
export async function removeExpiredRows({
  kinds,
  log,
  onRound,
  budgetMs = BUDGET_MS,
}: RetentionOptions): Promise<RemovedKind[]> {
  const endAt = performance.now() + budgetMs;
  const all = kinds.map((kind) => ({
    kind,
    limit: LIMIT.first,
    rows: 0,
    statements: 0,
    longestMs: 0,
  }));
  let left = all;
  let failed = 0;
  while (left.length > 0 && performance.now() < endAt) {
    const again: typeof all = [];
    for (const turn of left) {
      const startedAt = performance.now();
      const { limit } = turn;
      const looked = await turn.kind.removeSome(limit).catch((error: unknown) => {
        failed += 1;
        log.error(
          { kind: turn.kind.name, err: error },
          'what has had its time could not be removed',
        );
        return 0;
      });
      const tookMs = performance.now() - startedAt;
      turn.rows += looked;
      turn.statements += 1;
      turn.longestMs = Math.max(turn.longestMs, Math.round(tookMs));
      if (tookMs < STATEMENT_MS.lower) turn.limit = Math.min(limit * 2, LIMIT.most);
      if (tookMs > STATEMENT_MS.upper) turn.limit = Math.max(Math.floor(limit / 2), LIMIT.least);
      if (looked >= limit) {
        again.push(turn);
        await delay(tookMs);
      }
    }
    left = again;
  }
  const removed = all.map(({ kind: { name }, rows, statements, longestMs }) => ({
    name,
    rows,
    statements,
    longestMs,
  }));
  const told = removed.filter(({ rows }) => rows > 0);
  if (told.length > 0) log.info({ removed: told, unfinished: left.length > 0 }, 'retention');
  onRound?.({ kinds: removed, left: left.length > 0, failed });
  return removed;
}
