import { purgeAvailability } from '../../availability/sql/change-retention';
import type { Sql, Transaction } from '../../platform/db/client';
import { onlyRow } from '../../platform/db/only-row';

/** Deliveries removed per statement. */
const BATCH = 1_000;

/** Removes all data of a deleted store. False = there is no such store, or it is not deleted. */
export async function purgeStore(sql: Sql, storeId: number): Promise<boolean> {
  const [store] = await sql`
    select from store where store_id = ${storeId}::bigint and deleted_at is not null`;
  if (!store) return false;
  while ((await removeWaiting(sql, storeId)) === BATCH);
  while ((await removeEnded(sql, storeId)) === BATCH);
  await sql.begin(async (tx) => {
    // Other stores may use the same menus.
    const documents = await removeUploads(tx, storeId);
    await removeDocuments(tx, documents);
    await removeConnections(tx, storeId);
    await tx`delete from store where store_id = ${storeId}::bigint`;
  });
  return true;
}

/** Removes up to `limit` stores that were deleted before the retention; returns how many. */
export async function purgeExpiredStores(sql: Sql, days: number, limit: number): Promise<number> {
  const rows = await sql<{ storeId: number }[]>`
    select store_id from store where deleted_at < now() - ${days}::int * interval '1 day'
    order by deleted_at limit ${limit}`;
  for (const { storeId } of rows) await purgeStore(sql, storeId);
  return rows.length;
}

async function removeWaiting(sql: Sql, storeId: number): Promise<number> {
  const rows = await sql<{ removed: number }[]>`
    with removed as (
      delete from delivery where delivery_id in (
        select delivery_id from delivery where store_id = ${storeId}::bigint limit ${BATCH})
      returning delivery_id
    ), attempts as (
      delete from attempt a using removed r where a.delivery_id = r.delivery_id
    )
    select count(*)::int as removed from removed`;
  return onlyRow(rows).removed;
}

async function removeEnded(sql: Sql, storeId: number): Promise<number> {
  const removed = await sql`
    delete from ended_delivery where (delivery_id, finished_at) in (
      select delivery_id, finished_at from ended_delivery
      where store_id = ${storeId}::bigint limit ${BATCH})
    returning delivery_id`;
  return removed.length;
}

/** Removes the uploads of a store; returns the SHA-256 of their menus and payloads. */
async function removeUploads(tx: Transaction, storeId: number): Promise<string[]> {
  const rows = await tx<{ documentSha256: string; payloadSha256: string | null }[]>`
    delete from menu_upload where store_id = ${storeId}::bigint
    returning document_sha256, payload_sha256`;
  const used = rows.flatMap((row) => [row.documentSha256, row.payloadSha256]);
  return [...new Set(used.filter((sha256) => sha256 !== null))];
}

async function removeDocuments(tx: Transaction, sha256: readonly string[]): Promise<void> {
  await tx`
    delete from document d where d.sha256 = any(${[...sha256]}::text[])
      and not exists (select from menu_upload u where u.document_sha256 = d.sha256)
      and not exists (select from menu_upload u where u.payload_sha256 = d.sha256)`;
}

async function removeConnections(tx: Transaction, storeId: number): Promise<void> {
  await purgeAvailability(tx, storeId);
  await tx`delete from publication where store_id = ${storeId}::bigint`;
  await tx`delete from app_token where credential_key like ${`store/${storeId}/%`}`;
  await tx`delete from store_integration where store_id = ${storeId}::bigint`;
  await tx`delete from store_link where store_id = ${storeId}::bigint`;
  await tx`delete from pos_request where store_id = ${storeId}::bigint`;
  await tx`delete from user_store where store_id = ${storeId}::bigint`;
}

/**
 * Removes up to `limit` webhooks, and as many systems, that were deleted before the retention and have no rows left.
 * Returns the larger number of the two: below `limit`, there are no more of either.
 */
export async function removeExpiredSystems(sql: Sql, days: number, limit: number): Promise<number> {
  const webhooks = await sql`
    delete from subscription where subscription_id in (
      select s.subscription_id from subscription s
      where s.deleted_at < now() - ${days}::int * interval '1 day'
        and not exists (select from any_delivery d where d.subscription_id = s.subscription_id)
      limit ${limit})
    returning subscription_id`;
  const systems = await sql`
    delete from inventory_system where inventory_system_id in (
      select i.inventory_system_id from inventory_system i
      where i.deleted_at < now() - ${days}::int * interval '1 day'
        and not exists (select from subscription s where s.inventory_system_id = i.inventory_system_id)
        and not exists (select from pos_request p where p.inventory_system_id = i.inventory_system_id)
        and not exists (select from store_link l where l.inventory_system_id = i.inventory_system_id)
      limit ${limit})
    returning inventory_system_id`;
  return Math.max(webhooks.length, systems.length);
}
