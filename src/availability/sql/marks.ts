import type { MarkSource } from '../availability';
import type { KnownItem } from '../plan-items';
import type { ChangeId, UploadId } from '../../platform/ids';
import type { Sql, Transaction } from '../../platform/db/client';
import type { PublicationKey } from '../../uploads/sql/publications';

/** An item off sale, with the app's ids. */
export interface UnavailableItem {
  readonly wireId: string;
  readonly available: false;
  /** When it comes back by itself; null = only on request. */
  readonly until: Date | null;
}

/**
 * The items off sale of an upload that is pushed with them, with the app's ids, copies included. From now on the app may
 * have them off: the end of one that was never switched is told too. Seasons are those of the upload: `outOfSeason` are
 * the external ids of its items that are off now, and the marks by the menu before do not count. Under the lock of the
 * queue, as all that locks several marks.
 */
export async function takeUnavailable(
  sql: Sql,
  { storeId, integrationId }: PublicationKey,
  uploadId: UploadId,
  outOfSeason: readonly string[],
): Promise<UnavailableItem[]> {
  const ids = [...outOfSeason];
  return sql<UnavailableItem[]>`
    with queue as materialized (
      select from availability_queue
      where store_id = ${storeId}::bigint and integration_id = ${integrationId}::bigint
      for no key update
    ), marked as materialized (
      select m.external_id, m.may_be_off,
        case when m.by_stock or m.external_id = any(${ids}::text[]) then null else m.api_until end as until
      from queue cross join availability_mark m
      where m.store_id = ${storeId}::bigint and m.integration_id = ${integrationId}::bigint
        and (m.by_api or m.by_stock)
      for no key update of m
    ), wanted as materialized (
      select * from marked
      -- Their marks come when the menu is shown (setSeasons).
      union all select s.id, true, null from unnest(${ids}::text[]) as s (id)
        where s.id not in (select external_id from marked)
    ), menu as materialized (
      -- The || makes Postgres decompress the list once instead of for each mark; a join would compare each mark with
      -- each item.
      select item_ids || '{}' as item_ids from menu_upload where upload_id = ${uploadId}
    ), named as materialized (
      select external_id, may_be_off, until, (select item_ids from menu) -> external_id as wire_ids from wanted
    ), written as (
      update availability_mark set may_be_off = true
      where store_id = ${storeId}::bigint and integration_id = ${integrationId}::bigint
        and external_id = any(array(
          select external_id from named where wire_ids is not null and not may_be_off))
    )
    select w.wire_id, false as available, n.until
    from named n cross join jsonb_array_elements_text(n.wire_ids) as w (wire_id)`;
}

/** The app's ids, copies included, of the items off sale now, as an upload calls them. */
export async function listUnavailableIds(sql: Sql, uploadId: UploadId): Promise<string[]> {
  const rows = await sql<{ wireId: string }[]>`
    with marked as materialized (
      select m.external_id from menu_upload u
      join availability_mark m using (store_id, integration_id) where u.upload_id = ${uploadId}
    ), named as materialized (
      select e.key, e.value from menu_upload u cross join jsonb_each(u.item_ids) e
      where u.upload_id = ${uploadId} and e.key = any(array(select external_id from marked))
    )
    select w.wire_id from named n cross join jsonb_array_elements_text(n.value) as w (wire_id)`;
  return rows.map((row) => row.wireId);
}

export interface KnownItems {
  readonly hasLiveMenu: boolean;
  readonly items: readonly KnownItem[];
}

/** Which of these ids are in the live menu of the queue's store, or in one on its way, and which are off sale. */
export async function findKnownItems(
  tx: Transaction,
  { storeId, integrationId }: PublicationKey,
  externalIds: readonly string[],
): Promise<KnownItems> {
  const ids = [...externalIds];
  const rows = await tx<(KnownItem & { hasLiveMenu: boolean })[]>`
    with live as materialized (
      -- Decompressed by the || once, see takeUnavailable.
      select u.item_ids || '{}' as item_ids
      from publication p join menu_upload u on u.upload_id = p.live_upload_id
      where p.store_id = ${storeId}::bigint and p.integration_id = ${integrationId}::bigint
    ), pushed as materialized (
      -- Set by the statement that begins the push, before it takes what is off sale.
      select u.item_ids || '{}' as item_ids from menu_upload u
      where u.store_id = ${storeId}::bigint and u.integration_id = ${integrationId}::bigint
        and u.state = 'running' and u.may_be_shown
    )
    select w.external_id, exists (select from live) as has_live_menu,
      coalesce((select item_ids from live) ? w.external_id, false) as is_live,
      exists (select from pushed where item_ids ? w.external_id) as is_on_its_way,
      coalesce(m.by_api, false) as by_api, coalesce(m.by_stock, false) as by_stock,
      coalesce(m.by_season, false) as by_season,
      case when s.turns_at is not null then s.visible_from end as season_from,
      -- A call that was not tried yet reads the marks when it is.
      m.api_until is not null and (i.state is distinct from 'waiting' or i.tried) as may_end_in_app
    from unnest(${ids}::text[]) as w (external_id)
    -- The limits keep the order of the joins: a plan made for few marks would go through all of them for each id.
    left join lateral (
      select * from availability_mark
      where store_id = ${storeId}::bigint and integration_id = ${integrationId}::bigint
        and external_id = w.external_id limit 1
    ) m on true
    left join lateral (
      select * from availability_item
      where change_id = m.change_id and external_id = m.external_id limit 1
    ) i on true
    left join lateral (
      select * from item_season
      where m.by_season and store_id = ${storeId}::bigint and integration_id = ${integrationId}::bigint
        and external_id = w.external_id limit 1
    ) s on true`;
  return { hasLiveMenu: rows[0]?.hasLiveMenu ?? false, items: rows };
}

/** The change that marks items, and who asked for it. */
export interface MarkCause {
  readonly source: MarkSource;
  readonly changeId: ChangeId;
  /** Whether the change tells the app. If not, an item that was marked before keeps its latest change. */
  readonly tells: boolean;
}

/**
 * Marks items as off sale; only the API's marks have an `until`. Before their change is written, which replaces those
 * that wait: the app may have an item off that was not switched on yet, or was tried.
 */
export async function markItems(
  tx: Transaction,
  { storeId, integrationId }: PublicationKey,
  { source, changeId, tells }: MarkCause,
  items: readonly { readonly externalId: string; readonly until: Date | null }[],
): Promise<void> {
  const rows = JSON.stringify(
    items.map(({ externalId, until }) => ({ external_id: externalId, until })),
  );
  await tx`
    insert into availability_mark as m (store_id, integration_id, external_id, by_api, api_until,
      by_stock, by_season, change_id, may_be_off)
    select ${storeId}::bigint, ${integrationId}::bigint, i.external_id, ${source === 'api'}::boolean,
      i.until, ${source === 'stock'}::boolean, ${source === 'season'}::boolean, ${changeId},
      exists (select from availability_item w
        where w.store_id = ${storeId}::bigint and w.integration_id = ${integrationId}::bigint
          and w.state = 'waiting' and w.external_id = i.external_id and (w.available or w.tried))
    from json_to_recordset(${rows}::text::json) as i (external_id text, until timestamptz)
    on conflict (store_id, integration_id, external_id) do update set
      by_api = m.by_api or excluded.by_api,
      api_until = case when excluded.by_api then excluded.api_until else m.api_until end,
      by_stock = m.by_stock or excluded.by_stock,
      by_season = m.by_season or excluded.by_season,
      may_be_off = m.may_be_off or excluded.may_be_off,
      change_id = case when ${tells}::boolean then excluded.change_id else m.change_id end`;
}

/** Removes the API's and stock's marks of these items, whose latest change this is; those of seasons stay. */
export async function unmarkItems(
  tx: Transaction,
  { storeId, integrationId }: PublicationKey,
  externalIds: readonly string[],
  changeId: ChangeId,
): Promise<void> {
  const ids = [...externalIds];
  await tx`
    with kept as (
      update availability_mark set by_api = false, api_until = null, by_stock = false,
        change_id = ${changeId}
      where store_id = ${storeId}::bigint and integration_id = ${integrationId}::bigint
        and external_id = any(${ids}::text[]) and by_season
    )
    delete from availability_mark
    where store_id = ${storeId}::bigint and integration_id = ${integrationId}::bigint
      and external_id = any(${ids}::text[]) and not by_season`;
}

/** Removes stock's, or the season's, marks of these items; those of others stay. */
export async function liftHolder(
  tx: Transaction,
  { storeId, integrationId }: PublicationKey,
  holder: 'stock' | 'season',
  externalIds: readonly string[],
): Promise<void> {
  const ids = [...externalIds];
  const [own, other] =
    holder === 'stock' ? [tx`by_stock`, tx`by_season`] : [tx`by_season`, tx`by_stock`];
  await tx`
    with kept as (
      update availability_mark set ${own} = false
      where store_id = ${storeId}::bigint and integration_id = ${integrationId}::bigint
        and external_id = any(${ids}::text[]) and (by_api or ${other})
    )
    delete from availability_mark
    where store_id = ${storeId}::bigint and integration_id = ${integrationId}::bigint
      and external_id = any(${ids}::text[]) and not by_api and not ${other}`;
}

/**
 * Removes all of stock's marks; those of others stay. Returns the items that stock alone held. The queue must be
 * locked: until then a caller, or a time that ends, may change who holds an item.
 */
export async function liftAllStock(
  tx: Transaction,
  { storeId, integrationId }: PublicationKey,
): Promise<string[]> {
  const lifted = await tx<{ externalId: string }[]>`
    with kept as (
      update availability_mark set by_stock = false
      where store_id = ${storeId}::bigint and integration_id = ${integrationId}::bigint
        and by_stock and (by_api or by_season)
    )
    delete from availability_mark
    where store_id = ${storeId}::bigint and integration_id = ${integrationId}::bigint
      and by_stock and not by_api and not by_season
    returning external_id`;
  return lifted.map((mark) => mark.externalId);
}

/** Records that these items may be off sale in the app, by calls about these changes. */
export async function recordMayBeOff(
  sql: Sql | Transaction,
  { storeId, integrationId }: PublicationKey,
  items: readonly { readonly changeId: string; readonly externalId: string }[],
): Promise<void> {
  if (items.length === 0) return;
  await sql`
    update availability_mark m set may_be_off = true
    from unnest(${items.map((item) => item.changeId)}::text[],
      ${items.map((item) => item.externalId)}::text[]) as i (change_id, external_id)
    where m.store_id = ${storeId}::bigint and m.integration_id = ${integrationId}::bigint
      and m.external_id = i.external_id and m.change_id = i.change_id and not m.may_be_off`;
}

/** The same for a pause. */
export async function recordMayBePaused(
  sql: Sql | Transaction,
  { storeId, integrationId }: PublicationKey,
  changeId: string,
): Promise<void> {
  await sql`
    update store_pause set may_be_paused = true
    where store_id = ${storeId}::bigint and integration_id = ${integrationId}::bigint
      and change_id = ${changeId}`;
}

/**
 * Records that a store is paused in an integration from now on, or no longer. Before the change is written, as in
 * `markItems`.
 */
export async function writePause(
  tx: Transaction,
  { storeId, integrationId }: PublicationKey,
  pause: {
    readonly paused: boolean;
    readonly until: Date | null;
    readonly reason: string | null;
    readonly changeId: ChangeId;
  },
): Promise<void> {
  if (!pause.paused) {
    await tx`
      delete from store_pause
      where store_id = ${storeId}::bigint and integration_id = ${integrationId}::bigint`;
    return;
  }
  await tx`
    insert into store_pause as p (store_id, integration_id, until, reason, change_id, may_be_paused)
    values (${storeId}::bigint, ${integrationId}::bigint, ${pause.until}::timestamptz,
      ${pause.reason}, ${pause.changeId},
      exists (select from availability_change c
        where c.store_id = ${storeId}::bigint and c.integration_id = ${integrationId}::bigint
          and c.kind = 'pause' and c.state in ('queued', 'running') and (not c.paused or c.tried)))
    on conflict (store_id, integration_id) do update set
      may_be_paused = p.may_be_paused or excluded.may_be_paused, until = excluded.until, reason = excluded.reason, change_id = excluded.change_id`;
}
