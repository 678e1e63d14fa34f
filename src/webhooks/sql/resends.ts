import type { PendingQuery, Row } from 'postgres';
import type { Viewer } from '../../users/sql/users';
import { type DeliveryId, idsOfTime, type SubscriptionId } from '../../platform/ids';
import { EVENTS } from '../platform-events';
import type { Sql } from '../../platform/db/client';
import { keyIs } from '../../platform/db/key-is';
import { onlyRow } from '../../platform/db/only-row';
import {
  type DeliveryFilter,
  isInIndexedState,
  isInState,
  itemOf,
  matchesRest,
} from './delivery-views';
import { bringBack, endedSince } from './ended-deliveries';
import { type HeldKey, bindHeldKey } from '../../http/sql/idempotency';

/** Tries of one resend: another one is needed only if the delivery ended at that very moment. */
const TRIES = 5;

/**
 * Sends one delivery again; a pending one is tried now. An attempt in progress keeps its lease and is not duplicated.
 * False if the idempotency key was lost; then nothing has changed.
 */
export async function resendDelivery(
  sql: Sql,
  deliveryId: DeliveryId,
  heldKey: HeldKey | null,
): Promise<boolean> {
  let left = heldKey;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const { isHeld, sent } = await tryResend(sql, deliveryId, left);
    if (!isHeld) return false;
    if (sent > 0) break;
    left = null; // bound by now
  }
  return true;
}

async function tryResend(sql: Sql, deliveryId: DeliveryId, heldKey: HeldKey | null) {
  const rows = await sql<{ isHeld: boolean; sent: number }[]>`
    with held_key as (${bindHeldKey(sql, heldKey, deliveryId)}),
    hurried as (
      update delivery d set due_at = now(), resent_at = now(), attempts_before_resend = d.attempts_made
      from held_key where d.delivery_id = ${deliveryId} and ${hasWebhookAndStore(sql)}
      returning d.delivery_id
    ), back as (
      delete from ended_delivery d using held_key
      where d.delivery_id = ${deliveryId} and ${endedSince(sql, [deliveryId])} and ${hasWebhookAndStore(sql)}
      returning d.*
    ), ${bringBack(sql)}
    select exists (select from held_key) as is_held,
      ((select count(*) from hurried) + (select count(*) from resent))::int as sent`;
  return onlyRow(rows);
}

/**
 * Whether the webhook of delivery `d`, its user's account and its store are there. Asked by the statement that resends:
 * the order of a deletion before it is not about what is wanted now. One of a deletion that it does not see yet is
 * settled later (see `discards.ts`), and is.
 */
function hasWebhookAndStore(sql: Sql): PendingQuery<Row[]> {
  return sql`${hasReceiver(sql, sql`d.subscription_id`)} and ${hasStore(sql)}`;
}

function hasReceiver(sql: Sql, subscriptionId: PendingQuery<Row[]>): PendingQuery<Row[]> {
  return sql`(select ${isThere(sql)} from subscription s where s.subscription_id = ${subscriptionId})`;
}

/** Whether webhook `s` is there: not deleted, and its user active if it is one for events. */
function isThere(sql: Sql): PendingQuery<Row[]> {
  return sql`(s.deleted_at is null and (s.user_id is null
    or (select u.state from app_user u where u.user_id = s.user_id) = 'active'))`;
}

/** Whether the store of delivery `d` is there, or not needed: an event about a deleted store is still sent. */
function hasStore(sql: Sql): PendingQuery<Row[]> {
  return sql`(d.type = ${EVENTS}::smallint
    or (select t.deleted_at from store t where t.store_id = d.store_id) is null)`;
}

/** What a delivery cannot be resent without: its webhook, or else its store; null when both are there. */
export async function findMissingWebhookOrStore(
  sql: Sql,
  deliveryId: DeliveryId,
): Promise<'webhook' | 'store' | null> {
  const [row] = await sql<{ webhook: boolean; store: boolean }[]>`
    select ${hasReceiver(sql, sql`d.subscription_id`)} as webhook, ${hasStore(sql)} as store
    from any_delivery d where d.delivery_id = ${deliveryId} and ${endedSince(sql, [deliveryId])}`;
  if (!row?.webhook) return 'webhook';
  return row.store ? null : 'store';
}

/** A resend by filter: the matching ended deliveries of the viewer's own systems, as of one moment. */
export interface ResendScope {
  readonly viewer: Viewer;
  readonly filter: DeliveryFilter;
  /** Ms since the epoch. Deliveries that ended later may have been sent by this very resend, and are skipped. */
  readonly endedBefore: number;
}

/** The webhooks of a resend: each is read by its own index. */
export async function listResendTargets(
  sql: Sql,
  { viewer, filter: { events, inventorySystemId, type } }: Pick<ResendScope, 'viewer' | 'filter'>,
): Promise<SubscriptionId[]> {
  if (events && inventorySystemId !== undefined) return [];
  const own = events
    ? sql`s.type = ${EVENTS}::smallint and (${viewer.seesAll}::boolean or s.user_id = ${viewer.userId})`
    : sql`(${viewer.seesAll}::boolean or i.created_by = ${viewer.userId})
        and i.inventory_system_id is not null
        ${inventorySystemId === undefined ? sql`` : sql`and s.inventory_system_id = ${inventorySystemId}::uuid`}
        ${typeof type === 'number' ? sql`and s.type = ${type}::smallint` : sql``}`;
  const rows = await sql<{ subscriptionId: SubscriptionId }[]>`
    select s.subscription_id from subscription s left join inventory_system i using (inventory_system_id)
    where ${own} and ${isThere(sql)}`;
  return rows.map((row) => row.subscriptionId);
}

function inScope(
  sql: Sql,
  { filter, endedBefore }: ResendScope,
  subscriptionId: SubscriptionId,
): PendingQuery<Row[]> {
  const { events, type, state, externalId } = filter;
  return sql`${keyIs(sql, sql`d.subscription_id`, sql`${subscriptionId}`)}
    and d.finished_at <= to_timestamp(${endedBefore}::float8 / 1000)
    ${state === undefined ? sql`` : isInState(sql, state)}
    ${typeof type === 'string' ? sql`and d.event_type = ${type}` : sql``}
    ${matchesRest(sql, filter, itemOf(sql, externalId !== undefined))}
    ${
      events
        ? sql``
        : sql`and not exists (
            select from store t where t.store_id = d.store_id and t.deleted_at is not null)`
    }`;
}

/** What the ids of deliveries of that time are, so that no others are read. */
function isOfTime(sql: Sql, filter: DeliveryFilter): PendingQuery<Row[]> {
  const { first, past } = idsOfTime('dlv', filter);
  return sql`${first === null ? sql`` : sql`and d.delivery_id >= ${first}`}
    ${past === null ? sql`` : sql`and d.delivery_id < ${past}`}`;
}

/**
 * How many of the `limit` ended deliveries of a webhook after `after` match, of those in the wanted state if it has an
 * index; `last`: where the next ones begin.
 */
export async function countResendable(
  sql: Sql,
  scope: ResendScope,
  subscriptionId: SubscriptionId,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<{ readonly count: number; readonly last: string | null }> {
  const { state } = scope.filter;
  const rows = await sql<{ count: number; last: string | null }[]>`
    with read as (
      select d.delivery_id, ${inScope(sql, scope, subscriptionId)} as matches from ended_delivery d
      where ${keyIs(sql, sql`d.subscription_id`, sql`${subscriptionId}`)} and d.delivery_id > ${after}
        ${isInIndexedState(sql, state)} ${isOfTime(sql, scope.filter)}
      order by d.subscription_id, d.delivery_id limit ${limit}
    )
    select count(*) filter (where matches)::int as count,
      case when count(*) = ${limit}::int then max(delivery_id) end as last
    from read`;
  return onlyRow(rows);
}

/**
 * Resends up to `limit` deliveries of a webhook after `after`, in order of their ids. It reads on to `upTo` (null: to the
 * end) until enough match.
 */
export async function resendBatch(
  sql: Sql,
  scope: ResendScope,
  subscriptionId: SubscriptionId,
  { after, upTo, limit }: { after: string; upTo: string | null; limit: number },
): Promise<DeliveryId[]> {
  const rows = await sql<{ deliveryId: DeliveryId }[]>`
    with chosen as (
      select d.delivery_id, d.finished_at from ended_delivery d
      where ${inScope(sql, scope, subscriptionId)} and d.delivery_id > ${after}
        and ${hasReceiver(sql, sql`${subscriptionId}`)}
        ${upTo === null ? sql`` : sql`and d.delivery_id <= ${upTo}`} ${isOfTime(sql, scope.filter)}
      order by d.subscription_id, d.delivery_id limit ${limit} for update skip locked
    ), back as (
      delete from ended_delivery d using chosen c
      where d.delivery_id = c.delivery_id and d.finished_at = c.finished_at
      returning d.*
    ), ${bringBack(sql)}
    select delivery_id from resent order by delivery_id`;
  return rows.map((row) => row.deliveryId);
}

/** The database's clock, ms since the epoch, which also writes `finished_at`. */
export async function databaseNow(sql: Sql): Promise<number> {
  const rows = await sql<{ now: number }[]>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`;
  return onlyRow(rows).now;
}
