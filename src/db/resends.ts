import type { PendingQuery, Row } from 'postgres';
import type { DeliveryId, SubscriptionId } from '../ids';
import type { Sql } from './client';
import type { DeliveryFilter } from './delivery-views';
import { type IdempotencyMark, isMarkHeld } from './idempotency';
import type { Viewer } from './viewer';

/** What makes a delivery go out again: same id, same message, a new retry table; numbers of attempts run on. */
function renewed(sql: Sql): PendingQuery<Row[]> {
  return sql`state = 'pending', due_at = now(), finished_at = null,
    attempts_before_resend = d.attempts_made,
    lease_epoch = case when d.state = 'pending' then d.lease_epoch end,
    lease_until = case when d.state = 'pending' then d.lease_until end`;
}

/**
 * Sends one delivery again; a pending one is tried now. An attempt under way keeps its lease and is not doubled.
 * False when the idempotency mark was lost; then nothing has changed.
 */
export async function resendDelivery(
  sql: Sql,
  deliveryId: DeliveryId,
  mark: IdempotencyMark | null,
): Promise<boolean> {
  const rows = await sql`
    with mark as (${isMarkHeld(sql, mark, deliveryId)})
    update delivery d set ${renewed(sql)} from mark where d.delivery_id = ${deliveryId}
    returning d.delivery_id`;
  return rows.length > 0;
}

/** What a delivery was about that has been deleted since: its webhook, or else its store; null when both are there. */
export async function findDeletedEnd(
  sql: Sql,
  deliveryId: DeliveryId,
): Promise<'webhook' | 'store' | null> {
  const [row] = await sql<{ webhook: boolean; store: boolean }[]>`
    select
      not exists (select from subscription s
        where s.subscription_id = d.subscription_id and s.deleted_at is null) as webhook,
      d.store_id is not null and not exists (select from store t
        where t.store_id = d.store_id and t.deleted_at is null) as store
    from delivery d where d.delivery_id = ${deliveryId}`;
  if (row?.webhook) return 'webhook';
  return row?.store ? 'store' : null;
}

/** A resend by filter: the ended deliveries of the viewer's own systems that match, as of one moment. */
export interface ResendScope {
  readonly viewer: Viewer;
  readonly filter: DeliveryFilter;
  /** Ms since the epoch. What ended later may have been sent by this very resend, and is left alone. */
  readonly endedBefore: number;
}

function inScope(sql: Sql, { viewer, filter, endedBefore }: ResendScope): PendingQuery<Row[]> {
  const { inventorySystemId, type, state } = filter;
  return sql`d.state <> 'pending'
    and d.finished_at <= to_timestamp(${endedBefore}::float8 / 1000)
    and not exists (select from store t where t.store_id = d.store_id and t.deleted_at is not null)
    and d.subscription_id in (
      select s.subscription_id from subscription s join inventory_system i using (inventory_system_id)
      where (${viewer.seesAll}::boolean or i.created_by = ${viewer.userId})
        and s.deleted_at is null
        ${inventorySystemId === undefined ? sql`` : sql`and s.inventory_system_id = ${inventorySystemId}::uuid`}
        ${type === undefined ? sql`` : sql`and s.type = ${type}::smallint`})
    ${state === undefined ? sql`` : sql`and d.state = ${state}`}`;
}

export async function countResendable(sql: Sql, scope: ResendScope): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*) as count from delivery d where ${inScope(sql, scope)}`;
  return row?.count ?? 0;
}

export interface ResentBatch {
  readonly deliveryId: DeliveryId;
  readonly subscriptionId: SubscriptionId;
}

/** Sends up to `limit` deliveries behind `after` again, in order of their ids. */
export async function resendBatch(
  sql: Sql,
  scope: ResendScope,
  after: string,
  limit: number,
): Promise<ResentBatch[]> {
  return sql<ResentBatch[]>`
    with chosen as (
      select d.delivery_id from delivery d
      where ${inScope(sql, scope)} and d.delivery_id > ${after}
      order by d.delivery_id limit ${limit} for update skip locked
    ), resent as (
      update delivery d set ${renewed(sql)} from chosen c where d.delivery_id = c.delivery_id
      returning d.delivery_id, d.subscription_id
    )
    select delivery_id, subscription_id from resent order by delivery_id`;
}

/** Binds `boundId` to the mark before the first batch. False when the mark was lost. */
export async function bindResend(
  sql: Sql,
  mark: IdempotencyMark | null,
  boundId: string,
): Promise<boolean> {
  const rows = await isMarkHeld(sql, mark, boundId);
  return rows.length > 0;
}

/** The database's clock, ms since the epoch: the one that `finished_at` was written by. */
export async function databaseNow(sql: Sql): Promise<number> {
  const [row] = await sql<{ now: number }[]>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`;
  if (!row) throw new Error('the database did not say what time it is');
  return row.now;
}
