import type { PendingQuery, Row } from 'postgres';
import type { Sql } from './client';
import { notifyRowsDone } from './row-done';

/** An order is kept for so long: an event that was about to be written when it was given has been written by then. */
const KEPT_SECONDS = 60;

/**
 * Orders that what waits for webhooks ends `discarded`, in the statement that deletes what it waits for. `targets` is a
 * query with the columns `subscription_id` and `store_id`; without a store all deliveries of the subscription are meant.
 */
export function orderDiscards(sql: Sql, targets: PendingQuery<Row[]>): PendingQuery<Row[]> {
  return sql`insert into discard_order (subscription_id, store_id) ${targets}`;
}

/** Ends up to `limit` deliveries as ordered and tells whoever waits for them; how many. */
export async function discardOrdered(sql: Sql, limit: number): Promise<number> {
  const [row] = await sql<{ discarded: number }[]>`
    with chosen as (
      select d.delivery_id from discard_order o join delivery d using (subscription_id)
      where d.state = 'pending' and (o.store_id is null or o.store_id = d.store_id)
        and d.created_at <= o.ordered_at
      limit ${limit} for update of d skip locked
    ), discarded as (
      update delivery d set state = 'discarded', finished_at = now()
      from chosen c where d.delivery_id = c.delivery_id and d.state = 'pending'
      returning d.delivery_id, d.awaited_until
    ), told as (
      ${notifyRowsDone(sql, sql`select delivery_id as id from discarded where awaited_until > now()`)}
    )
    select count(*)::int as discarded, (select count(*) from told) as told from discarded`;
  return row?.discarded ?? 0;
}

/** Forgets up to `limit` orders that have nothing left to discard; how many. */
export async function removeDoneDiscards(sql: Sql, limit: number): Promise<number> {
  const rows = await sql`
    delete from discard_order where discard_order_id in (
      select o.discard_order_id from discard_order o
      where o.ordered_at < now() - ${KEPT_SECONDS}::int * interval '1 s'
        and not exists (
          select from delivery d
          where d.subscription_id = o.subscription_id and d.state = 'pending'
            and (o.store_id is null or o.store_id = d.store_id) and d.created_at <= o.ordered_at)
      limit ${limit})
    returning discard_order_id`;
  return rows.length;
}
