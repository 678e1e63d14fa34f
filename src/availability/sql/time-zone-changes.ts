import type { ToWake } from '../../uploads/sql/publications';
import type { Transaction } from '../../platform/db/client';
import { dayInZone } from '../../platform/text/time-zone';
import { daysFrom, type StoredDay } from '../special-days';
import { lookAtSeasonsAgain } from './seasons';
import { lookAtDaysAgain, timeZoneMissing } from './special-days';

/**
 * The time zone of a store is about to change, and with it when its days begin and end. Throws the 409 if it is to have
 * none while special days are to come or items have a season, else has them looked at again. Returns the queues to
 * wake.
 */
export async function changeTimeZone(
  tx: Transaction,
  storeId: number,
  timeZone: string | null,
): Promise<ToWake[]> {
  const [store] = await tx<
    { timeZone: string | null; days: readonly StoredDay[] | null; now: Date }[]
  >`
    select time_zone, special_days as days, now() as now from store
    where store_id = ${storeId}::bigint and deleted_at is null
    for no key update`;
  if (!store || store.timeZone === null || store.timeZone === timeZone) return [];
  const keys = [
    ...(await lookAtDaysAgain(tx, storeId)),
    ...(await lookAtSeasonsAgain(tx, storeId)),
  ];
  const today = dayInZone(store.now, store.timeZone);
  const isNeeded = keys.length > 0 || daysFrom(store.days ?? [], today).length > 0;
  if (timeZone === null && isNeeded) throw timeZoneMissing();
  // Whoever has the lease may have looked already: it is woken too, or the sweep finds what it left.
  return keys.map((key) => ({ key, leased: false }));
}
