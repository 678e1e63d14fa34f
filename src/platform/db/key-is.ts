import type { PendingQuery, Row } from 'postgres';
import type { Transaction } from './client';

/**
 * `column = value`, for a page of a list ordered by `column` and then by an id: written so that only the index on both
 * gives that order. After a plain comparison Postgres knows that the column is the same in all rows, so the index on
 * the id alone gives the order too, and where statistics say that nearly all rows have one value, it is taken for any
 * other value as well and read whole. After a comparison of rows, `(column, id) < (value, …)`, any index that begins
 * with the column may be taken, and all rows of the value sorted.
 *
 * Also for a join with a list of ids, where it leaves one way: each of the list is looked up. Planned while the table
 * looks empty, a plain comparison may read all of the table and look each row up in the list.
 */
export function keyIs(
  sql: Transaction,
  column: PendingQuery<Row[]>,
  value: PendingQuery<Row[]>,
): PendingQuery<Row[]> {
  return sql`${column} = any(array[${value}])`;
}
