import type { PendingQuery, Row } from 'postgres';
import { CANCELED_MESSAGE } from '../domain/upload-verdict';
import type { Sql, Transaction } from './client';
import { orderDiscards } from './discards';
import { notifyRowsDone } from './row-done';
import type { SubscriptionKey } from './subscriptions';

/*
 * Each of these ends something in one statement: from its commit on nothing more is accepted for it. What had been
 * accepted and waits is canceled with it (uploads) or ordered to be discarded (deliveries, see `discards.ts`).
 */

/**
 * Ends the uploads that wait, of the stores in `deleted` (a query with the column `store_id`). Those under way end as
 * they do: what an app was asked to do cannot be taken back, and a task of an app goes on.
 */
export function cancelWaiting(
  sql: Sql | Transaction,
  deleted: PendingQuery<Row[]>,
): PendingQuery<Row[]> {
  return sql`
    update menu_upload u set state = 'canceled', finished_at = now(), next_attempt_at = null,
      waits_for = null, messages = ${JSON.stringify([CANCELED_MESSAGE])}::text::json
    from (${deleted}) as deleted
    where u.store_id = deleted.store_id and u.task_id is null
      and (u.state = 'queued' or (u.state = 'running' and u.next_attempt_at is not null))
    returning u.upload_id, u.awaited_until`;
}

/** Deletes a store and its links. False = there is none, or no more. */
export async function deleteStore(sql: Sql, storeId: number): Promise<boolean> {
  const [row] = await sql<{ gone: number }[]>`
    with gone as (
      update store set deleted_at = now(), name_key = 'DELETED ' || store_id
      where store_id = ${storeId}::bigint and deleted_at is null
      returning store_id
    ), canceled as (
      ${cancelWaiting(sql, sql`select store_id from gone`)}
    ), unlinked as (
      delete from store_link l using gone g where l.store_id = g.store_id
      returning l.store_id, l.inventory_system_id
    ), ordered as (
      ${orderDiscards(
        sql,
        sql`select s.subscription_id, u.store_id from unlinked u join subscription s using (inventory_system_id)`,
      )}
    ), told as (
      ${notifyRowsDone(sql, sql`select upload_id as id from canceled where awaited_until > now()`)}
    )
    select count(*)::int as gone, (select count(*) from told) as told from gone`;
  return (row?.gone ?? 0) > 0;
}

/** Deletes an inventory system with its webhooks and links. False = there is none, or no more. */
export async function deleteInventorySystem(sql: Sql, inventorySystemId: string): Promise<boolean> {
  const [row] = await sql<{ gone: number }[]>`
    with gone as (
      update inventory_system set deleted_at = now(), name_key = 'DELETED ' || inventory_system_id
      where inventory_system_id = ${inventorySystemId}::uuid and deleted_at is null
      returning inventory_system_id
    ), ended as (
      ${endSubscriptions(sql, sql`s.inventory_system_id in (select inventory_system_id from gone)`)}
    ), unlinked as (
      delete from store_link l using gone g where l.inventory_system_id = g.inventory_system_id
    ), ordered as (
      ${orderDiscards(sql, sql`select subscription_id, null::bigint from ended`)}
    )
    select count(*)::int as gone from gone`;
  return (row?.gone ?? 0) > 0;
}

/** Deletes the webhook of a system for a type. False = there is none, or no more. */
export async function deleteSubscription(sql: Sql, key: SubscriptionKey): Promise<boolean> {
  const { inventorySystemId, type } = key;
  const [row] = await sql<{ gone: number }[]>`
    with ended as (
      ${endSubscriptions(
        sql,
        sql`s.inventory_system_id = ${inventorySystemId}::uuid and s.type = ${type}::smallint`,
      )}
    ), ordered as (
      ${orderDiscards(sql, sql`select subscription_id, null::bigint from ended`)}
    )
    select count(*)::int as gone from ended`;
  return (row?.gone ?? 0) > 0;
}

/** A deleted one is disabled, too: that is what keeps its deliveries from going out before they are discarded. */
function endSubscriptions(sql: Sql, which: PendingQuery<Row[]>): PendingQuery<Row[]> {
  return sql`
    update subscription s set deleted_at = now(), state = 'disabled',
      disabled_reason = coalesce(s.disabled_reason, 'manual'), health_version = s.health_version + 1
    where ${which} and s.deleted_at is null
    returning s.subscription_id`;
}
