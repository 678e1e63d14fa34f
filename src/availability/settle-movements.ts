import { keyLost } from '../http/idempotency-key-lost';
import type { Sql } from '../platform/db/client';
import { inBackground } from '../platform/in-background';
import type { Log } from '../platform/observe/log';
import type { Nudger } from '../platform/queue/nudger';
import { parseInstant } from '../platform/text/instant';
import { storeAvailabilityWorkflow } from './store-availability-workflow';
import type { ChangedLine } from './sql/requests';
import {
  applyMovement,
  dropMovement,
  insertMovement,
  type NewMovement,
} from './sql/stock-movements';

export interface StockDeps {
  readonly sql: Sql;
  readonly nudger: Nudger;
  readonly log: Log;
}

/** A movement as it was sent: with a decimal and a date as text. */
export interface StockMovement extends Omit<NewMovement, 'isOut' | 'movedAt'> {
  readonly currentStock: string;
  readonly date: string;
}

/** Stores a movement until `settleMovement`; returns its number. */
export async function storeMovement(
  { sql }: Pick<StockDeps, 'sql'>,
  { currentStock, date, ...movement }: StockMovement,
): Promise<number> {
  const movementNo = await insertMovement(sql, {
    ...movement,
    isOut: Number(currentStock) <= 0,
    movedAt: dateOf(date),
  });
  if (movementNo === undefined) throw keyLost();
  return movementNo;
}

/** Applies a movement, or drops one that was refused. */
async function settleMovement(
  { sql, nudger }: Pick<StockDeps, 'sql' | 'nudger'>,
  movementNo: number,
  isRefused: boolean,
): Promise<void> {
  if (isRefused) return dropMovement(sql, movementNo);
  await nudgeAvailability(nudger, await applyMovement(sql, movementNo));
}

/** The same after the answer, without delaying it; the sweep finds a failed one. */
export function settleInBackground(deps: StockDeps, movementNo: number, isRefused: boolean): void {
  inBackground(settleMovement(deps, movementNo, isRefused), (err) =>
    deps.log.warn({ movement_no: movementNo, err }, 'a stock movement will be applied later'),
  );
}

export async function nudgeAvailability(
  nudger: Nudger,
  lines: readonly ChangedLine[],
): Promise<void> {
  await Promise.all(
    lines.map(({ key, alive }) => nudger.nudge(storeAvailabilityWorkflow, key, alive)),
  );
}

/** Postgres has no year 0, and a year after 9999 is not written as it reads one. */
const EARLIEST = Date.parse('0001-01-01T00:00:00.000Z');
const LATEST = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * A date means its first moment; without an offset it is UTC. A leap second is the one before it. Their form was
 * checked with the request.
 */
function dateOf(text: string): Date {
  const moment = (/T/.test(text) ? text : `${text}T00:00Z`).replace(':60', ':59');
  const date = parseInstant(moment) ?? parseInstant(`${moment}Z`) ?? new Date();
  return new Date(Math.min(Math.max(date.getTime(), EARLIEST), LATEST));
}
