import type { Sql, Transaction } from '../../src/platform/db/client';
import { until } from './until';

/** How many sessions of this database wait for a lock. Not by a transaction, which sees the same until its end. */
export async function countLockWaits(sql: Sql): Promise<number> {
  const waiting = await sql`
    select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  return waiting.length;
}

/**
 * Begins `second` when `first` is done but not committed. Once `second` waits for that transaction, it does `last`, if
 * there is one, and commits.
 */
export async function overtaking(
  sql: Sql,
  first: (tx: Transaction) => Promise<unknown>,
  second: () => Promise<unknown>,
  last?: (tx: Transaction) => Promise<unknown>,
): Promise<void> {
  let waiting: Promise<unknown> | undefined;
  await sql.begin(async (tx) => {
    await first(tx);
    waiting = second();
    waiting.catch(() => {}); // awaited below
    await until(async () => (await countLockWaits(sql)) > 0);
    await last?.(tx);
  });
  await waiting;
}
