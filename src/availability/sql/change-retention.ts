import type { Sql, Transaction } from '../../platform/db/client';

/** Removes up to `limit` changes that ended before the retention and that no mark refers to; returns how many. */
export async function removeExpiredChanges(sql: Sql, days: number, limit: number): Promise<number> {
  const rows = await sql`
    delete from availability_change where change_id in (
      select c.change_id from availability_change c
      where c.finished_at < now() - ${days}::int * interval '1 day'
        and not exists (select from availability_mark m where m.change_id = c.change_id)
        and not exists (select from store_pause p where p.change_id = c.change_id)
      order by c.finished_at limit ${limit} for update skip locked)
    returning change_id`;
  return rows.length;
}

/** Removes all data about items off sale in a store. */
export async function purgeAvailability(tx: Transaction, storeId: number): Promise<void> {
  await tx`delete from stock_movement where store_id = ${storeId}::bigint`;
  await tx`delete from stock_level where store_id = ${storeId}::bigint`;
  await tx`delete from availability_change where store_id = ${storeId}::bigint`;
  await tx`delete from availability_mark where store_id = ${storeId}::bigint`;
  await tx`delete from store_pause where store_id = ${storeId}::bigint`;
  await tx`delete from availability_line where store_id = ${storeId}::bigint`;
}
