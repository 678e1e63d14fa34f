import type { PendingQuery, Row } from 'postgres';
import { keyIs } from '../../platform/db/key-is';
import { lookBack, type LookedBack } from '../../platform/db/look-back';
import { idsOfTime, type TimeFilter, type UploadId } from '../../platform/ids';
import type { Sql } from '../../platform/db/client';
import { seesFewStores, storesOf } from '../../users/sql/store-access';
import type { Viewer } from '../../users/sql/users';
import type { UploadState } from '../upload';
import { isVisible, summaryColumns, type UploadSummary } from './upload-views';

export interface UploadFilter extends TimeFilter {
  readonly storeId?: number;
  readonly integrationId?: number;
  readonly state?: UploadState;
  /** The id of the request that made it. */
  readonly requestId?: string;
  /** Only uploads older than this one: the cursor of the previous page. */
  readonly before?: string;
  readonly limit: number;
}

export type ListedUploads = LookedBack<UploadSummary, UploadId>;

/**
 * Uploads of the stores that the viewer has, newest first. Where no index has what is asked for, so many uploads are
 * looked at and no more.
 */
export async function listUploads(
  sql: Sql,
  viewer: Viewer,
  filter: UploadFilter,
): Promise<ListedUploads> {
  const { storeId, integrationId, state, requestId, since, until, limit } = filter;
  if (requestId !== undefined) {
    const seen = isVisible(sql, viewer);
    return lookBack(limit, (entries) =>
      readPart(sql, filter, ofRequest(sql, filter, requestId, entries), seen),
    );
  }
  const isByStore = storeId !== undefined || (await seesFewStores(sql, viewer));
  const visible = isByStore ? sql`true` : isVisible(sql, viewer);
  const read = (look: Look) => readPart(sql, filter, look, visible);
  if (state === 'queued' || state === 'running') {
    return read(unfinished(sql, filter, isByStore ? storesOf(sql, viewer, storeId) : null));
  }
  if (!isByStore) return lookBack(limit, (entries) => read(everybodys(sql, filter, entries)));
  const stores = storesOf(sql, viewer, storeId);
  const isIndexedWhole =
    (state === undefined || state === 'failed') &&
    [integrationId, since, until].every((each) => each === undefined);
  return isIndexedWhole
    ? read(newestOfStores(sql, stores, filter))
    : lookBack(limit, (entries) => read(byStore(sql, stores, filter, entries)));
}

/** Two queries: `looked`, the uploads that are looked at; `behind`, up to which of them all are. */
type Look = PendingQuery<Row[]>;

async function readPart(
  sql: Sql,
  { storeId, integrationId, state, since, until, limit }: UploadFilter,
  look: Look,
  visible: PendingQuery<Row[]>,
): Promise<ListedUploads> {
  const rows = await sql<(UploadSummary & { readonly continuesBehind: UploadId | null })[]>`
    with ${look}, found as (
      select u.upload_id from looked u
      where ${visible} and u.upload_id >= coalesce((select upload_id from behind), ${FIRST})
        and (${storeId ?? null}::bigint is null or u.store_id = ${storeId ?? null}::bigint)
        and (${since ?? null}::timestamptz is null or u.created_at >= ${since ?? null}::timestamptz)
        and (${until ?? null}::timestamptz is null or u.created_at < ${until ?? null}::timestamptz)
        ${integrationId === undefined ? sql`` : sql`and u.integration_id = ${integrationId}::bigint`}
        ${state === undefined ? sql`` : sql`and u.state = ${state}`}
      order by u.upload_id desc limit ${limit}
    )
    select ${summaryColumns(sql)}, behind.upload_id as continues_behind
    from behind left join (found
      join menu_upload u using (upload_id) join integration i using (integration_id)) on true
    order by u.upload_id desc`;
  return {
    rows: rows.flatMap(({ continuesBehind: _continuesBehind, ...row }) =>
      row.uploadId === null ? [] : [row],
    ),
    continuesBehind: rows[0]?.continuesBehind ?? null,
  };
}

/**
 * All that a page without another filter may show. Where the newest of each store would fill it, nothing older than
 * those is on it: of most stores one upload is read then, and not a page.
 */
function newestOfStores(sql: Sql, stores: PendingQuery<Row[]>, filter: UploadFilter) {
  const { limit } = filter;
  const newestOf = (columns: PendingQuery<Row[]>, also: PendingQuery<Row[]>, most: number) =>
    sql`stores us cross join lateral (${newestOfStore(sql, filter, columns, also)} limit ${most}) as u`;
  return sql`
    stores as materialized (select us.store_id from ${stores}),
    oldest as materialized (
      select u.upload_id from ${newestOf(sql`u.upload_id`, sql``, 1)}
      order by u.upload_id desc offset ${limit - 1} limit 1
    ), looked as materialized (
      select u.* from ${newestOf(
        lookedColumns(sql),
        sql`and (u.upload_id, u.seq) >= (coalesce((select upload_id from oldest), ${FIRST}), 0)`,
        limit,
      )}
    ), behind as (select null::text as upload_id)`;
}

/** As many of each store as all of them together may have, and a page at least. */
function byStore(sql: Sql, stores: PendingQuery<Row[]>, filter: UploadFilter, entries: number) {
  const { limit } = filter;
  return sql`
    stores as materialized (select us.store_id from ${stores}),
    each as materialized (
      select greatest(${limit}::int, ${entries}::int / greatest(count(*), 1)) as most from stores
    ), looked as materialized (
      select u.* from stores us cross join lateral (
        ${newestOfStore(sql, filter, lookedColumns(sql))} limit (select most from each)) as u
    ), behind as (
      -- Of a store that has more, the older ones are not known.
      select max(oldest) as upload_id from (
        select min(upload_id) as oldest from looked group by store_id
        having count(*) = (select most from each)) as of_store
    )`;
}

/**
 * The uploads of store `us`, newest first, by the index that begins with the store (`keyIs`): by that on the id, a user
 * with one quiet store would read everybody's.
 */
function newestOfStore(
  sql: Sql,
  filter: UploadFilter,
  columns: PendingQuery<Row[]>,
  also: PendingQuery<Row[]> = sql``,
) {
  return sql`
    select ${columns} from menu_upload u
    where ${keyIs(sql, sql`u.store_id`, sql`us.store_id`)} and ${isInTime(sql, filter)}
      ${isIndexed(sql, filter.state)} ${also}
    order by u.store_id desc, u.upload_id desc`;
}

/** Those of everybody. */
function everybodys(sql: Sql, filter: UploadFilter, entries: number) {
  const newest = sql`
    select ${lookedColumns(sql)} from menu_upload u
    where ${isInTime(sql, filter)} ${isIndexed(sql, filter.state)}
    order by u.upload_id desc limit ${entries}`;
  return allOf(sql, newest, entries);
}

/** Those of one request, by the index that begins with it (`keyIs`). */
function ofRequest(sql: Sql, filter: UploadFilter, requestId: string, entries: number) {
  const newest = sql`
    select ${lookedColumns(sql)} from menu_upload u
    where ${keyIs(sql, sql`u.request_id`, sql`${requestId}`)} and ${isInTime(sql, filter)}
    order by u.request_id desc, u.upload_id desc limit ${entries}`;
  return allOf(sql, newest, entries);
}

/** `newest`: so many `entries` at most. */
function allOf(sql: Sql, newest: PendingQuery<Row[]>, entries: number) {
  return sql`
    looked as materialized (${newest}), behind as (
      select case when count(*) = ${entries}::int then min(upload_id) end as upload_id from looked
    )`;
}

function lookedColumns(sql: Sql): PendingQuery<Row[]> {
  return sql`u.upload_id, u.store_id, u.integration_id, u.state, u.created_at`;
}

/** Whether upload `u` is behind the previous page, and may be of the wanted time. */
function isInTime(sql: Sql, { before, ...filter }: UploadFilter): PendingQuery<Row[]> {
  const { first, past } = idsOfTime('upl', filter);
  // As a row: a plan made without parameters expects so few ids between two bounds that it would sort everybody's. The
  // row begins with the id, because a scan ends only where the first column of a row is past its bound.
  return sql`(u.upload_id, u.seq) >= (${first ?? FIRST}, 0) and u.upload_id < least(${before ?? LAST}, ${past ?? LAST})`;
}

/** Failed ones have indexes of their own. */
function isIndexed(sql: Sql, state: UploadState | undefined): PendingQuery<Row[]> {
  return state === 'failed' ? sql`and u.state = 'failed'` : sql``;
}

/** All that wait or run, which have an index too; `stores`: of these only, or null. */
function unfinished(sql: Sql, filter: UploadFilter, stores: PendingQuery<Row[]> | null) {
  return sql`
    looked as materialized (
      select ${lookedColumns(sql)}
      from ${stores === null ? sql`menu_upload u` : sql`${stores} join menu_upload u using (store_id)`}
      where u.state in ('queued', 'running') and ${isInTime(sql, filter)}
    ), behind as (select null::text as upload_id)`;
}

/** Before and after all ids of uploads. */
const [FIRST, LAST] = ['upl', 'upm'];
