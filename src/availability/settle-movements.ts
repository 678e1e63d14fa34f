import type { ToWake } from '../uploads/sql/publications';
import { keyLost } from '../http/idempotency-key-lost';
import type { Sql } from '../platform/db/client';
import { inBackground } from '../platform/in-background';
import type { Log } from '../platform/observe/log';
import type { Waker } from '../platform/queue/waker';
import { parseInstant } from '../platform/text/instant';
import { momentInZone } from '../platform/text/time-zone';
import { storeAvailabilityWorkflow } from './queue';
import {
  applyMovement,
  dropMovement,
  insertMovement,
  type NewMovement,
} from './sql/stock-movements';

export interface StockDeps {
  readonly sql: Sql;
  readonly waker: Waker;
  readonly log: Log;
}

/** A movement as it was sent: with a decimal and a date as text. */
export interface StockMovement extends Omit<NewMovement, 'isOut' | 'saidAt'> {
  readonly currentStock: string;
  readonly date: string;
  /** Of the store; null without. */
  readonly timeZone: string | null;
}

/** Stores a movement until `settleMovement`; returns its number. */
export async function storeMovement(
  { sql }: Pick<StockDeps, 'sql'>,
  { currentStock, date, timeZone, ...movement }: StockMovement,
): Promise<number> {
  const movementNo = await insertMovement(sql, {
    ...movement,
    isOut: Number(currentStock) <= 0,
    saidAt: momentOf(date, timeZone),
  });
  if (movementNo === undefined) throw keyLost();
  return movementNo;
}

/** Applies a movement, or drops one that was refused. */
async function settleMovement(
  { sql, waker }: Pick<StockDeps, 'sql' | 'waker'>,
  movementNo: number,
  isRefused: boolean,
): Promise<void> {
  if (isRefused) return dropMovement(sql, movementNo);
  await wakeAvailability(waker, await applyMovement(sql, movementNo));
}

/** The same after the answer, without delaying it; the sweep finds a failed one. */
export function settleInBackground(deps: StockDeps, movementNo: number, isRefused: boolean): void {
  inBackground(settleMovement(deps, movementNo, isRefused), (err) =>
    deps.log.warn({ movement_no: movementNo, err }, 'a stock movement will be applied later'),
  );
}

export async function wakeAvailability(waker: Waker, queues: readonly ToWake[]): Promise<void> {
  await Promise.all(
    queues.map(({ key, leased }) => waker.wake(storeAvailabilityWorkflow, key, leased)),
  );
}

/**
 * The moment that a date names: a date-time with an offset, or one without in the store's time zone, if it names one
 * moment there. Null: none. A leap second is the one before it. The form was checked with the request.
 */
export function momentOf(date: string, timeZone: string | null): Date | null {
  const text = date.replace(':60', ':59');
  const moment = parseInstant(text);
  if (moment) return moment;
  const wall = timeZone === null ? undefined : parseInstant(`${text}Z`);
  return (wall && timeZone !== null && momentInZone(wall, timeZone)) || null;
}
