import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../observe/log';

/** One kind of rows with a retention. */
export interface ExpiringKind {
  /** In the log. */
  readonly name: string;
  /** Not by its age: a user has ordered it, so every round looks for it. */
  readonly isPrompt?: boolean;
  /**
   * Checks up to `limit` rows, oldest first, and removes those that it may; returns how many it checked. Fewer than
   * `limit` = there are no more.
   */
  readonly removeSome: (limit: number) => Promise<number>;
}

/** The result of a round. */
export interface RemovalRound {
  readonly kinds: readonly Pick<RemovedKind, 'name' | 'rows'>[];
  /** It ended because its time was up. */
  readonly left: boolean;
  /** Statements that failed. */
  readonly failed: number;
}

export interface RetentionOptions {
  readonly kinds: readonly ExpiringKind[];
  readonly log: Log;
  /** Called after each round. */
  readonly onRound?: ((round: RemovalRound) => void) | undefined;
  /** Longest time for a round, ms. */
  readonly budgetMs?: number;
}

/** The cost of one kind in a round. */
export interface RemovedKind {
  readonly name: string;
  readonly rows: number;
  readonly statements: number;
  readonly longestMs: number;
}

/** Shorter than the pause between two sweeps, and than the time that a stopping worker gives its activities. */
const BUDGET_MS = 7_000;
/**
 * A statement's batch grows if it took less than the lower bound and shrinks above the upper one, so that none takes
 * 100 ms.
 */
const STATEMENT_MS = { lower: 15, upper: 40 };
const LIMIT = { first: 250, least: 50, most: 2_000 };

/**
 * Removes expired rows until there are no more or the round's time is up: one statement for each kind, then the next
 * for each. Each statement is followed by a pause of the same length, so retention takes at most half of a connection.
 * A kind that fails is logged and skipped for this round; the others continue.
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
    for (const one of left) {
      const startedAt = performance.now();
      const { limit } = one;
      const looked = await one.kind.removeSome(limit).catch((error: unknown) => {
        failed += 1;
        log.error({ kind: one.kind.name, err: error }, 'expired rows could not be removed');
        return 0;
      });
      const tookMs = performance.now() - startedAt;
      one.rows += looked;
      one.statements += 1;
      one.longestMs = Math.max(one.longestMs, Math.round(tookMs));
      if (tookMs < STATEMENT_MS.lower) one.limit = Math.min(limit * 2, LIMIT.most);
      if (tookMs > STATEMENT_MS.upper) one.limit = Math.max(Math.floor(limit / 2), LIMIT.least);
      if (looked >= limit) {
        again.push(one);
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
