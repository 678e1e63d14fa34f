import type { PendingQuery, Row } from 'postgres';
import type { Sql } from '../../platform/db/client';

/**
 * A JSON object with the members of two, each as the text that was sent; of a name that both have, the second one's
 * is read. Not `jsonb`, which writes numbers anew and refuses those with too many digits.
 */
export function membersOfBoth(
  sql: Sql,
  first: PendingQuery<Row[]>,
  second: PendingQuery<Row[]>,
): PendingQuery<Row[]> {
  return sql`(select coalesce(json_object_agg(key, value), '{}') from (
    select * from json_each(${first}) union all select * from json_each(${second})) as member)`;
}
