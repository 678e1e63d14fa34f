import type { Sql, Transaction } from '../../platform/db/client';

/** Each event of a store becomes a delivery for each linked system, and one request answers for all. */
export const MAX_LINKED_SYSTEMS = 64;

export interface StoreLink {
  readonly inventorySystemId: string;
  readonly storeId: number;
  readonly externalStoreId: string;
}

/**
 * Sets a store's id in an inventory system; repeating it replaces the id. Returns the number of systems that the
 * store is linked to; undefined, without any change, if it would exceed `MAX_LINKED_SYSTEMS`.
 */
export async function linkStore(sql: Sql, link: StoreLink): Promise<number | undefined> {
  return sql.begin(async (tx) => {
    // One link per store at a time; otherwise two that count at once would both find room.
    await lockStore(tx, link.storeId);
    return insertLink(tx, link);
  });
}

async function lockStore(tx: Transaction, storeId: number): Promise<void> {
  // Not `for update`, for which the foreign keys of events would wait.
  await tx`select from store where store_id = ${storeId}::bigint for no key update`;
}

async function insertLink(tx: Transaction, link: StoreLink): Promise<number | undefined> {
  const [row] = await tx<{ linked: number }[]>`
    with others as (
      select count(*)::int as count from store_link
      where store_id = ${link.storeId}::bigint
        and inventory_system_id <> ${link.inventorySystemId}::uuid
    )
    insert into store_link (store_id, inventory_system_id, external_store_id)
    select ${link.storeId}::bigint, ${link.inventorySystemId}::uuid, ${link.externalStoreId}
    from others where count < ${MAX_LINKED_SYSTEMS}::int or exists (
      select from store_link
      where store_id = ${link.storeId}::bigint
        and inventory_system_id = ${link.inventorySystemId}::uuid)
    on conflict (store_id, inventory_system_id)
      do update set external_store_id = excluded.external_store_id
    returning (select count + 1 from others) as linked`;
  return row?.linked;
}
