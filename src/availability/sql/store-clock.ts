import { onlyRow } from '../../platform/db/only-row';
import type { Transaction } from '../../platform/db/client';

/** The moment, and the time zone in which a store counts its days. */
export interface StoreClock {
  readonly now: Date;
  /** A store with seasons, or with special days to come, has one. */
  readonly timeZone: string;
}

export async function findStoreClock(tx: Transaction, storeId: number): Promise<StoreClock> {
  return onlyRow(
    await tx<StoreClock[]>`
      select now() as now, coalesce(time_zone, 'UTC') as time_zone from store
      where store_id = ${storeId}::bigint`,
  );
}
