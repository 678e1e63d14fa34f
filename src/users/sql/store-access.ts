import type { PendingQuery, Row } from 'postgres';
import type { Sql } from '../../platform/db/client';
import type { UserId } from '../../platform/ids';
import type { Viewer } from './users';

export interface StoreAccess {
  readonly storeId: number;
  readonly allowed: boolean;
  /** Null: the administration created it without an owner. */
  readonly createdBy: UserId | null;
  /** Null: the store has none. */
  readonly timeZone: string | null;
}

/** Whether a store exists (a deleted one does not) and whether the user may act on it; undefined = no such store. */
export async function findStoreAccess(
  sql: Sql,
  userId: string,
  storeId: number,
): Promise<StoreAccess | undefined> {
  const [row] = await sql<StoreAccess[]>`
    select s.store_id, s.created_by, s.time_zone,
      exists (select from user_store us where us.store_id = s.store_id and us.user_id = ${userId})
        as allowed
    from store s where s.store_id = ${storeId}::bigint and s.deleted_at is null`;
  return row;
}

/** Whether the store is a deleted one that the viewer had; of one that was purged nothing is known any more. */
export async function hadStore(sql: Sql, viewer: Viewer, storeId: number): Promise<boolean> {
  const rows = await sql`
    select from store s
    where s.store_id = ${storeId}::bigint and s.deleted_at is not null
      and (${viewer.seesAll}::boolean or exists (
        select from user_store us where us.store_id = s.store_id and us.user_id = ${viewer.userId}))`;
  return rows.length > 0;
}

/** Lists of a user with more stores are read among everybody's entries: a look into each store would take longer. */
export const FEW_STORES = 200;

/** Whether the viewer has so few stores that a list is read store by store. */
export async function seesFewStores(sql: Sql, viewer: Viewer): Promise<boolean> {
  return !viewer.seesAll && (await countStores(sql, viewer, FEW_STORES + 1)) <= FEW_STORES;
}

/** How many stores a user has; past `most` so many. */
export async function countStores(
  sql: Sql,
  { userId }: Pick<Viewer, 'userId'>,
  most: number,
): Promise<number> {
  const stores = await sql`select from user_store where user_id = ${userId} limit ${most}`;
  return stores.length;
}

/** The stores `us` of the viewer; of these only `storeId`, where it is given. */
export function storesOf(sql: Sql, viewer: Viewer, storeId?: number): PendingQuery<Row[]> {
  if (storeId === undefined) {
    return sql`(select store_id from user_store where user_id = ${viewer.userId}) as us`;
  }
  return sql`(select given.store_id from (select ${storeId}::bigint as store_id) as given
    where ${viewer.seesAll}::boolean or exists (select from user_store u
      where u.store_id = given.store_id and u.user_id = ${viewer.userId})) as us`;
}
