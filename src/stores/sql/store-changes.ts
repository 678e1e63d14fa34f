import type { Transaction } from '../../platform/db/client';
import { sqlState, UNIQUE_VIOLATION } from '../../platform/db/is-data-refused';
import { type AvailabilityFromStock, storeColumns, type StoreView } from './store-views';

/** Absent fields stay as they are. */
export interface StoreChange {
  readonly name?: { readonly shown: string; readonly key: string };
  readonly countryCode?: string;
  /** Null clears it. */
  readonly direction?: string | null;
  /** Null clears both coordinates. */
  readonly point?: { readonly latitude: number; readonly longitude: number } | null;
  /** Null clears it. */
  readonly timeZone?: string | null;
  readonly availabilityFromStock?: AvailabilityFromStock;
}

/**
 * Changes a store and returns its new state. `taken`: another store of its creator has the name. Undefined = no such
 * store.
 */
export async function changeStore(
  sql: Transaction,
  storeId: number,
  change: StoreChange,
): Promise<StoreView | 'taken' | undefined> {
  const { name, countryCode, direction, point, timeZone, availabilityFromStock } = change;
  try {
    const [row] = await sql<StoreView[]>`
      update store s set
        name = coalesce(${name?.shown ?? null}::text, s.name),
        name_key = coalesce(${name?.key ?? null}::text, s.name_key),
        country_code = coalesce(${countryCode ?? null}::text, s.country_code),
        direction = case when ${direction !== undefined}::boolean
          then ${direction ?? null}::text else s.direction end,
        latitude = case when ${point !== undefined}::boolean
          then ${point?.latitude ?? null}::double precision else s.latitude end,
        longitude = case when ${point !== undefined}::boolean
          then ${point?.longitude ?? null}::double precision else s.longitude end,
        time_zone = case when ${timeZone !== undefined}::boolean
          then ${timeZone ?? null}::text else s.time_zone end,
        availability_from_stock =
          coalesce(${availabilityFromStock ?? null}::text, s.availability_from_stock)
      where s.store_id = ${storeId}::bigint and s.deleted_at is null
      returning ${storeColumns(sql)}`;
    return row;
  } catch (error) {
    // The index decides, because two simultaneous changes could both find the name free.
    if (sqlState(error) === UNIQUE_VIOLATION) return 'taken';
    throw error;
  }
}
