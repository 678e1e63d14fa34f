import {
  AVAILABILITY_BATCHES,
  removeQueues,
  type StoreBatch,
} from '../../availability/sql/change-retention';
import { keysOfStore } from '../../delivery-apps/tokens/app-access';
import type { Sql, Transaction } from '../../platform/db/client';
import { keyIs } from '../../platform/db/key-is';
import { onlyRow } from '../../platform/db/only-row';

/**
 * In batches: one statement for all rows of a busy store would run out of time, and so would every repetition. With an
 * upload go its steps and up to two documents of several MB.
 */
const BATCHES: readonly StoreBatch[] = [
  { remove: removeWaiting, limit: 1_000 },
  { remove: removeEnded, limit: 1_000 },
  { remove: removeUploads, limit: 100 },
  { remove: removePosRequests, limit: 1_000 },
  { remove: removeFindings, limit: 1_000 },
  ...AVAILABILITY_BATCHES,
];
/** Expired stores are removed for this long at a time, so that other expired rows have their turn. */
const STORES_MS = 1_000;

/** Removes all data of a deleted store. False = there is no such store, or it is not deleted. */
export async function purgeStore(sql: Sql, storeId: number): Promise<boolean> {
  const [store] = await sql`
    select from store where store_id = ${storeId}::bigint and deleted_at is not null`;
  if (!store) return false;
  await purgeUntil(sql, storeId, Infinity);
  return true;
}

/**
 * Removes up to `limit` stores that were deleted before the retention, or a part of a large one; returns how many it
 * looked at, or `limit` when its time was up. A store that fails is added to `failed`, and those are left out.
 */
export async function purgeExpiredStores(
  sql: Sql,
  days: number,
  limit: number,
  failed: Set<number> = new Set(),
): Promise<number> {
  const rows = await sql<{ storeId: number }[]>`
    select store_id from store where deleted_at < now() - ${days}::int * interval '1 day'
      and store_id <> all (${[...failed]}::bigint[])
    order by deleted_at limit ${limit}`;
  const endAt = performance.now() + STORES_MS;
  for (const { storeId } of rows) {
    try {
      if (!(await purgeUntil(sql, storeId, endAt))) return limit;
    } catch (error) {
      failed.add(storeId);
      throw error;
    }
  }
  return rows.length;
}

/** False = the time was up before the end; the next call continues. */
async function purgeUntil(sql: Sql, storeId: number, endAt: number): Promise<boolean> {
  // Readings of live menus would look for an upload that is gone.
  await sql`
    update publication set live_upload_id = null
    where store_id = ${storeId}::bigint and live_upload_id is not null`;
  for (const { remove, limit } of BATCHES) {
    while ((await remove(sql, storeId, limit)) > 0) if (performance.now() > endAt) return false;
  }
  await sql.begin(async (tx) => {
    await removeConnections(tx, storeId);
    await tx`delete from store where store_id = ${storeId}::bigint`;
  });
  return true;
}

async function removeWaiting(sql: Sql, storeId: number, limit: number): Promise<number> {
  const rows = await sql<{ removed: number }[]>`
    with removed as (
      delete from delivery where delivery_id = any (array(
        select delivery_id from delivery where store_id = ${storeId}::bigint limit ${limit}))
      returning delivery_id
    ), attempts as (
      delete from attempt a using removed r
      where ${keyIs(sql, sql`a.delivery_id`, sql`r.delivery_id`)}
    )
    select count(*)::int as removed from removed`;
  return onlyRow(rows).removed;
}

async function removeEnded(sql: Sql, storeId: number, limit: number): Promise<number> {
  const removed = await sql`
    delete from ended_delivery where (delivery_id, finished_at) in (
      select delivery_id, finished_at from ended_delivery
      where store_id = ${storeId}::bigint limit ${limit})
    returning delivery_id`;
  return removed.length;
}

/** Removes uploads with the documents that no other upload uses: other stores may use the same menus. */
function removeUploads(sql: Sql, storeId: number, limit: number): Promise<number> {
  return sql.begin(async (tx) => {
    const rows = await tx<{ documentSha256: string; payloadSha256: string | null }[]>`
      delete from menu_upload where upload_id = any (array(
        select upload_id from menu_upload where store_id = ${storeId}::bigint limit ${limit}))
      returning document_sha256, payload_sha256`;
    const used = rows.flatMap((row) => [row.documentSha256, row.payloadSha256]);
    await removeDocuments(tx, [...new Set(used.filter((sha256) => sha256 !== null))]);
    return rows.length;
  });
}

async function removeDocuments(tx: Transaction, sha256: readonly string[]): Promise<void> {
  // In a statement of its own: the next one sees each upload that came with one of them before they were locked.
  const locked = await tx<{ sha256: string }[]>`
    select sha256 from document where sha256 = any(${[...sha256]}::text[]) for update skip locked`;
  await tx`
    delete from document d where d.sha256 = any(${locked.map((row) => row.sha256)}::text[])
      and not exists (select from menu_upload u where u.document_sha256 = d.sha256)
      and not exists (select from menu_upload u where u.payload_sha256 = d.sha256)`;
}

async function removePosRequests(sql: Sql, storeId: number, limit: number): Promise<number> {
  const removed = await sql`
    delete from pos_request where pos_request_id = any (array(
      select pos_request_id from pos_request where store_id = ${storeId}::bigint limit ${limit}))
    returning pos_request_id`;
  return removed.length;
}

async function removeFindings(sql: Sql, storeId: number, limit: number): Promise<number> {
  const removed = await sql`
    delete from drift_finding where finding_no = any (array(
      select finding_no from drift_finding where store_id = ${storeId}::bigint limit ${limit}))
    returning finding_no`;
  return removed.length;
}

/** What is bounded by the number of integrations, systems and users. */
async function removeConnections(tx: Transaction, storeId: number): Promise<void> {
  await removeQueues(tx, storeId);
  await tx`delete from publication where store_id = ${storeId}::bigint`;
  const connections = await tx<{ integrationId: number }[]>`
    delete from store_integration where store_id = ${storeId}::bigint returning integration_id`;
  const keys = connections.flatMap(({ integrationId }) => keysOfStore(storeId, integrationId));
  await tx`delete from app_token where credential_key = any(${keys}::text[])`;
  await tx`delete from store_link where store_id = ${storeId}::bigint`;
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
      -- One that is just being registered again is not deleted any more.
      limit ${limit} for update of s skip locked)
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
