import { wakeAvailability, type StockDeps } from '../src/availability/settle-movements';
import type { ToWake } from '../src/uploads/sql/publications';
import {
  applyMovement,
  dropMovement,
  listOverdueMovements,
  type OverdueMovement,
  postponeMovement,
} from '../src/availability/sql/stock-movements';
import { judgeEvent } from '../src/webhooks/delivery';
import type { EventId } from '../src/webhooks/delivery-ids';
import { listEventOutcomes } from '../src/webhooks/sql/deliveries';

/** Movements read at once. */
const BATCH = 500;
/** After this time the rest is left to the next round. A movement may wait long for the rows of its store. */
const BUDGET_MS = 5_000;

/**
 * Applies stock movements that no request settled: its process died, or had no permit to let it wait. Returns how many.
 * One that fails is tried again later, behind the others. Throws if that cannot be written either: then Postgres is
 * away.
 */
export async function settleOverdueMovements({ sql, waker, log }: StockDeps): Promise<number> {
  const endAt = performance.now() + BUDGET_MS;
  const queues: ToWake[] = [];
  let settled = 0;
  try {
    for (let isMore = true; isMore;) {
      const movements = await listOverdueMovements(sql, BATCH);
      for (const movement of movements) {
        if (performance.now() > endAt) return settled;
        const { movementNo } = movement;
        try {
          queues.push(...(await settle(sql, movement)));
          settled += 1;
        } catch (err) {
          await postponeMovement(sql, movementNo);
          log.warn({ movement_no: movementNo, err }, 'a stock movement will be applied later');
        }
      }
      // Each is gone now, or overdue again later.
      isMore = movements.length === BATCH;
    }
  } finally {
    // One signal for each queue, because each takes seconds while Temporal is away.
    await wakeAvailability(waker, distinct(queues));
  }
  return settled;
}

async function settle(
  sql: StockDeps['sql'],
  { movementNo, eventId, deliveries, isOld }: OverdueMovement,
): Promise<ToWake[]> {
  const outcomes = eventId === null ? [] : await listEventOutcomes(sql, eventId as EventId);
  const isLost = outcomes.length < deliveries;
  if (!isLost && judgeEvent(outcomes).kind !== 'refused') return applyMovement(sql, movementNo);
  // An event without its deliveries was never accepted, unless Postgres is so slow that they are still to come.
  if (isLost && !isOld) await postponeMovement(sql, movementNo);
  else await dropMovement(sql, movementNo);
  return [];
}

function distinct(queues: readonly ToWake[]): ToWake[] {
  return [
    ...new Map(
      queues.map((queue) => [`${queue.key.storeId}/${queue.key.integrationId}`, queue]),
    ).values(),
  ];
}
