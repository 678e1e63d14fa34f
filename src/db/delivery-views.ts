import type { PendingQuery, Row } from 'postgres';
import type { DeliveryState } from '../domain/delivery';
import type { WebhookType } from '../domain/webhook-body';
import type { DeliveryId, SubscriptionId } from '../ids';
import type { Sql } from './client';
import type { Viewer } from './viewer';

export interface DeliveryView {
  readonly deliveryId: DeliveryId;
  readonly subscriptionId: SubscriptionId;
  readonly inventorySystemId: string;
  readonly type: WebhookType;
  readonly storeId: number | null;
  readonly state: DeliveryState;
  readonly attemptsMade: number;
  readonly dueAt: Date;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
  readonly receiverStatus: number | null;
  readonly message: string | null;
}

export interface AttemptView {
  readonly number: number;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly response: string | null;
}

export interface DeliveryFilter {
  /** A UUID. */
  readonly inventorySystemId?: string;
  readonly type?: WebhookType;
  readonly state?: DeliveryState;
}

function viewColumns(sql: Sql): PendingQuery<Row[]> {
  return sql`d.delivery_id, d.subscription_id, d.inventory_system_id, d.type, d.store_id, d.state, d.attempts_made, d.due_at,
    d.created_at, d.finished_at, d.receiver_status, d.message`;
}

/** A delivery that the viewer may see: one to a system of theirs, or about a store that they have. */
export async function findDelivery(
  sql: Sql,
  viewer: Viewer,
  deliveryId: string,
): Promise<DeliveryView | undefined> {
  const [row] = await sql<DeliveryView[]>`
    select ${viewColumns(sql)} from delivery d
    where d.delivery_id = ${deliveryId}
      and (${viewer.seesAll}::boolean
        or exists (select from inventory_system i
          where i.inventory_system_id = d.inventory_system_id and i.created_by = ${viewer.userId})
        or exists (select from user_store us
          where us.store_id = d.store_id and us.user_id = ${viewer.userId}))`;
  return row;
}

export async function listAttempts(sql: Sql, deliveryId: DeliveryId): Promise<AttemptView[]> {
  return sql<AttemptView[]>`
    select number, started_at, duration_ms, status, error, response from attempt
    where delivery_id = ${deliveryId} order by number`;
}

/** `filter` as conditions on delivery `d`. */
function matches(
  sql: Sql,
  { inventorySystemId, type, state }: DeliveryFilter,
): PendingQuery<Row[]> {
  return sql`true
    ${inventorySystemId === undefined ? sql`` : sql`and d.inventory_system_id = ${inventorySystemId}::uuid`}
    ${type === undefined ? sql`` : sql`and d.type = ${type}::smallint`}
    ${state === undefined ? sql`` : sql`and d.state = ${state}`}`;
}

/**
 * Deliveries that the viewer may see, newest first. A page is taken from each subscription and each store of theirs,
 * by its own index, and put together: one condition over both would walk everybody's deliveries to find a few.
 */
export async function listDeliveries(
  sql: Sql,
  viewer: Viewer,
  filter: DeliveryFilter & { readonly before?: string; readonly limit: number },
): Promise<DeliveryView[]> {
  const { before, limit } = filter;
  const matching = sql`${matches(sql, filter)}
    ${before === undefined ? sql`` : sql`and d.delivery_id < ${before}`}`;
  if (viewer.seesAll) {
    return sql<DeliveryView[]>`
      select ${viewColumns(sql)} from delivery d where ${matching}
      order by d.delivery_id desc limit ${limit}`;
  }
  return sql<DeliveryView[]>`
    with mine as (
      (select d.delivery_id from inventory_system i join subscription s using (inventory_system_id)
        cross join lateral (
          select d.delivery_id from delivery d
          where d.subscription_id = s.subscription_id and ${matching}
          order by d.delivery_id desc limit ${limit}) as d
        where i.created_by = ${viewer.userId})
      union
      (select d.delivery_id from user_store us
        cross join lateral (
          select d.delivery_id from delivery d
          where d.store_id = us.store_id and ${matching}
          order by d.delivery_id desc limit ${limit}) as d
        where us.user_id = ${viewer.userId})
      order by delivery_id desc limit ${limit}
    )
    select ${viewColumns(sql)} from mine join delivery d using (delivery_id)
    order by d.delivery_id desc`;
}
