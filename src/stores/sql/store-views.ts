import type { PendingQuery, Row } from 'postgres';
import { keyIs } from '../../platform/db/key-is';
import type { Viewer } from '../../users/sql/users';
import type { Sql, Transaction } from '../../platform/db/client';

/** Whether the stock of a store decides if its items are on sale. */
export type AvailabilityFromStock = 'off' | 'on';

export interface StoreView {
  readonly storeId: number;
  readonly name: string;
  readonly countryCode: string;
  readonly direction: string | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
  /** IANA name. */
  readonly timeZone: string | null;
  readonly availabilityFromStock: AvailabilityFromStock;
}

/** The columns of a `StoreView`, for store `s`. */
export function storeColumns(sql: Transaction): PendingQuery<Row[]> {
  return sql`s.store_id, s.name, s.country_code, s.direction, s.latitude, s.longitude,
    s.time_zone, s.availability_from_stock`;
}

/** Undefined = no such store. */
export async function findStore(sql: Sql, storeId: number): Promise<StoreView | undefined> {
  const [row] = await sql<StoreView[]>`
    select ${storeColumns(sql)} from store s
    where s.store_id = ${storeId}::bigint and s.deleted_at is null`;
  return row;
}

/** The viewer's stores, newest first, at most `limit`; `before` is the last id of the previous page. */
export async function listStores(
  sql: Sql,
  viewer: Viewer,
  { before, limit }: { readonly before?: number; readonly limit: number },
): Promise<StoreView[]> {
  // Two statements rather than one with an `or`, which would scan all users' stores to find a few.
  if (viewer.seesAll) {
    return sql<StoreView[]>`
      select ${storeColumns(sql)} from store s
      where s.deleted_at is null ${before === undefined ? sql`` : sql`and s.store_id < ${before}::bigint`}
      order by s.store_id desc limit ${limit}`;
  }
  return sql<StoreView[]>`
    select ${storeColumns(sql)} from user_store us join store s using (store_id)
    where ${keyIs(sql, sql`us.user_id`, sql`${viewer.userId}`)} and s.deleted_at is null
      ${before === undefined ? sql`` : sql`and us.store_id < ${before}::bigint`}
    order by us.user_id desc, us.store_id desc limit ${limit}`;
}
