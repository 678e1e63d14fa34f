import { createStore } from '../../src/admin/stores';
import type { Sql } from '../../src/platform/db/client';
import type { UserId } from '../../src/platform/ids';
import { findStoreAccess } from '../../src/users/sql/store-access';

/**
 * Creates a store of the demo unless its id was ever given out. False = there is no such store any more: it was
 * deleted, and a start must neither bring it back under another id nor fail because of it.
 */
export async function ensureStore(
  sql: Sql,
  userId: UserId,
  { storeId, name }: { storeId: number; name: string },
): Promise<boolean> {
  if (!(await wasGivenOut(sql, storeId))) {
    await createStore({ sql }, { name, country: 'MX', userId });
  }
  return (await findStoreAccess(sql, userId, storeId)) !== undefined;
}

/** By the sequence of ids, because nothing else is left of a store that was purged. */
async function wasGivenOut(sql: Sql, storeId: number): Promise<boolean> {
  const rows = await sql`
    select where pg_sequence_last_value(pg_get_serial_sequence('store', 'store_id')::regclass)
      >= ${storeId}::bigint`;
  return rows.length > 0;
}
