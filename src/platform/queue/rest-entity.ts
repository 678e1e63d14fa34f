import type { Sql } from '../db/client';
import type { RestingKind } from './entity-kind';

/**
 * Takes back the entity's promise to look again, then looks once more: true when there are rows after all.
 * The order is what makes it safe: whoever inserts after the first statement sees that nobody is alive and nudges,
 * whoever inserted before it is seen by the second, as an insert takes the lock of the entity's row.
 */
export async function restEntity<Key>(
  sql: Sql,
  kind: RestingKind<Key>,
  key: Key,
): Promise<boolean> {
  await sql`update ${sql(kind.table)} set alive_until = null where ${kind.isKey(sql, key)}`;
  return kind.hasRows(sql, key);
}
