import type { PendingQuery, Row } from 'postgres';
import { type DeliveryId, firstId, idsOfTime } from '../../platform/ids';
import type { Sql } from '../../platform/db/client';
import { onlyRow } from '../../platform/db/only-row';
import type { Viewer } from '../../users/sql/users';
import { AFTER_ALL_DELIVERIES, BEFORE_ALL_DELIVERIES, timeOfDelivery } from '../delivery-ids';
import {
  type DeliveryFilter,
  type DeliveryView,
  isListedFor,
  matchesList,
  viewColumns,
} from './delivery-views';
import { type NewestPart, newestOfAll, newestOfUser, type Part } from './newest-deliveries';

export type DeliveryPage = DeliveryFilter & {
  readonly before?: string;
  readonly limit: number;
};

export interface ListedDeliveries {
  readonly rows: readonly DeliveryView[];
  /** Set if the list continues behind this id, though there are fewer rows than asked for. */
  readonly continuesBehind: DeliveryId | null;
}

/** Most deliveries that one statement reads, whether they match or not. */
export const READ_AT_ONCE = 2_500;
/** How many a part is to have. */
const AIM = READ_AT_ONCE / 2;
/** A page ends when so many have been read, or after so many statements: 50 ms for an owner of 200 stores. */
export const READ_FOR_A_PAGE = 5_000;
const STATEMENTS = 16;
const FIRST_WIDTH_MS = 60_000;
const MOST_GROWTH = 8;
/** Wider than any retention: the part goes to the beginning. */
const ALL_MS = 1_000 * 86_400_000;

/** What was looked at already, the newest of all. */
export interface Glance {
  /** How many; half of them are between the ids `middle` and `last`, the oldest. */
  readonly seen: number;
  readonly middle: string | undefined;
  readonly last: string | undefined;
  /** Those of them that match. */
  readonly found: readonly DeliveryView[];
}

/** Where a walk begins, and whether it goes through everybody's deliveries or the viewer's own. */
export interface WalkStart {
  readonly glance: Glance;
  readonly isAmongAll: boolean;
}

/** The ids among which a page is looked for. */
export function partOf({ before, ...filter }: DeliveryPage): Part {
  const { first, past } = idsOfTime('dlv', filter);
  const ends = [before ?? AFTER_ALL_DELIVERIES, past ?? AFTER_ALL_DELIVERIES];
  return {
    first: first ?? BEFORE_ALL_DELIVERIES,
    past: ends.toSorted()[0] ?? AFTER_ALL_DELIVERIES,
  };
}

/** The time before which the deliveries before `past` were made, ms since the epoch. */
export function endOf(past: string): number {
  return past === AFTER_ALL_DELIVERIES ? Date.now() : timeOfDelivery(past);
}

/**
 * Deliveries that match a filter that no index answers alone, newest first; of a state with an index, only what is in
 * it is looked at. It goes back in parts of time, each sized, by what the previous one held, to hold about `AIM`
 * deliveries, and ends when the page is full or enough was read. A part of which not all was read is read again,
 * narrower, as its newest are not known.
 */
export async function walkDeliveries(
  sql: Sql,
  viewer: Viewer,
  page: DeliveryPage,
  { glance, isAmongAll }: WalkStart,
): Promise<ListedDeliveries> {
  const found = [...glance.found];
  const all = partOf(page);
  const start: string = glance.last ?? all.past;
  let past = start;
  let end = endOf(start);
  const begin = timeOfDelivery(all.first);
  let width = FIRST_WIDTH_MS;
  // Sized by the older half: a receiver that was down may have left nothing for days before a crowd.
  if (glance.middle) width = widthFor(timeOfDelivery(glance.middle) - end, glance.seen / 2);
  let growth = MOST_GROWTH;
  let readSoFar = 0;
  // The first part is narrowed until all of it can be read, so that each page makes progress.
  const isEnough = () => past !== start && readSoFar >= READ_FOR_A_PAGE;
  for (let statements = 0; statements < STATEMENTS && !isEnough(); statements += 1) {
    const isLast = width >= ALL_MS || width >= end - begin;
    const first = isLast ? all.first : firstId('dlv', end - width);
    const { read, rows } = await readPart(sql, viewer, page, { first, past }, isAmongAll);
    readSoFar += read;
    if (read > READ_AT_ONCE && width > 1) {
      // The next one may reach the same crowd again.
      [width, growth] = [Math.max(1, width / MOST_GROWTH), 2];
      continue;
    }
    found.push(...rows);
    if (found.length >= page.limit)
      return { rows: found.slice(0, page.limit), continuesBehind: null };
    if (isLast) return { rows: found, continuesBehind: null };
    past = first;
    end -= width;
    width = Math.min(width * growth, widthFor(width, read));
  }
  return { rows: found, continuesBehind: smallestId(past) };
}

/** The length of the next part, ms, given the length of the last one and how many deliveries it had. */
function widthFor(ms: number, read: number): number {
  return Math.max(1, (ms * AIM) / Math.max(1, read));
}

/** An id, unlike a lower bound of ids. */
function smallestId(bound: string): DeliveryId {
  return bound.padEnd('dlv_'.length + 32, '0') as DeliveryId;
}

/** The newest matches of a part, and how many deliveries were read for them; past the bound they are not the newest. */
async function readPart(
  sql: Sql,
  viewer: Viewer,
  page: DeliveryPage,
  part: Part,
  isAmongAll: boolean,
) {
  const newest = { ...part, limit: READ_AT_ONCE + 1 };
  const seen = isAmongAll ? newestOfAll(sql, page, newest) : eachOfUser(sql, viewer, page, newest);
  const isVisible = isAmongAll ? isListedFor(sql, viewer, page) : sql`true`;
  const result = await sql<(DeliveryView & { readonly read: number })[]>`
    with seen as (${seen})
    select d.*, (select count(*) from seen)::int as read
    from (select 1) as always left join lateral (
      select distinct ${viewColumns(sql)} from seen d where ${matchesList(sql, page)} and ${isVisible}
      order by d.delivery_id desc limit ${page.limit}) as d on true
    order by d.delivery_id desc`;
  const { read } = onlyRow(result.slice(0, 1));
  return {
    read,
    rows: result.flatMap(({ read: _read, ...row }) => (row.deliveryId === null ? [] : [row])),
  };
}

/**
 * Those of the user up to the limit, whether they match or not; one that is reachable by webhook and by store comes
 * twice.
 */
function eachOfUser(
  sql: Sql,
  viewer: Viewer,
  page: DeliveryPage,
  newest: NewestPart,
): PendingQuery<Row[]> {
  const { ofWebhooks, ofStores } = newestOfUser(sql, viewer, page, newest);
  return sql`
    select * from (${ofWebhooks} ${page.events ? sql`` : sql`union all ${ofStores}`}) as d
    limit ${newest.limit}`;
}
