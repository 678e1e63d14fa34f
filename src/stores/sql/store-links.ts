import { BOUNDS } from '../../platform/admission/bounds';
import type { Sql, Transaction } from '../../platform/db/client';
import type { UserId } from '../../platform/ids';

/** Each event of a store becomes a delivery for each linked system, and one request answers for all. */
export const MAX_LINKED_SYSTEMS = BOUNDS.store_links.limit;

export interface StoreLink {
  readonly inventorySystemId: string;
  readonly storeId: number;
  readonly externalStoreId: string;
}

/** A link, and who makes it. */
export interface MadeLink extends StoreLink {
  readonly madeBy: UserId;
  /** As an operator: it stays until somebody ends it. */
  readonly byOperator: boolean;
}

/** `store_gone`, `system_gone`: it was deleted meanwhile; `too_many`: `MAX_LINKED_SYSTEMS`. In each case nothing changed. */
export type Linked = { readonly linked: number } | 'store_gone' | 'system_gone' | 'too_many';

/**
 * Sets a store's id in an inventory system; repeating it replaces the id. Returns the number of systems that the
 * store is linked to.
 */
export async function linkStore(sql: Sql, link: MadeLink): Promise<Linked> {
  return sql.begin(async (tx) => {
    // One link per store at a time; otherwise two that count at once would both find room.
    if (!(await lockStore(tx, link.storeId))) return 'store_gone';
    if (!(await lockSystem(tx, link.inventorySystemId))) return 'system_gone';
    return insertLink(tx, link);
  });
}

async function lockStore(tx: Transaction, storeId: number): Promise<boolean> {
  // Not `for update`, for which the foreign keys of events would wait.
  const rows = await tx`
    select from store where store_id = ${storeId}::bigint and deleted_at is null
    for no key update`;
  return rows.length > 0;
}

/** Until the end of the transaction it cannot be deleted. */
async function lockSystem(tx: Transaction, inventorySystemId: string): Promise<boolean> {
  const rows = await tx`
    select from inventory_system
    where inventory_system_id = ${inventorySystemId}::uuid and deleted_at is null for key share`;
  return rows.length > 0;
}

async function insertLink(tx: Transaction, link: MadeLink): Promise<Linked> {
  const [row] = await tx<{ linked: number }[]>`
    with others as (
      select count(*)::int as count from store_link
      where store_id = ${link.storeId}::bigint
        and inventory_system_id <> ${link.inventorySystemId}::uuid
    )
    insert into store_link as l (store_id, inventory_system_id, external_store_id, made_by, by_operator)
    select ${link.storeId}::bigint, ${link.inventorySystemId}::uuid, ${link.externalStoreId},
      array[${link.madeBy}]::text[], ${link.byOperator}::boolean
    from others where count < ${MAX_LINKED_SYSTEMS}::int or exists (
      select from store_link
      where store_id = ${link.storeId}::bigint
        and inventory_system_id = ${link.inventorySystemId}::uuid)
    on conflict (store_id, inventory_system_id)
      do update set external_store_id = excluded.external_store_id,
        made_by = array(select unnest(l.made_by) union select unnest(excluded.made_by)),
        by_operator = l.by_operator or excluded.by_operator
    returning (select count + 1 from others) as linked`;
  return row ?? 'too_many';
}
