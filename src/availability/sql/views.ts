import type { ToWake } from '../../uploads/sql/publications';
import type { PendingQuery, Row } from 'postgres';
import { keyIs } from '../../platform/db/key-is';
import { lookBack, type LookedBack } from '../../platform/db/look-back';
import { seesFewStores, storesOf } from '../../users/sql/store-access';
import type { Viewer } from '../../users/sql/users';
import type { ChangeKind, ChangeState, MarkSource } from '../availability';
import type { ChangeId, ChangeRequestId } from '../../platform/ids';
import type { Sql } from '../../platform/db/client';

/** A change as the caller of its request learns about it. */
export interface ChangeOutcome {
  readonly changeId: ChangeId;
  readonly namedIntegration: string;
  readonly kind: ChangeKind;
  readonly state: ChangeState;
  /** Of a pause, as the caller gave it. */
  readonly reason: string | null;
  readonly messages: readonly string[];
}

/** The changes of a request, in the order of their integrations. */
export async function listRequestChanges(
  sql: Sql,
  changeRequestId: ChangeRequestId,
): Promise<ChangeOutcome[]> {
  return sql<ChangeOutcome[]>`
    select change_id, named_integration, kind, state, reason, messages from availability_change
    where request_row_id = ${changeRequestId} order by integration_id nulls first, change_id`;
}

/** Another caller waits for the unfinished changes, for `waitMs`; returns their queues. */
export async function awaitChanges(
  sql: Sql,
  changeRequestId: ChangeRequestId,
  waitMs: number,
): Promise<ToWake[]> {
  const keys = await sql<ToWake['key'][]>`
    update availability_change
    set awaited_until = greatest(awaited_until, now() + ${waitMs}::int * interval '1 ms')
    where request_row_id = ${changeRequestId} and finished_at is null
    returning store_id, integration_id`;
  return keys.map((key) => ({ key, leased: false }));
}

export interface ChangeView extends ChangeOutcome {
  readonly storeId: number;
  readonly items: readonly {
    readonly external_id: string;
    /** Of an item that still waits, the change's. */
    readonly state: ChangeState;
    readonly message: string | null;
  }[];
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
}

/** A change, if the viewer has its store. */
export async function findChange(
  sql: Sql,
  viewer: Viewer,
  changeId: ChangeId,
): Promise<ChangeView | undefined> {
  const [row] = await sql<ChangeView[]>`
    select c.change_id, c.store_id, c.named_integration, c.kind, c.state, c.reason, c.messages,
      c.created_at, c.finished_at,
      (select coalesce(json_agg(json_build_object('external_id', i.external_id,
          'state', case i.state when 'waiting' then c.state else i.state end, 'message', i.message) order by i.position), '[]')
        from availability_item i where i.change_id = coalesce(c.items_of, c.change_id)) as items
    from availability_change c
    where c.change_id = ${changeId} and ${isVisible(sql, viewer, sql`c.store_id`)}`;
  return row;
}

/** An item that should be off sale. */
export interface UnavailableEntry {
  readonly markNo: number;
  /** The latest change of it. */
  readonly changeId: ChangeId | null;
  readonly storeId: number;
  readonly integrationId: number;
  readonly externalId: string;
  readonly since: Date;
  readonly until: Date | null;
  readonly source: MarkSource;
  /** The state of the latest change of it. */
  readonly state: 'queued' | 'running' | 'done' | 'failed';
  /** What the app said of it, or why it was not possible, in the latest change. */
  readonly message: string | null;
}

export interface UnavailableFilter {
  readonly storeId?: number;
  readonly integrationId?: number;
  /** Only entries older than this one: the cursor of the previous page. */
  readonly before?: number;
  readonly limit: number;
}

/**
 * The items off sale in the stores that the viewer has, newest first; not in deleted ones, whose apps are left as they
 * are. Among everybody's, so many are looked at and no more.
 */
export async function listUnavailableEntries(
  sql: Sql,
  viewer: Viewer,
  filter: UnavailableFilter,
): Promise<LookedBack<UnavailableEntry, number>> {
  if (filter.storeId !== undefined || (await seesFewStores(sql, viewer))) {
    const newest = sql`
      select m.mark_no from ${storesOf(sql, viewer, filter.storeId)}
      join store s on s.store_id = us.store_id and s.deleted_at is null
      cross join lateral (${newestMarksOfStore(sql, filter)}) as m
      order by m.mark_no desc limit ${filter.limit}`;
    return { rows: await listMarked(sql, newest), continuesBehind: null };
  }
  return lookBack(filter.limit, (entries) => readNewest(sql, viewer, filter, entries));
}

/** Most marks of an item that are looked at for a user of many stores: POS of other users may give items the same id. */
const LOOKED_AT_OF_ITEM = 2_000;

/** An item where it is off sale, in the stores that the viewer has, newest first. */
export async function listUnavailableItem(
  sql: Sql,
  viewer: Viewer,
  externalId: string,
  limit: number,
): Promise<UnavailableEntry[]> {
  const isItem = keyIs(sql, sql`m.external_id`, sql`${externalId}`);
  const marks = (await seesFewStores(sql, viewer))
    ? sql`
      select m.mark_no, m.store_id from ${storesOf(sql, viewer)}
      join availability_mark m on m.store_id = us.store_id and ${isItem}`
    : sql`
      select m.mark_no, m.store_id from (
        select * from availability_mark m where ${isItem} limit ${LOOKED_AT_OF_ITEM}) as m
      where ${isVisible(sql, viewer, sql`m.store_id`)}`;
  return listMarked(
    sql,
    sql`
      select m.mark_no from (${marks}) as m
      join store s on s.store_id = m.store_id and s.deleted_at is null
      order by m.mark_no desc limit ${limit}`,
  );
}

/** These items of a store, where they are off sale. */
export async function listUnavailableOfItems(
  sql: Sql,
  storeId: number,
  externalIds: readonly string[],
): Promise<UnavailableEntry[]> {
  return listMarked(
    sql,
    sql`
      select m.mark_no from availability_mark m
      where ${keyIs(sql, sql`m.store_id`, sql`${storeId}::bigint`)}
        and m.external_id = any(${[...externalIds]}::text[])`,
  );
}

/** Those among everybody's newest. In one statement: marks come and go, and two would look at different ones. */
async function readNewest(
  sql: Sql,
  viewer: Viewer,
  filter: UnavailableFilter,
  entries: number,
): Promise<LookedBack<UnavailableEntry, number>> {
  const rows = await sql<(UnavailableEntry & { readonly continuesBehind: number | null })[]>`
    with looked as materialized (${newestMarks(sql, filter, entries)}), behind as (
      select case when count(*) = ${entries}::int then min(mark_no) end as continues_behind from looked
    ), found as (
      select m.mark_no from looked m join store s on s.store_id = m.store_id and s.deleted_at is null
      where ${isVisible(sql, viewer, sql`m.store_id`)} and ${isOfIntegration(sql, filter)}
      order by m.mark_no desc limit ${filter.limit}
    )
    select ${entryColumns(sql)}, behind.continues_behind
    from behind left join (found join availability_mark m using (mark_no) ${latestChange(sql)}) on true
    order by m.mark_no desc`;
  return {
    rows: rows.flatMap(({ continuesBehind: _continuesBehind, ...row }) =>
      row.markNo === null ? [] : [row],
    ),
    continuesBehind: rows[0]?.continuesBehind ?? null,
  };
}

async function listMarked(sql: Sql, marks: PendingQuery<Row[]>): Promise<UnavailableEntry[]> {
  return sql<UnavailableEntry[]>`
    select ${entryColumns(sql)}
    from (${marks}) as newest join availability_mark m using (mark_no) ${latestChange(sql)}
    order by m.mark_no desc`;
}

function entryColumns(sql: Sql): PendingQuery<Row[]> {
  return sql`m.mark_no, m.change_id, m.store_id, m.integration_id, m.external_id, m.since,
    case when m.by_api then m.api_until
      when not m.by_stock then (select s.turns_at from item_season s where s.store_id = m.store_id
        and s.integration_id = m.integration_id and s.external_id = m.external_id) end as until,
    case when m.by_api then 'api' when m.by_stock then 'stock' else 'season' end as source,
    coalesce(case when i.state <> 'waiting' then i.state else c.state end, 'done') as state,
    coalesce(i.message, case when c.state = 'failed' then c.messages ->> 0 end) as message`;
}

/** The latest change of mark `m`, and what became of the item in it. */
function latestChange(sql: Sql): PendingQuery<Row[]> {
  return sql`
    left join availability_item i on i.change_id = m.change_id and i.external_id = m.external_id
    left join availability_change c on c.change_id = m.change_id`;
}

/** Everybody's. */
function newestMarks(sql: Sql, { before }: UnavailableFilter, entries: number) {
  return sql`
    select m.mark_no, m.store_id, m.integration_id from availability_mark m
    ${before === undefined ? sql`` : sql`where m.mark_no < ${before}::bigint`}
    order by m.mark_no desc limit ${entries}`;
}

/** The marks of store `us`, by the index that begins with the store (`keyIs`). */
function newestMarksOfStore(sql: Sql, filter: UnavailableFilter): PendingQuery<Row[]> {
  return sql`
    select m.mark_no from availability_mark m
    where ${isOfIntegration(sql, filter)} and ${keyIs(sql, sql`m.store_id`, sql`us.store_id`)}
      and m.mark_no < ${filter.before ?? Number.MAX_SAFE_INTEGER}::bigint
    order by m.store_id desc, m.mark_no desc limit ${filter.limit}`;
}

function isOfIntegration(sql: Sql, { integrationId }: UnavailableFilter): PendingQuery<Row[]> {
  return integrationId === undefined ? sql`true` : sql`m.integration_id = ${integrationId}::bigint`;
}

function isVisible(sql: Sql, viewer: Viewer, storeId: PendingQuery<Row[]>): PendingQuery<Row[]> {
  return sql`(${viewer.seesAll}::boolean or exists (
    select from user_store us where us.store_id = ${storeId} and us.user_id = ${viewer.userId}))`;
}
