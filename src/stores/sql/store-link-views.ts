import type { Sql } from '../../platform/db/client';
import { keyIs } from '../../platform/db/key-is';
import { onlyRow } from '../../platform/db/only-row';
import type { Viewer } from '../../users/sql/users';
import { orderDiscards } from '../../webhooks/sql/discards';
import type { StoreLink } from './store-links';

/** The links of a system, newest store first, at most `limit`; `before` is the last store of the previous page. */
export async function listLinks(
  sql: Sql,
  inventorySystemId: string,
  { before, limit }: { readonly before?: number; readonly limit: number },
): Promise<StoreLink[]> {
  return sql<StoreLink[]>`
    select inventory_system_id, store_id, external_store_id from store_link
    where ${keyIs(sql, sql`inventory_system_id`, sql`${inventorySystemId}::uuid`)}
      ${before === undefined ? sql`` : sql`and store_id < ${before}::bigint`}
    order by inventory_system_id desc, store_id desc limit ${limit}`;
}

/** What a viewer may see of a system and of its link to a store. */
export interface LinkAccess {
  readonly ownsSystem: boolean;
  readonly hasStore: boolean;
  /** Null: they are not linked. */
  readonly externalStoreId: string | null;
}

/** Undefined = no such system; `storeId` null: there is no such store. */
export async function findLinkAccess(
  sql: Sql,
  viewer: Viewer,
  inventorySystemId: string,
  storeId: number | null,
): Promise<LinkAccess | undefined> {
  const [row] = await sql<LinkAccess[]>`
    select ${viewer.seesAll}::boolean or i.created_by = ${viewer.userId} as owns_system,
      exists (select from user_store us
        where us.store_id = l.store_id and us.user_id = ${viewer.userId}) as has_store,
      l.external_store_id
    from inventory_system i
    left join store_link l
      on l.inventory_system_id = i.inventory_system_id and l.store_id = ${storeId}::bigint
    where i.inventory_system_id = ${inventorySystemId}::uuid and i.deleted_at is null`;
  return row;
}

/**
 * Ends a link and orders that the store's waiting deliveries to the system are discarded. False = they were not
 * linked.
 */
export async function deleteLink(
  sql: Sql,
  inventorySystemId: string,
  storeId: number,
): Promise<boolean> {
  const rows = await sql<{ ended: number }[]>`
    with ended as (
      delete from store_link
      where inventory_system_id = ${inventorySystemId}::uuid and store_id = ${storeId}::bigint
      returning inventory_system_id, store_id
    ), ordered as (
      ${orderDiscards(
        sql,
        sql`select s.subscription_id, e.store_id from ended e join subscription s using (inventory_system_id)`,
      )}
    )
    select count(*)::int as ended from ended`;
  return onlyRow(rows).ended > 0;
}
