import type { Sql } from '../../platform/db/client';
import type { UserId } from '../../platform/ids';

export interface StoreAccess {
  readonly storeId: number;
  readonly allowed: boolean;
  /** Null: the administration created it without an owner. */
  readonly createdBy: UserId | null;
}

/** Whether a store exists (a deleted one does not) and whether the user may act on it; undefined = no such store. */
export async function findStoreAccess(
  sql: Sql,
  userId: string,
  storeId: number,
): Promise<StoreAccess | undefined> {
  const [row] = await sql<StoreAccess[]>`
    select s.store_id, s.created_by,
      exists (select from user_store us where us.store_id = s.store_id and us.user_id = ${userId})
        as allowed
    from store s where s.store_id = ${storeId}::bigint and s.deleted_at is null`;
  return row;
}
