import type { ItemSeason } from '../../menus/menu';
import { newId, type UploadId } from '../../platform/ids';
import type { Sql, Transaction } from '../../platform/db/client';
import { onlyRow } from '../../platform/db/only-row';
import { isOutOfSeason } from '../../menus/menu';
import { dayInZone } from '../../platform/text/time-zone';
import type { PublicationKey } from '../../uploads/sql/publications';
import { type AttemptKey, isCurrentAttempt } from '../../uploads/sql/upload-attempts';
import { planSeason } from '../plan-items';
import { type SeasonState, seasonStates } from '../seasons';
import { insertItemChange, lockQueue, ownChange, type NewChangeItem } from './changes';
import { findStoreClock, type StoreClock } from './store-clock';
import { findKnownItems, liftHolder, markItems } from './marks';

/** The external ids of the items that are out of season as an upload is pushed now, which is noted. */
export async function takeOutOfSeason(sql: Sql, uploadId: UploadId): Promise<readonly string[]> {
  const [row] = await sql<(StoreClock & { readonly seasons: readonly ItemSeason[] | null })[]>`
    update menu_upload u set seasons_at = now() from store s
    where u.upload_id = ${uploadId} and s.store_id = u.store_id and u.seasons is not null
    returning u.seasons, u.seasons_at as now, coalesce(s.time_zone, 'UTC') as time_zone`;
  if (!row?.seasons) return [];
  const today = dayInZone(row.now, row.timeZone);
  return row.seasons
    .filter((season) => isOutOfSeason(season, today))
    .map(({ externalId }) => externalId);
}

/** `setSeasons` for an attempt whose menu the app shows, unless another attempt has taken over. */
export async function setSeasonsOf(
  sql: Sql,
  { storeId, integrationId, ...attempt }: PublicationKey & AttemptKey,
): Promise<void> {
  const key = { storeId, integrationId };
  await sql.begin(async (tx) => {
    await lockQueue(tx, key);
    const current = await tx`select from menu_upload u where ${isCurrentAttempt(tx, attempt)}`;
    if (current.length > 0) await setSeasons(tx, key, attempt.uploadId);
  });
}

/**
 * The seasons of a menu that the app shows take the place of those before, with their marks: as they stood when it was
 * pushed, because its payload said so. An app whose menus do not say it is told by `followMenu`. Without effect if they
 * are the same. The queue must be locked.
 */
export async function setSeasons(
  tx: Transaction,
  key: PublicationKey,
  uploadId: UploadId,
): Promise<void> {
  const { storeId, integrationId } = key;
  const [kept, given] = [await listKept(tx, key), await listGiven(tx, uploadId)];
  if (textOf(kept) === textOf(given)) return;
  const clocks = await tx<StoreClock[]>`
    select coalesce(u.seasons_at, now()) as now, coalesce(s.time_zone, 'UTC') as time_zone
    from menu_upload u join store s using (store_id) where u.upload_id = ${uploadId}`;
  const { now, timeZone } = onlyRow(clocks);
  const states = seasonStates(given, now, timeZone);
  await tx`
    delete from item_season
    where store_id = ${storeId}::bigint and integration_id = ${integrationId}::bigint`;
  await tx`
    insert into item_season (store_id, integration_id, external_id, visible_from, visible_until,
      turns_at)
    select ${storeId}::bigint, ${integrationId}::bigint, s.external_id, s.visible_from,
      s.visible_until, s.turns_at
    from ${stateRows(tx, states)}`;
  const marked = new Set(await listMarked(tx, key));
  const off = new Set(states.flatMap(({ externalId, isOff }) => (isOff ? [externalId] : [])));
  const goOff = [...off].filter((id) => !marked.has(id));
  const comeBack = [...marked].filter((id) => !off.has(id));
  const changeId = newId('avc');
  await markItems(
    tx,
    key,
    { source: 'season', changeId, tells: false },
    goOff.map((externalId) => ({ externalId, until: null })),
  );
  await tx`
    update availability_mark set may_be_off = true
    where store_id = ${storeId}::bigint and integration_id = ${integrationId}::bigint
      and external_id = any(${goOff}::text[]) and not may_be_off`;
  await liftHolder(tx, key, 'season', comeBack);
  // Done with the menu itself. It takes the place of what waits about these items; `followMenu` tells what came back.
  const items = [...goOff, ...comeBack].map((externalId) => ({
    externalId,
    available: !off.has(externalId),
    until: null,
    state: 'done' as const,
    message: null,
  }));
  if (items.length > 0) {
    await insertItemChange(tx, { ...ownChange(key, 'menu'), changeId, items });
  }
}

/**
 * Turns the items of a queue whose season has begun or ended: their marks, and a change that tells the app. The queue
 * must be locked.
 */
export async function turnSeasons(tx: Transaction, key: PublicationKey): Promise<void> {
  const { storeId, integrationId } = key;
  const due = await tx<ItemSeason[]>`
    select external_id, visible_from as "from", visible_until as until from item_season
    where store_id = ${storeId}::bigint and integration_id = ${integrationId}::bigint
      and turns_at <= now()
    for update`;
  if (due.length === 0) return;
  const { now, timeZone } = await findStoreClock(tx, storeId);
  const states = seasonStates(due, now, timeZone);
  await tx`
    update item_season i set turns_at = s.turns_at from ${stateRows(tx, states)}
    where i.store_id = ${storeId}::bigint and i.integration_id = ${integrationId}::bigint
      and i.external_id = s.external_id`;
  await switchTurned(tx, key, states);
}

async function switchTurned(
  tx: Transaction,
  key: PublicationKey,
  states: readonly SeasonState[],
): Promise<void> {
  const { items } = await findKnownItems(
    tx,
    key,
    states.map(({ externalId }) => externalId),
  );
  const isOff = new Map(states.map((state) => [state.externalId, state.isOff]));
  const turned = items.flatMap((item) => {
    const plan = planSeason(item, isOff.get(item.externalId) ?? false);
    return plan ? [{ externalId: item.externalId, ...plan }] : [];
  });
  const changeId = newId('avc');
  for (const tells of [true, false]) {
    const off = turned.filter((item) => item.isMarked && item.tells === tells);
    const marks = off.map(({ externalId }) => ({ externalId, until: null }));
    await markItems(tx, key, { source: 'season', changeId, tells }, marks);
  }
  const back = turned.filter((item) => !item.isMarked).map(({ externalId }) => externalId);
  await liftHolder(tx, key, 'season', back);
  const told = turned
    .filter(({ tells }) => tells)
    .map(({ externalId, isMarked }): NewChangeItem => ({
      externalId,
      available: !isMarked,
      until: null,
      state: 'waiting',
      message: null,
    }));
  if (told.length > 0) {
    await insertItemChange(tx, { ...ownChange(key, 'season'), changeId, items: told });
  }
}

/** The store has another time zone: its seasons are looked at again. Returns the queues to wake. */
export async function lookAtSeasonsAgain(
  tx: Transaction,
  storeId: number,
): Promise<PublicationKey[]> {
  return tx<PublicationKey[]>`
    with looked as (
      update item_season set turns_at = now() where store_id = ${storeId}::bigint
      returning store_id, integration_id
    )
    select distinct store_id, integration_id from looked`;
}

async function listKept(
  tx: Transaction,
  { storeId, integrationId }: PublicationKey,
): Promise<ItemSeason[]> {
  return tx<ItemSeason[]>`
    select external_id, visible_from as "from", visible_until as until from item_season
    where store_id = ${storeId}::bigint and integration_id = ${integrationId}::bigint`;
}

/** Of an upload; items that the app does not get are left out. */
async function listGiven(tx: Transaction, uploadId: UploadId): Promise<ItemSeason[]> {
  return tx<ItemSeason[]>`
    with menu as materialized (
      -- Decompressed by the || once, see takeUnavailable.
      select seasons, item_ids || '{}' as item_ids from menu_upload where upload_id = ${uploadId}
    )
    select i."externalId" as external_id, i."from", i.until
    from menu cross join json_to_recordset(seasons) as i ("externalId" text, "from" text, until text)
    where item_ids ? i."externalId"`;
}

async function listMarked(
  tx: Transaction,
  { storeId, integrationId }: PublicationKey,
): Promise<string[]> {
  const rows = await tx<{ externalId: string }[]>`
    select external_id from availability_mark
    where store_id = ${storeId}::bigint and integration_id = ${integrationId}::bigint and by_season`;
  return rows.map(({ externalId }) => externalId);
}

function textOf(seasons: readonly ItemSeason[]): string {
  return seasons
    .map(({ externalId, from, until }) => JSON.stringify([externalId, from, until]))
    .toSorted()
    .join();
}

function stateRows(tx: Transaction, states: readonly SeasonState[]) {
  const rows = states.map(({ externalId, from, until, turnsAt }) => ({
    external_id: externalId,
    visible_from: from,
    visible_until: until,
    turns_at: turnsAt,
  }));
  return tx`json_to_recordset(${JSON.stringify(rows)}::text::json) as s (external_id text,
    visible_from text, visible_until text, turns_at timestamptz)`;
}
