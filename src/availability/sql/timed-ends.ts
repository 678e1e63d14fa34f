import { TIME_HAS_PASSED } from '../availability';
import { daysFrom, nextLook, type StoredDay } from '../special-days';
import {
  endStoreChanges,
  insertItemChange,
  insertStoreChange,
  lastWords,
  ownChange,
} from './changes';
import type { Transaction } from '../../platform/db/client';
import { dayInZone } from '../../platform/text/time-zone';
import type { PublicationKey } from '../../uploads/sql/publications';

/**
 * Ends the API's marks whose `until` has passed. Items that stock or their season holds too stay off sale. The app is
 * told of the others, unless it cannot have them off sale: neither their latest change was tried, nor did an earlier one or a menu
 * take them off.
 */
export async function endLapsedItems(tx: Transaction, key: PublicationKey): Promise<void> {
  const { storeId, integrationId } = key;
  const lapsed = await tx<{ externalId: string; tells: boolean }[]>`
    with lapsed as (
      select m.external_id, m.by_stock or m.by_season as is_held, m.change_id,
        m.may_be_off or coalesce(i.state = 'waiting' and i.tried, false) as tells
      from availability_mark m
      left join availability_item i on i.change_id = m.change_id and i.external_id = m.external_id
      where m.store_id = ${storeId}::bigint and m.integration_id = ${integrationId}::bigint
        and m.api_until <= now()
      for update of m
    ), kept as (
      update availability_mark m set by_api = false, api_until = null from lapsed l
      where m.store_id = ${storeId}::bigint and m.integration_id = ${integrationId}::bigint
        and m.external_id = l.external_id and l.is_held
    ), gone as (
      delete from availability_mark m using lapsed l
      where m.store_id = ${storeId}::bigint and m.integration_id = ${integrationId}::bigint
        and m.external_id = l.external_id and not l.is_held
    ), passed as (
      update availability_item i set state = 'superseded', message = ${TIME_HAS_PASSED} from lapsed l
      where i.change_id = l.change_id and i.external_id = l.external_id
        and i.state = 'waiting' and not l.is_held
    )
    select external_id, tells from lapsed where not is_held`;
  const told = lapsed.filter((item) => item.tells);
  if (told.length === 0) return;
  await insertItemChange(tx, {
    ...ownChange(key, 'until'),
    items: told.map(({ externalId }) => ({
      externalId,
      available: true,
      until: null,
      state: 'waiting',
      message: null,
    })),
  });
}

/** The same for a pause. */
export async function endLapsedPause(tx: Transaction, key: PublicationKey): Promise<void> {
  const [ended] = await tx<{ waited: boolean; words: string | null; tells: boolean }[]>`
    with ended as (
      delete from store_pause p
      where p.store_id = ${key.storeId}::bigint and p.integration_id = ${key.integrationId}::bigint
        and p.until <= now()
      returning p.change_id, p.may_be_paused
    )
    select coalesce(c.state in ('queued', 'running'), false) as waited,
      case when c.tried then ${lastWords(tx, key)} end as words,
      ended.may_be_paused
        or coalesce(c.state in ('queued', 'running') and c.tried, false) as tells
    from ended left join availability_change c using (change_id)`;
  if (!ended) return;
  if (ended.waited) {
    const said = ended.words === null ? [] : [ended.words];
    const messages = [TIME_HAS_PASSED, ...said];
    await endStoreChanges(tx, key, { kind: 'pause', state: 'superseded', messages });
  }
  if (!ended.tells) return;
  await insertStoreChange(tx, { ...ownChange(key, 'until'), kind: 'pause', paused: false });
}

/**
 * Looks at special days again of which one is over. A waiting change whose days are all over ends; an app that knows
 * days by day and month is told to take the old ones away.
 */
export async function lookAtSpecialDays(
  tx: Transaction,
  key: PublicationKey,
  { daysHaveNoYear = false }: { readonly daysHaveNoYear?: boolean },
): Promise<void> {
  const looked = await dropPassedDays(tx, key);
  if (!looked) return;
  const { isOver, waits, words } = looked;
  if (waits && !isOver) return;
  if (waits) {
    const messages = [TIME_HAS_PASSED, ...(words === null ? [] : [words])];
    await endStoreChanges(tx, key, { kind: 'special_days', state: 'superseded', messages });
  }
  if (!daysHaveNoYear) return;
  const change = { ...ownChange(key, 'until'), kind: 'special_days' } as const;
  await insertStoreChange(tx, change);
  await tx`
    update store_special_days set change_id = ${change.changeId}
    where store_id = ${key.storeId}::bigint and integration_id = ${key.integrationId}::bigint`;
}

/** Undefined: it is not yet time to look. */
async function dropPassedDays(tx: Transaction, { storeId, integrationId }: PublicationKey) {
  const [row] = await tx<
    {
      readonly days: readonly StoredDay[];
      readonly timeZone: string | null;
      readonly now: Date;
      readonly waits: boolean;
      readonly words: string | null;
    }[]
  >`
    select d.days, s.time_zone, now() as now,
      coalesce(c.state in ('queued', 'running'), false) as waits,
      case when c.tried then ${lastWords(tx, { storeId, integrationId })} end as words
    from store_special_days d join store s using (store_id)
    left join availability_change c using (change_id)
    where d.store_id = ${storeId}::bigint and d.integration_id = ${integrationId}::bigint
      and d.next_look_at <= now()
    for update of d`;
  if (!row) return undefined;
  // A store whose days are to come has a time zone.
  const timeZone = row.timeZone ?? 'UTC';
  const today = dayInZone(row.now, timeZone);
  const left = daysFrom(row.days, today);
  await tx`
    update store_special_days set days = ${JSON.stringify(left)}::text::json,
      next_look_at = ${nextLook(left, today, timeZone)}::timestamptz
    where store_id = ${storeId}::bigint and integration_id = ${integrationId}::bigint`;
  return { isOver: left.length === 0, waits: row.waits, words: row.words };
}
