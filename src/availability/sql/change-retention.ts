import type { Sql, Transaction } from '../../platform/db/client';
import { onlyRow } from '../../platform/db/only-row';

/** A position among the ended changes, in their order. The time is Postgres' own text, to the microsecond. */
export interface ChangePosition {
  readonly finishedAt: string;
  readonly changeId: string;
}

/**
 * Checks up to `limit` changes after `from` that ended before the retention, oldest first, and removes those to which
 * no mark refers. Changes of items that are off sale for good accumulate at the old end, so the next call continues
 * from `upTo`.
 */
export async function removeExpiredChanges(
  sql: Sql,
  days: number,
  limit: number,
  { finishedAt, changeId }: ChangePosition = { finishedAt: '-infinity', changeId: '' },
): Promise<{ readonly looked: number; readonly upTo: ChangePosition | null }> {
  const rows = await sql<{ looked: number; removed: number; upTo: ChangePosition | null }[]>`
    with old as (
      select change_id, finished_at from availability_change
      where finished_at >= ${finishedAt}::timestamptz
        and (finished_at, change_id) > (${finishedAt}::timestamptz, ${changeId})
        and finished_at < now() - ${days}::int * interval '1 day'
      order by finished_at, change_id limit ${limit} for update skip locked
    ), removed as (
      delete from availability_change c using old
      where c.change_id = old.change_id
        and not exists (select from availability_mark m where m.change_id = c.change_id)
        and not exists (select from store_pause p where p.change_id = c.change_id)
        and not exists (select from store_special_days d where d.change_id = c.change_id)
      returning c.change_id
    )
    select (select count(*) from old)::int as looked, (select count(*) from removed)::int as removed,
      (select json_build_object('finishedAt', finished_at::text, 'changeId', change_id) from old
        order by finished_at desc, change_id desc limit 1) as up_to`;
  const { looked, upTo } = onlyRow(rows);
  return { looked, upTo };
}

/** Removes up to `limit` levels of items of which no movement counted within the retention; returns how many. */
export async function removeExpiredLevels(sql: Sql, days: number, limit: number): Promise<number> {
  const rows = await sql`
    delete from stock_level where ctid = any (array(
      select ctid from stock_level where counted_at < now() - ${days}::int * interval '1 day'
      order by counted_at limit ${limit} for update skip locked))
    returning movement_no`;
  return rows.length;
}

/** Removes up to `limit` rows of a store; returns how many. */
export interface StoreBatch {
  readonly remove: (sql: Sql, storeId: number, limit: number) => Promise<number>;
  readonly limit: number;
}

/** A store may have any number of these. A change takes up to 500 items with it. */
export const AVAILABILITY_BATCHES: readonly StoreBatch[] = [
  { remove: removeMovements, limit: 1_000 },
  { remove: removeLevels, limit: 1_000 },
  { remove: removeChanges, limit: 100 },
  { remove: removeMarks, limit: 1_000 },
  { remove: removeSeasons, limit: 1_000 },
];

async function removeMovements(sql: Sql, storeId: number, limit: number): Promise<number> {
  const rows = await sql`
    delete from stock_movement where movement_no = any (array(
      select movement_no from stock_movement where store_id = ${storeId}::bigint limit ${limit}))
    returning movement_no`;
  return rows.length;
}

async function removeLevels(sql: Sql, storeId: number, limit: number): Promise<number> {
  const rows = await sql`
    delete from stock_level where ctid = any (array(
      select ctid from stock_level where store_id = ${storeId}::bigint limit ${limit}
      for update skip locked))
    returning movement_no`;
  return rows.length;
}

async function removeChanges(sql: Sql, storeId: number, limit: number): Promise<number> {
  const rows = await sql`
    delete from availability_change where change_id = any (array(
      select change_id from availability_change where store_id = ${storeId}::bigint limit ${limit}))
    returning change_id`;
  return rows.length;
}

async function removeMarks(sql: Sql, storeId: number, limit: number): Promise<number> {
  const rows = await sql`
    delete from availability_mark where mark_no = any (array(
      select mark_no from availability_mark where store_id = ${storeId}::bigint limit ${limit}))
    returning mark_no`;
  return rows.length;
}

async function removeSeasons(sql: Sql, storeId: number, limit: number): Promise<number> {
  const rows = await sql`
    delete from item_season where ctid = any (array(
      select ctid from item_season where store_id = ${storeId}::bigint limit ${limit}
      for update skip locked))
    returning external_id`;
  return rows.length;
}

/** Removes what is left about availability in a store: a row or two for each integration. */
export async function removeQueues(tx: Transaction, storeId: number): Promise<void> {
  await tx`delete from store_pause where store_id = ${storeId}::bigint`;
  await tx`delete from store_special_days where store_id = ${storeId}::bigint`;
  await tx`delete from availability_queue where store_id = ${storeId}::bigint`;
}
