import type { ChangeId } from '../../platform/ids';
import { AppError } from '../../platform/errors';
import { TIME_ZONE_MISSING } from '../../uploads/checked-menu';
import type { Sql, Transaction } from '../../platform/db/client';
import { onlyRow } from '../../platform/db/only-row';
import { dayInZone } from '../../platform/text/time-zone';
import type { PublicationKey } from '../../uploads/sql/publications';
import type { ChangeState } from '../availability';
import { daysFrom, daysToTell, nextLook, type StoredDay } from '../special-days';
import type { SpecialDay } from '../../delivery-apps/app-client';
import { clearRetry, type QueueClaim } from './calls';
import { endStoreChanges } from './changes';
import { findStoreClock, type StoreClock } from './store-clock';

/** The 409 where days of the store are meant, and nobody knows when they begin. */
export function timeZoneMissing(): AppError {
  return new AppError('time_zone_missing', TIME_ZONE_MISSING);
}

/** The special days that a store is to have everywhere; locks the store. Throws the 409 of one without a time zone. */
export async function keepWantedDays(
  tx: Transaction,
  storeId: number,
  days: readonly StoredDay[],
): Promise<void> {
  const rows = await tx`
    update store set special_days = ${JSON.stringify(days)}::text::json
    where store_id = ${storeId}::bigint and time_zone is not null
    returning store_id`;
  if (rows.length === 0) throw timeZoneMissing();
}

/** The special days that an integration of a store is to have from now on. The store must be locked. */
export async function writeSpecialDays(
  tx: Transaction,
  { storeId, integrationId }: PublicationKey,
  { days, changeId }: { readonly days: readonly StoredDay[]; readonly changeId: ChangeId },
): Promise<void> {
  const { timeZone, now } = await findStoreClock(tx, storeId);
  const next = nextLook(days, dayInZone(now, timeZone), timeZone);
  await tx`
    insert into store_special_days (store_id, integration_id, days, next_look_at, change_id)
    values (${storeId}::bigint, ${integrationId}::bigint, ${JSON.stringify(days)}::text::json,
      ${next}::timestamptz, ${changeId})
    on conflict (store_id, integration_id) do update set
      days = excluded.days, next_look_at = excluded.next_look_at, change_id = excluded.change_id`;
}

/** Special days that the app must be told. */
export interface DueDays {
  readonly changeId: string;
  readonly days: readonly SpecialDay[];
}

/**
 * The waiting special days of a queue, without those that are over; undefined = there are none, a day has ended, which
 * the next claim looks at, or another claim has taken over.
 */
export async function takeSpecialDays(
  sql: Sql,
  { storeId, integrationId, claimNo }: QueueClaim,
  app: { readonly daysHaveNoYear?: boolean },
): Promise<DueDays | undefined> {
  const [row] = await sql<
    (StoreClock & { readonly changeId: string; readonly days: readonly StoredDay[] })[]
  >`
    with waiting as (
      select c.change_id from availability_change c, availability_queue q
      where c.store_id = ${storeId}::bigint and c.integration_id = ${integrationId}::bigint
        and c.kind = 'special_days' and c.state in ('queued', 'running')
        and q.store_id = c.store_id and q.integration_id = c.integration_id
        and q.claim_no = ${claimNo}::bigint
    ), tried as (
      update availability_change c set tried = true from waiting w
      where c.change_id = w.change_id and c.state in ('queued', 'running')
      returning c.change_id
    )
    select t.change_id, d.days, coalesce(s.time_zone, 'UTC') as time_zone, now() as now
    from tried t, store_special_days d join store s using (store_id)
    where d.store_id = ${storeId}::bigint and d.integration_id = ${integrationId}::bigint
      and coalesce(d.next_look_at > now(), true)`;
  if (!row) return undefined;
  const { changeId, days, timeZone, now } = row;
  return { changeId, days: daysToTell(days, dayInZone(now, timeZone), app) };
}

/** Ends the change from `takeSpecialDays`, unless a newer one replaced it. */
export async function recordSpecialDays(
  sql: Sql,
  claim: QueueClaim,
  changeId: string,
  state: 'done' | 'failed',
  messages: readonly string[],
): Promise<void> {
  await sql.begin(async (tx) => {
    if (!(await clearRetry(tx, claim))) return;
    await endStoreChanges(tx, claim, { kind: 'special_days', state, messages, changeId });
  });
}

/** The latest change of the special days of a store in one integration. */
export interface DaysInApp {
  readonly integrationId: number;
  readonly changeId: ChangeId;
  readonly state: ChangeState;
  readonly messages: readonly string[];
  /** What it is to have; null: it was refused before anything was to be told. */
  readonly days: readonly StoredDay[] | null;
}

/** What is wanted of a store, those that are over left out, and how far each app is. */
export interface WantedDays {
  readonly days: readonly StoredDay[];
  readonly integrations: readonly DaysInApp[];
}

export async function findSpecialDays(sql: Sql, storeId: number): Promise<WantedDays> {
  const stores = await sql<
    { days: readonly StoredDay[] | null; timeZone: string | null; now: Date }[]
  >`
    select special_days as days, time_zone, now() as now from store
    where store_id = ${storeId}::bigint`;
  const { days, timeZone, now } = onlyRow(stores);
  const today = dayInZone(now, timeZone ?? 'UTC');
  const integrations = await sql<DaysInApp[]>`
    select i.integration_id, c.change_id, c.state, c.messages, d.days
    from store_integration i
    cross join lateral (
      select * from availability_change c
      where c.store_id = i.store_id and c.integration_id = i.integration_id
        and c.kind = 'special_days'
      order by c.created_at desc, c.change_id desc limit 1
    ) c
    left join store_special_days d
      on d.store_id = i.store_id and d.integration_id = i.integration_id
    where i.store_id = ${storeId}::bigint
    order by i.integration_id`;
  return {
    days: daysFrom(days ?? [], today),
    integrations: integrations.map((each) => ({
      ...each,
      days: each.days && daysFrom(each.days, today),
    })),
  };
}

/** The store has another time zone: its special days are looked at again. Returns the queues to wake. */
export async function lookAtDaysAgain(tx: Transaction, storeId: number): Promise<PublicationKey[]> {
  return tx<PublicationKey[]>`
    update store_special_days set next_look_at = now()
    where store_id = ${storeId}::bigint and next_look_at is not null
    returning store_id, integration_id`;
}
