import { firstId } from '../../platform/ids';
import type { Sql } from '../../platform/db/client';
import { onlyRow } from '../../platform/db/only-row';
import { countStores, FEW_STORES } from '../../users/sql/store-access';
import type { Viewer } from '../../users/sql/users';
import { type DeliveryView, isListedFor, matchesList, viewColumns } from './delivery-views';
import {
  type DeliveryPage,
  endOf,
  type Glance,
  type ListedDeliveries,
  partOf,
  walkDeliveries,
} from './delivery-walk';
import {
  isReadByState,
  newestFirst,
  newestOfAll,
  newestOfUser,
  type Part,
} from './newest-deliveries';

const DAY_MS = 86_400_000;
/** Most of everybody's newest deliveries that are looked at for a user of many stores. */
export const LOOKED_AT_BY_USER = 5_000;
/** Most of them that are looked at for others, before the walk. */
const LOOKED_AT_FIRST = 500;
/** A user with more stores may have most of what is newest of all: a page from each store takes ten times as long. */
const STORES_LOOKED_AT_FIRST = 20;

/**
 * Deliveries that the viewer may see, newest first. Where many match, the newest deliveries fill the page. Where few
 * do, they tell `walkDeliveries` how wide its first part should be.
 */
export async function listDeliveries(
  sql: Sql,
  viewer: Viewer,
  page: DeliveryPage,
): Promise<ListedDeliveries> {
  const isOfAll = viewer.seesAll || page.requestId !== undefined || page.storeId !== undefined;
  const stores = isOfAll || page.events ? 0 : await countStores(sql, viewer, FEW_STORES + 1);
  const isAmongAll = isOfAll || stores > FEW_STORES;
  if (isAmongAll || stores > STORES_LOOKED_AT_FIRST) {
    const most = stores > FEW_STORES ? LOOKED_AT_BY_USER : LOOKED_AT_FIRST;
    const glance = await lookAtNewest(page, (part) => lookAmongAll(sql, viewer, page, part, most));
    if (isPage(glance, page)) return { rows: glance.found, continuesBehind: null };
    if (isAmongAll || glance.visible * 2 > glance.seen) {
      return walkDeliveries(sql, viewer, page, { glance, isAmongAll: true });
    }
  }
  const glance = await lookAtNewest(page, (part) => lookAtOwn(sql, viewer, page, part));
  if (isPage(glance, page)) return { rows: glance.found, continuesBehind: null };
  return walkDeliveries(sql, viewer, page, { glance, isAmongAll: false });
}

interface Looked extends Glance {
  /** How many of what was looked at the viewer may see. */
  readonly visible: number;
  /** There is no more in the part of time that was looked at. */
  readonly isAll: boolean;
}

/** Whether what was found is the page: it is full, or there is no more. */
function isPage({ found, isAll }: Looked, { limit }: DeliveryPage): boolean {
  return found.length === limit || isAll;
}

/** It first tries those of the last day: if they suffice, the older partitions are not read. */
async function lookAtNewest(
  page: DeliveryPage,
  look: (part: Part) => Promise<Looked>,
): Promise<Looked> {
  const { first, past } = partOf(page);
  const dayAgo = firstId('dlv', endOf(past) - DAY_MS);
  // Of a request there are few, so that no more is read of the older partitions than that they have none.
  if (dayAgo <= first || page.requestId !== undefined) {
    return look({ first, past });
  }
  const ofTheDay = await look({ first: dayAgo, past });
  const suffices = ofTheDay.found.length === page.limit || !ofTheDay.isAll;
  return suffices ? ofTheDay : look({ first, past });
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
  const seen = await sql<(DeliveryView & { readonly isFound: boolean })[]>`
    select ${viewColumns(sql)}, (${matchesList(sql, page)}) as is_found
    from ((${ofWebhooks}) ${events ? sql`` : sql`union (${ofStores})`}
      order by delivery_id desc limit ${limit}) as d
    order by d.delivery_id desc`;
  return {
    seen: seen.length,
    visible: seen.length,
    middle: seen.at(seen.length / 2)?.deliveryId,
    last: seen.at(-1)?.deliveryId,
    found: seen.flatMap(({ isFound, ...row }) => (isFound ? [row] : [])),
    isAll: seen.length < limit,
  };
}

/**
 * Looks among the newest deliveries of all users, of a request, of a store, or in a state with an index. A user of
 * thousands of stores would wait seconds for a page from each.
 */
async function lookAmongAll(
  sql: Sql,
  viewer: Viewer,
  page: DeliveryPage,
  part: Part,
  most: number,
): Promise<Looked> {
  const { limit } = page;
  const { state: _state, ...others } = page;
  const bound = Math.max(limit, most);
  const isVisible = isListedFor(sql, viewer, page);
  const newest = newestOfAll(sql, page, { ...part, limit: bound });
  // In this order, reading ends with the page.
  const found = await sql<DeliveryView[]>`
    select ${viewColumns(sql)} from (${newest}) as d
    where ${matchesList(sql, isReadByState(page) ? others : page)} and ${isVisible}
    order by ${newestFirst(sql, page)} limit ${limit}`;
  if (found.length === limit) {
    return {
      seen: limit,
      visible: limit,
      middle: undefined,
      last: undefined,
      found,
      isAll: false,
    };
  }
  const { seen, visible, middle, last } = onlyRow(
    await sql<{ seen: number; visible: number; middle: string | null; last: string | null }[]>`
      select count(*)::int as seen, count(*) filter (where ${isVisible})::int as visible, percentile_disc(0.5) within group (order by delivery_id) as middle,
        min(delivery_id) as last
      from (${newest}) as d`,
  );
  return {
    seen,
    visible,
    middle: middle ?? undefined,
    last: last ?? undefined,
    // What has come since has moved the oldest; what is behind it is found again.
    found: last === null ? found : found.filter((row) => row.deliveryId >= last),
    isAll: seen < bound,
  };
}
