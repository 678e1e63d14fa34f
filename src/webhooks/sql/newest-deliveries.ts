import type { PendingQuery, Row } from 'postgres';
import type { Sql } from '../../platform/db/client';
import { keyIs } from '../../platform/db/key-is';
import type { Viewer } from '../../users/sql/users';
import type { DeliveryState } from '../delivery';
import { type DeliveryFilter, isInIndexedState, isOfWebhook, viewColumns } from './delivery-views';
import { endedSince } from './ended-deliveries';

/*
 * The queries of lists: the newest deliveries, each by the one index that has their order. Of a state with an index,
 * only what is in it is read; all else of a filter is looked for in what was read.
 */

export interface Part {
  /** The ids from `first` up to, not including, `past`. */
  readonly first: string;
  readonly past: string;
}

/** Up to `limit` of a part. */
export type NewestPart = Part & { readonly limit: number };

/** Everybody's newest, in the order of `newestFirst`. */
export function newestOfAll(
  sql: Sql,
  state: DeliveryState | undefined,
  { first, past, limit }: NewestPart,
): PendingQuery<Row[]> {
  const ended = rareState(state);
  const isInIts =
    ended === undefined
      ? isInIndexedState(sql, state)
      : sql`and ${keyIs(sql, sql`d.state`, sql`${ended}`)} and d.state <> 'acknowledged'`;
  return sql`
    select ${viewColumns(sql)} from ${sourceOf(sql, state)} d
    where d.delivery_id >= ${first} and d.delivery_id < ${past} ${isInIts} and ${endedSince(sql, [first])}
    order by ${newestFirst(sql, state)} limit ${limit}`;
}

/** The order that only the index on the state has, where there is one (`keyIs`). */
export function newestFirst(sql: Sql, state: DeliveryState | undefined): PendingQuery<Row[]> {
  return rareState(state) === undefined
    ? sql`d.delivery_id desc`
    : sql`d.state desc, d.delivery_id desc`;
}

/**
 * The newest of each webhook of the user of which some delivery may match, and of each store of the user, events to
 * anybody among them.
 */
export function newestOfUser(
  sql: Sql,
  viewer: Viewer,
  filter: DeliveryFilter,
  part: NewestPart,
): { readonly ofWebhooks: PendingQuery<Row[]>; readonly ofStores: PendingQuery<Row[]> } {
  const [webhook, store] = [sql`w.subscription_id`, sql`us.store_id`];
  const [webhookOf, storeOf] = [sql`d.subscription_id`, sql`d.store_id`];
  const ofWebhook = { column: webhookOf, isOf: isOfWebhook(sql, webhook) };
  const ofStore = { column: storeOf, isOf: keyIs(sql, storeOf, store) };
  return {
    ofWebhooks: sql`
      select d.* from (${ownWebhooks(sql, viewer, filter)}) as w
      cross join lateral (${newestOf(sql, ofWebhook, filter.state, part)}) as d`,
    ofStores: sql`
      select d.* from user_store us
      cross join lateral (${newestOf(sql, ofStore, filter.state, part)}) as d
      where us.user_id = ${viewer.userId}`,
  };
}

/** A webhook or a store: the column of deliveries that names it, and the condition for one of its deliveries. */
interface Owner {
  readonly column: PendingQuery<Row[]>;
  readonly isOf: PendingQuery<Row[]>;
}

function newestOf(
  sql: Sql,
  { column, isOf }: Owner,
  state: DeliveryState | undefined,
  { first, past, limit }: NewestPart,
): PendingQuery<Row[]> {
  // As a row: a plan made without parameters expects so few ids between two bounds that it would sort everybody's. The
  // row begins with the id, because a scan ends only where the first column of a row is past its bound. All types are
  // above 0.
  return sql`
    select ${viewColumns(sql)} from ${sourceOf(sql, state)} d
    where ${isOf} and (d.delivery_id, d.type) >= (${first}, 0::smallint) and d.delivery_id < ${past}
      ${isInIndexedState(sql, state)} and ${endedSince(sql, [first])}
    order by ${column} desc, d.delivery_id desc limit ${limit}`;
}

/** Rows of `delivery` are pending, and the order of an index on the state is not theirs: reading them would need a sort. */
function sourceOf(sql: Sql, state: DeliveryState | undefined): PendingQuery<Row[]> {
  return rareState(state) === undefined
    ? sql`any_delivery`
    : sql`(select *, finished_at as due_at from ended_delivery)`;
}

/** The state, if it is one of those that have indexes among ended deliveries. */
export function rareState(
  state: DeliveryState | undefined,
): Exclude<DeliveryState, 'acknowledged' | 'pending'> | undefined {
  return state === 'acknowledged' || state === 'pending' ? undefined : state;
}

/** The user's own, of which some delivery may match. */
function ownWebhooks(
  sql: Sql,
  { userId }: Viewer,
  { events, inventorySystemId, type }: DeliveryFilter,
): PendingQuery<Row[]> {
  if (events) return sql`select s.subscription_id from subscription s where s.user_id = ${userId}`;
  return sql`
    select s.subscription_id from inventory_system i join subscription s using (inventory_system_id)
    where i.created_by = ${userId}
      ${inventorySystemId === undefined ? sql`` : sql`and i.inventory_system_id = ${inventorySystemId}::uuid`}
      ${typeof type === 'number' ? sql`and s.type = ${type}::smallint` : sql``}`;
}
