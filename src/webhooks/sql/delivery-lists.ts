import { firstId } from '../../platform/ids';
import type { Sql } from '../../platform/db/client';
import { onlyRow } from '../../platform/db/only-row';
import { seesFewStores } from '../../users/sql/store-access';
import type { Viewer } from '../../users/sql/users';
import { asciiLower } from '../../platform/text/ascii-case';
import { AFTER_ALL_DELIVERIES, BEFORE_ALL_DELIVERIES, timeOfDelivery } from '../delivery-ids';
import { EVENTS } from '../platform-events';
import {
  type DeliveryFilter,
  type DeliveryView,
  isMessageSeenBy,
  matches,
  viewColumns,
} from './delivery-views';
import {
  type DeliveryPage,
  type Glance,
  type ListedDeliveries,
  walkDeliveries,
} from './delivery-walk';
import { newestFirst, newestOfAll, newestOfUser, type Part, rareState } from './newest-deliveries';

const DAY_MS = 86_400_000;
/** Most of everybody's newest deliveries that are looked at for a user of many stores. */
export const LOOKED_AT_BY_USER = 5_000;
/** Most of them that are looked at for an operator, before the walk. */
const LOOKED_AT_BY_OPERATOR = 500;

/**
 * Deliveries that the viewer may see, newest first. Where many match, the newest deliveries fill the page. Where few
 * do, they tell `walkDeliveries` how wide its first part should be.
 */
export async function listDeliveries(
  sql: Sql,
  viewer: Viewer,
  page: DeliveryPage,
): Promise<ListedDeliveries> {
  const isAmongAll = viewer.seesAll || (!page.events && !(await seesFewStores(sql, viewer)));
  const glance = await lookAtNewest(sql, viewer, page, isAmongAll ? lookAmongAll : lookAtOwn);
  if (glance.found.length === page.limit || glance.isAll) {
    return { rows: glance.found, continuesBehind: null };
  }
  return walkDeliveries(sql, viewer, page, { glance, isAmongAll });
}

/** `isAll`: there is no more in the part of time that was looked at. */
type Looked = Glance & { readonly isAll: boolean };

/** It first tries those of the last day: if they suffice, the older partitions are not read. */
async function lookAtNewest(
  sql: Sql,
  viewer: Viewer,
  page: DeliveryPage,
  look: typeof lookAmongAll,
): Promise<Looked> {
  const end = page.before === undefined ? Date.now() : timeOfDelivery(page.before);
  const past = page.before ?? AFTER_ALL_DELIVERIES;
  const dayAgo = firstId('dlv', end - DAY_MS);
  const ofTheDay = await look(sql, viewer, page, { first: dayAgo, past });
  const suffices = ofTheDay.found.length === page.limit || !ofTheDay.isAll;
  return suffices ? ofTheDay : look(sql, viewer, page, { first: BEFORE_ALL_DELIVERIES, past });
}

/**
 * Takes a page from each subscription and each store of the viewer, by its own index, and merges them: one condition
 * over both would scan all users' deliveries to find a few.
 */
async function lookAtOwn(
  sql: Sql,
  viewer: Viewer,
  page: DeliveryPage,
  part: Part,
): Promise<Looked> {
  const { events, limit } = page;
  const { ofWebhooks, ofStores } = newestOfUser(sql, viewer, page, { ...part, limit });
  const seen = await sql<DeliveryView[]>`
    (${ofWebhooks}) ${events ? sql`` : sql`union (${ofStores})`}
    order by delivery_id desc limit ${limit}`;
  return {
    seen: seen.length,
    middle: seen.at(seen.length / 2)?.deliveryId,
    last: seen.at(-1)?.deliveryId,
    found: seen.filter((row) => isMatch(row, page)),
    isAll: seen.length < limit,
  };
}

function isMatch(
  row: DeliveryView,
  { events, state, type, inventorySystemId }: DeliveryFilter,
): boolean {
  return (
    events === (row.type === EVENTS) &&
    (state === undefined || row.state === state) &&
    (type === undefined || row.type === type || row.eventType === type) &&
    (inventorySystemId === undefined || row.inventorySystemId === asciiLower(inventorySystemId))
  );
}

/**
 * Looks among the newest deliveries of all users, or the newest in a state with an index. A user of thousands of stores
 * would wait seconds for a page from each.
 */
async function lookAmongAll(
  sql: Sql,
  viewer: Viewer,
  page: DeliveryPage,
  part: Part,
): Promise<Looked> {
  const { seesAll } = viewer;
  const { state, limit } = page;
  const { state: _state, ...others } = page;
  const bound = Math.max(limit, seesAll ? LOOKED_AT_BY_OPERATOR : LOOKED_AT_BY_USER);
  const newest = newestOfAll(sql, state, { ...part, limit: bound });
  // In this order, reading ends with the page.
  const found = await sql<DeliveryView[]>`
    select ${viewColumns(sql)} from (${newest}) as d
    where ${matches(sql, rareState(state) === undefined ? page : others)}
      ${seesAll ? sql`` : sql`and ${isMessageSeenBy(sql, viewer)}`}
    order by ${newestFirst(sql, state)} limit ${limit}`;
  if (found.length === limit) {
    return { seen: limit, middle: undefined, last: undefined, found, isAll: false };
  }
  const { seen, middle, last } = onlyRow(
    await sql<{ seen: number; middle: string | null; last: string | null }[]>`
      select count(*)::int as seen, percentile_disc(0.5) within group (order by delivery_id) as middle,
        min(delivery_id) as last
      from (${newest}) as d`,
  );
  return {
    seen,
    middle: middle ?? undefined,
    last: last ?? undefined,
    // What has come since has moved the oldest; what is behind it is found again.
    found: last === null ? found : found.filter((row) => row.deliveryId >= last),
    isAll: seen < bound,
  };
}
