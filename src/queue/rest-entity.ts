import { setTimeout as delay } from 'node:timers/promises';
import type { Sql } from '../db/client';
import type { EntityKind } from './entity-kind';

/**
 * Takes back the entity's promise to look again, then looks once more: true when there are rows after all.
 * The order is what makes it safe: whoever inserts after the first statement sees that nobody is alive and nudges,
 * whoever inserted before it is seen by the second.
 */
export async function restEntity<Key>(sql: Sql, kind: EntityKind<Key>, key: Key): Promise<boolean> {
  await sql`update ${sql(kind.table)} set alive_until = null where ${kind.isKey(sql, key)}`;
  if (kind.settleMs > 0) await delay(kind.settleMs);
  return kind.hasRows(sql, key);
}
