import type { Sql } from '../db/client';
import { discardOrdered } from '../db/discards';

const BATCH = 1_000;
/** A request goes on for so long, which is some ten thousand deliveries; the sweep does the rest. */
const PATIENCE_MS = 2_000;

/** Ends what the caller's deletion has ordered to be discarded, as far as it comes in time. */
export async function discardWaiting(sql: Sql): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  while (Date.now() < deadline) {
    if ((await discardOrdered(sql, BATCH)) < BATCH) return;
  }
}
