import type { PendingQuery, Row } from 'postgres';
import type { Sql, Transaction } from './client';

/** The channel on which finished rows that somebody awaits are announced: ids, comma-separated. */
export const ROW_DONE = 'row_done';

/**
 * A `select` that announces the ids of `rows` (a query with one column `id`), to end an outcome statement with.
 * In chunks of 150: a payload of 8,000 bytes or more fails the whole statement, outcome included.
 */
export function notifyRowsDone(
  sql: Sql | Transaction,
  rows: PendingQuery<Row[]>,
): PendingQuery<Row[]> {
  return sql`
    select pg_notify(${ROW_DONE}, string_agg(id, ',')) from (
      select id, row_number() over () as n from (${rows}) as done
    ) as numbered
    group by (n - 1) / 150`;
}
