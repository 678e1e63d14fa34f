import { planStock } from '../plan-items';
import type { Sql, Transaction } from '../../platform/db/client';
import { type HeldKey, bindHeldKey } from '../../http/sql/idempotency';
import { newId } from '../../platform/ids';
import type { PublicationKey, ToWake } from '../../uploads/sql/publications';
import { insertItemChange, lockQueue, ownChange } from './changes';
import { findKnownItems, liftAllStock, liftHolder, markItems } from './marks';

/** The part of a stock movement that concerns availability. */
export interface NewMovement {
  readonly storeId: number;
  readonly externalId: string;
  /** The stock is zero or less. */
  readonly isOut: boolean;
  /** When it was, by its sender's clock; null: it does not say. */
  readonly saidAt: Date | null;
  /** The event that the linked systems may refuse; null: no system can. */
  readonly eventId: string | null;
  readonly deliveries: number;
  /** How long the systems may take to answer, ms. */
  readonly waitMs: number;
  /** Bound to the event, or without one to the movement; null if its deliveries bind it, or if there is no key. */
  readonly heldKey: HeldKey | null;
}

/** A date is compared if it is at most so far ahead of the database's clock, */
const CLOCK_AHEAD_MS = 300_000;
/** and at most so far behind it. */
const LATEST_ARRIVAL_DAYS = 7;
/** Changes by stock are collected for this long, per store and integration. */
const COLLECTED_MS = 2_000;

/**
 * Stores a movement until it is applied; returns its number. Undefined if the idempotency key was lost. It counts as of
 * its acceptance unless its own date can be true: otherwise a wrong clock of a till would win for ever, or never.
 */
export async function insertMovement(
  sql: Sql,
  { heldKey, ...movement }: NewMovement,
): Promise<number | undefined> {
  const [row] = await sql<{ movementNo: number }[]>`
    with held_key as (${bindHeldKey(sql, heldKey, movement.eventId ?? newId('mov'))})
    insert into stock_movement (store_id, external_id, is_out, moved_at, event_id, deliveries, counts_at)
    select ${movement.storeId}::bigint, ${movement.externalId}, ${movement.isOut}::boolean,
      case when said.at >= now() - ${LATEST_ARRIVAL_DAYS}::int * interval '1 day'
          and said.at <= now() + ${CLOCK_AHEAD_MS}::int * interval '1 ms'
        then said.at else now() end, ${movement.eventId}, ${movement.deliveries}::int,
      now() + ${movement.waitMs}::int * interval '1 ms'
    from held_key, to_timestamp(${movement.saidAt?.getTime() ?? null}::float8 / 1000) as said(at)
    returning movement_no`;
  return row?.movementNo;
}

export interface OverdueMovement {
  readonly movementNo: number;
  readonly eventId: string | null;
  readonly deliveries: number;
  /** Whether the statement that writes its event must have ended. */
  readonly isOld: boolean;
}

/** Up to `limit` movements that their processes did not settle, and whose systems have had their time. */
export function listOverdueMovements(sql: Sql, limit: number): Promise<OverdueMovement[]> {
  return sql<OverdueMovement[]>`
    select movement_no, event_id, deliveries,
      stored_at < now() - interval '2 minutes' as is_old
    from stock_movement
    where counts_at < now() - interval '3 s' order by counts_at limit ${limit}`;
}

/** The movement could not be settled, and is overdue again later. */
export async function postponeMovement(sql: Sql, movementNo: number): Promise<void> {
  await sql`
    update stock_movement set counts_at = now() + interval '1 minute'
    where movement_no = ${movementNo}::bigint`;
}

/** The movement is not applied: it was refused, or never accepted. */
export async function dropMovement(sql: Sql, movementNo: number): Promise<void> {
  await sql`delete from stock_movement where movement_no = ${movementNo}::bigint`;
}

/**
 * Applies a movement, once: takes the item off sale, or puts it back, if a live menu contains it. Of two movements
 * the one with the newer date counts; for equal dates the one accepted later. Returns the queues that must be told.
 */
export function applyMovement(sql: Sql, movementNo: number): Promise<ToWake[]> {
  return sql.begin(async (tx) => {
    const [counted] = await tx<{ storeId: number; externalId: string; isOut: boolean }[]>`
      with taken as (
        delete from stock_movement where movement_no = ${movementNo}::bigint returning *
      ), open as (
        select t.*, s.stock_since from taken t join store s using (store_id)
        where s.availability_from_stock = 'on' and s.deleted_at is null
          and coalesce(t.stored_at > s.stock_since, true)
        for share of s
      )
      insert into stock_level as l (store_id, external_id, movement_no, moved_at, is_out)
      select store_id, external_id, movement_no, moved_at, is_out from open
      on conflict (store_id, external_id) do update set movement_no = excluded.movement_no,
        moved_at = excluded.moved_at, is_out = excluded.is_out, counted_at = now()
      where (excluded.moved_at, excluded.movement_no) > (l.moved_at, l.movement_no)
        or l.counted_at <= (select stock_since from open)
      returning store_id, external_id, is_out`;
    if (!counted) return [];
    const queues: ToWake[] = [];
    for (const integrationId of await listContradicted(tx, counted)) {
      const key = { storeId: counted.storeId, integrationId };
      const queue = await applyStock(tx, key, counted.externalId, counted.isOut);
      if (queue) queues.push(queue);
    }
    return queues;
  });
}

/**
 * The integrations in which stock does not hold the item as it should; without a live menu it only puts back. Most
 * movements end here, and take no lock of a queue: the row of the item's level, which is locked, keeps others from
 * marking it.
 */
async function listContradicted(
  tx: Transaction,
  { storeId, externalId, isOut }: { storeId: number; externalId: string; isOut: boolean },
): Promise<number[]> {
  const rows = await tx<{ integrationId: number }[]>`
    select p.integration_id from publication p
    left join availability_mark m on m.store_id = p.store_id
      and m.integration_id = p.integration_id and m.external_id = ${externalId}
    where p.store_id = ${storeId}::bigint
      and (p.live_upload_id is not null or not ${isOut}::boolean)
      and coalesce(m.by_stock, false) <> ${isOut}::boolean
    order by p.integration_id`;
  return rows.map((row) => row.integrationId);
}

/** Undefined: nothing changes in the app. */
async function applyStock(
  tx: Transaction,
  key: PublicationKey,
  externalId: string,
  isOut: boolean,
): Promise<ToWake | undefined> {
  const leased = await lockQueue(tx, key);
  const [item] = (await findKnownItems(tx, key, [externalId])).items;
  const plan = item ? planStock(item, isOut) : null;
  if (!plan) return undefined;
  const changeId = newId('avc');
  const cause = { source: 'stock', changeId, tells: plan.tells } as const;
  if (plan.isMarked) await markItems(tx, key, cause, [{ externalId, until: null }]);
  else await liftHolder(tx, key, 'stock', [externalId]);
  if (!plan.tells) return undefined;
  await insertItemChange(tx, {
    ...ownChange(key, 'stock'),
    changeId,
    delayMs: COLLECTED_MS,
    items: [{ externalId, available: !isOut, until: null, state: 'waiting', message: null }],
  });
  return { key, leased };
}

/**
 * Stock no longer decides in a store: items that it alone held off sale come back. Returns the queues that must be
 * told. The store's row must be locked: a movement in progress has then been counted, or will find that it counts no
 * more. The movement's row is not touched: it is locked while the movement waits for the store's row.
 */
export async function forgetStock(tx: Transaction, storeId: number): Promise<ToWake[]> {
  await tx`
    update store set stock_since = clock_timestamp() where store_id = ${storeId}::bigint`;
  const marked = await tx<{ integrationId: number }[]>`
    select distinct integration_id from availability_mark
    where store_id = ${storeId}::bigint and by_stock order by integration_id`;
  const queues: ToWake[] = [];
  for (const { integrationId } of marked) {
    const key = { storeId, integrationId };
    const leased = await lockQueue(tx, key);
    const only = await liftAllStock(tx, key);
    if (only.length === 0) continue;
    await insertItemChange(tx, {
      ...ownChange(key, 'setting'),
      changeId: newId('avc'),
      items: only.map((externalId) => ({
        externalId,
        available: true,
        until: null,
        state: 'waiting',
        message: null,
      })),
    });
    queues.push({ key, leased });
  }
  return queues;
}
