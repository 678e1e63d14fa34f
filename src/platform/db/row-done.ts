import type { PendingQuery, Row } from 'postgres';
import type { Sql, Transaction } from './client';

/**
 * The channel on which finished rows that somebody awaits are announced, comma-separated: `id`, or `id:words` where the
 * words are all that there is to know of the end.
 */
export const ROW_DONE = 'row_done';

/** A finished row; `told`: what was said of its end, null where it is to be looked at. */
export interface RowDone {
  readonly id: string;
  readonly told: string | null;
}

/** What was announced on `ROW_DONE`. */
export function readRowsDone(payload: string): RowDone[] {
  return payload.split(',').map((each) => {
    const [id = '', told = null] = each.split(':');
    return { id, told };
  });
}

/**
 * A `select` that announces the ids of `rows` (a query with one column `id`, of at most 50 characters), to end an
 * outcome statement with. In chunks of 150: a payload of 8,000 bytes or more fails the whole statement, outcome included.
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
