import type { PendingQuery, Row } from 'postgres';
import type { Sql, Transaction } from './client';

/**
 * The channel on which ended rows with waiting callers are announced, comma-separated: `id`, or `id:words` if the
 * words say everything about the end.
 */
export const ROW_DONE = 'row_done';

/** An ended row; `notice`: the words announced with it, or null if the row must be read. */
export interface RowDone {
  readonly id: string;
  readonly notice: string | null;
}

/** The rows in an announcement on `ROW_DONE`. */
export function readRowsDone(payload: string): RowDone[] {
  return payload.split(',').map((each) => {
    const [id = '', notice = null] = each.split(':');
    return { id, notice };
  });
}

/**
 * A `select` that announces the ids of `rows` (a query with one column `id`, of at most 50 characters), for the end
 * of an outcome statement. `run-api.ts` hears it, and `RowWaiters.announce` wakes `waitForRow`. In chunks of 150,
 * because a payload of 8,000 bytes or more fails the whole statement, including its outcome.
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
