import type { PendingQuery, Row } from 'postgres';
import type { Sql } from '../../platform/db/client';
import { keyIs } from '../../platform/db/key-is';
import type { Viewer } from '../../users/sql/users';
import type { DeliveryState } from '../delivery';
import {
  type DeliveryFilter,
  isInIndexedState,
  isListed,
  isOfWebhook,
  listColumns,
} from './delivery-views';
import { endedSince } from './ended-deliveries';

/*
 * The queries of lists: the newest deliveries, each by the one index that has their order. Of a request, a store and a
 * state with an index, only what is in it is read; all else of a filter is looked for in what was read.
 */

export interface Part {
  /** The ids from `first` up to, not including, `past`. */
  readonly first: string;
  readonly past: string;
}

/** Up to `limit` of a part. */
export type NewestPart = Part & { readonly limit: number };

/** Everybody's newest, in the order of `newestFirst`: of a request or a store, if the filter names one. */
export function newestOfAll(
  sql: Sql,
  filter: DeliveryFilter,
  part: NewestPart,
): PendingQuery<Row[]> {
  const { state, ...others } = filter;
  const { requestId, storeId } = filter;
  const { first, past, limit } = part;
  if (requestId !== undefined) {
    // The index has no states: of a request there are few deliveries.
    return newestOf(sql, ofRequest(sql, requestId), others, part);
  }
  if (storeId !== undefined) {
    return newestOf(sql, ofStore(sql, sql`${storeId}::bigint`), filter, part);
  }
  const ended = rareState(state);
  const isInIts =
    ended === undefined
      ? isInIndexedState(sql, state)
      : sql`and ${keyIs(sql, sql`d.state`, sql`${ended}`)} and d.state <> 'acknowledged'`;
  return sql`
    select ${listColumns(sql, filter)} from ${sourceOf(sql, state)} d
    where d.delivery_id >= ${first} and d.delivery_id < ${past} ${isInIts} and ${endedSince(sql, [first])}
    order by ${newestFirst(sql, filter)} limit ${limit}`;
}

/** The order that only the index has by which `newestOfAll` reads (`keyIs`). */
export function newestFirst(
  sql: Sql,
  { requestId, storeId, state }: DeliveryFilter,
): PendingQuery<Row[]> {
  if (requestId !== undefined) return sql`d.request_id desc, d.delivery_id desc`;
  if (storeId !== undefined) return sql`d.store_id desc, d.delivery_id desc`;
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
  const ofWebhook = {
    column: sql`d.subscription_id`,
    isOf: isOfWebhook(sql, sql`w.subscription_id`),
  };
  return {
    ofWebhooks: sql`
      select d.* from (${ownWebhooks(sql, viewer, filter)}) as w
      cross join lateral (${newestOf(sql, ofWebhook, filter, part)}) as d`,
    ofStores: sql`
      select d.* from user_store us
      cross join lateral (${newestOf(sql, ofStore(sql, sql`us.store_id`), filter, part)}) as d
      where us.user_id = ${viewer.userId}`,
  };
}

/** A webhook, a store or a request: the column of deliveries that names it, and the condition for one of its deliveries. */
interface Owner {
  readonly column: PendingQuery<Row[]>;
  readonly isOf: PendingQuery<Row[]>;
}

function ofStore(sql: Sql, storeId: PendingQuery<Row[]>): Owner {
  return { column: sql`d.store_id`, isOf: keyIs(sql, sql`d.store_id`, storeId) };
}

function ofRequest(sql: Sql, requestId: string): Owner {
  const isOf = sql`${keyIs(sql, sql`d.request_id`, sql`${requestId}`)} and ${isListed(sql)}`;
  return { column: sql`d.request_id`, isOf };
}

function newestOf(
  sql: Sql,
  { column, isOf }: Owner,
  filter: DeliveryFilter,
  { first, past, limit }: NewestPart,
): PendingQuery<Row[]> {
  const { state } = filter;
  // As a row: a plan made without parameters expects so few ids between two bounds that it would sort everybody's. The
  // row begins with the id, because a scan ends only where the first column of a row is past its bound. All types are
  // above 0.
  return sql`
    select ${listColumns(sql, filter)} from ${sourceOf(sql, state)} d
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

/** Whether `newestOfAll` reads by the state alone, so that what it reads is in the state. */
export function isReadByState({ requestId, storeId, state }: DeliveryFilter): boolean {
  return requestId === undefined && storeId === undefined && rareState(state) !== undefined;
}

/** The state, if it is one of those that have indexes among ended deliveries. */
function rareState(
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
