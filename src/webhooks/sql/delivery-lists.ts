import { firstId } from '../../platform/ids';
import type { Sql } from '../../platform/db/client';
import { seesFewStores } from '../../users/sql/store-access';
import type { Viewer } from '../../users/sql/users';
import { asciiLower } from '../../platform/text/ascii-case';
import { timeOfDelivery } from '../delivery-ids';
import {
  type DeliveryFilter,
  type DeliveryView,
  matches,
  newestOf,
  viewColumns,
} from './delivery-views';
import { type DeliveryPage, type ListedDeliveries, walkDeliveries } from './delivery-walk';
import { endedSince } from './ended-deliveries';

const DAY_MS = 86_400_000;
/** Most of everybody's newest deliveries that are looked at for a user of many stores. */
export const LOOKED_AT = 5_000;

/** Deliveries that the viewer may see, newest first. */
export async function listDeliveries(
  sql: Sql,
  viewer: Viewer,
  page: DeliveryPage,
): Promise<ListedDeliveries> {
  if (!mayMatchFew(viewer, page)) {
    return { rows: await listMatches(sql, viewer, page), walkedTo: null };
  }
  if (viewer.seesAll) return walkDeliveries(sql, viewer, page, { found: [], seen: [] });
  // Where many match, they are among the newest; where few do, these say how far a step back is to go.
  const { events, before, limit } = page;
  const newest = { events, limit, ...(before === undefined ? {} : { before }) };
  const seen = await listMatches(sql, viewer, newest);
  const found = seen.filter((row) => isMatch(row, page));
  if (found.length === limit || seen.length < limit) return { rows: found, walkedTo: null };
  return walkDeliveries(sql, viewer, page, { found, seen });
}

function isMatch(row: DeliveryView, { state, type, inventorySystemId }: DeliveryFilter): boolean {
  return (
    (state === undefined || row.state === state) &&
    (type === undefined || row.type === type || row.eventType === type) &&
    (inventorySystemId === undefined || row.inventorySystemId === asciiLower(inventorySystemId))
  );
}

/** It first tries those of the last day: if they fill the page, the older partitions are not read. */
async function listMatches(sql: Sql, viewer: Viewer, page: DeliveryPage): Promise<DeliveryView[]> {
  const end = page.before === undefined ? Date.now() : timeOfDelivery(page.before);
  const ofTheDay = await listSince(sql, viewer, page, firstId('dlv', end - DAY_MS));
  return ofTheDay.length < page.limit ? listSince(sql, viewer, page, null) : ofTheDay;
}

/**
 * Whether no index has what is asked for: it may be few among all that a webhook or a store has. The states that are
 * rare have indexes of their own.
 */
function mayMatchFew(
  { seesAll }: Viewer,
  { events, state, type, inventorySystemId }: DeliveryFilter,
): boolean {
  if (state === 'acknowledged') return true;
  return (
    state === undefined &&
    (type !== undefined || inventorySystemId !== undefined || (events && seesAll))
  );
}

/**
 * Takes a page from each subscription and each store of the viewer, by its own index, and merges them: one condition
 * over both would scan all users' deliveries to find a few.
 */
async function listSince(
  sql: Sql,
  viewer: Viewer,
  filter: DeliveryPage,
  since: string | null,
): Promise<DeliveryView[]> {
  const { before, limit } = filter;
  const matching = (each: DeliveryFilter) => sql`${matches(sql, each)}
    ${since === null ? sql`` : sql`and ${endedSince(sql, [since])}`}`;
  if (viewer.seesAll) {
    return sql<DeliveryView[]>`
      select ${viewColumns(sql)} from any_delivery d where ${matching(filter)}
        ${before === undefined ? sql`` : sql`and d.delivery_id < ${before}`}
        ${since === null ? sql`` : sql`and d.delivery_id >= ${since}`}
      order by d.delivery_id desc limit ${limit}`;
  }
  const { state, ...others } = filter;
  const isStateIndexed = state !== undefined && state !== 'pending' && state !== 'acknowledged';
  const newest = {
    conditions: matching(isStateIndexed ? others : filter),
    first: since ?? BEFORE_ALL,
    past: before ?? AFTER_ALL,
    ...(isStateIndexed ? { state } : {}),
    limit,
  };
  const ofWebhook = newestOf(sql, { subscriptionId: sql`s.subscription_id` }, newest);
  if (filter.events) {
    return sql<DeliveryView[]>`
      select d.* from subscription s cross join lateral (${ofWebhook}) as d
      where s.user_id = ${viewer.userId}
      order by d.delivery_id desc limit ${limit}`;
  }
  if (!(await seesFewStores(sql, viewer))) {
    const found = await listAmongNewest(sql, viewer, filter, since);
    if (found) return found;
  }
  return sql<DeliveryView[]>`
    (select d.* from inventory_system i join subscription s using (inventory_system_id)
      cross join lateral (${ofWebhook}) as d
      where i.created_by = ${viewer.userId})
    union
    (select d.* from user_store us
      cross join lateral (${newestOf(sql, { storeId: sql`us.store_id` }, newest)}) as d
      where us.user_id = ${viewer.userId})
    order by delivery_id desc limit ${limit}`;
}

/**
 * The page, if the newest deliveries of all users, or the newest in a state with an index, suffice for it; undefined if
 * older ones may belong to it. A user of thousands of stores would wait seconds for a page from each.
 */
async function listAmongNewest(
  sql: Sql,
  { userId }: Viewer,
  filter: DeliveryPage,
  since: string | null,
): Promise<DeliveryView[] | undefined> {
  const { events, state, before = AFTER_ALL, limit } = filter;
  const newest = sql`
    select * from any_delivery d
    where d.delivery_id < ${before}
      ${state === undefined ? sql`` : sql`and ${matches(sql, { events, state })}`}
      ${since === null ? sql`` : sql`and d.delivery_id >= ${since} and ${endedSince(sql, [since])}`}
    order by d.delivery_id desc limit ${LOOKED_AT}`;
  const found = await sql<DeliveryView[]>`
    select ${viewColumns(sql)} from (${newest}) as d
    where ${matches(sql, filter)}
      and (exists (select from user_store us where us.store_id = d.store_id and us.user_id = ${userId})
        or exists (select from inventory_system i
          where i.inventory_system_id = d.inventory_system_id and i.created_by = ${userId}))
    order by d.delivery_id desc limit ${limit}`;
  if (found.length === limit) return found;
  const [looked] = await sql<{ count: number }[]>`
    select count(*)::int as count from (${newest}) as d`;
  return looked && looked.count < LOOKED_AT ? found : undefined;
}

/** Before and after all ids. */
const BEFORE_ALL = 'dlv';
const AFTER_ALL = 'dlw';
