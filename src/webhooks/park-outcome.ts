import { setTimeout as delay } from 'node:timers/promises';
import type { AttemptOutcome, OutcomeBatch } from '../db/delivery-outcomes';
import { isDataRefused } from '../db/is-data-refused';
import { REFUSED_WITHOUT_WORDS } from '../domain/receiver-verdict';
import type { RecordBatch } from './record-apart';

export interface ParkingDeps {
  readonly record: RecordBatch;
  /** Ends the delivery and leaves out the row of the attempt. */
  readonly recordWithoutAttempt: (outcome: AttemptOutcome) => Promise<void>;
  /** How long to wait before each further try, ms. */
  readonly waitsMs: readonly number[];
}

/** A minute: the reason may be a lock, a trigger or a missing partition that somebody is about to put right. */
export const PARKED_WAITS_MS = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000];

/**
 * Sees to the outcome of one attempt that Postgres does not take, beside all others. The receiver's words go first, as
 * nothing else in it is of another's making; then it waits. In the end the delivery alone is told what became of it:
 * were it left as it is, the receiver would get it again after each lease, without an end.
 * Resolves with whether anything of it could be recorded; never rejects.
 */
export async function parkOutcome(deps: ParkingDeps, outcome: AttemptOutcome): Promise<boolean> {
  const message = outcome.state === 'refused' ? REFUSED_WITHOUT_WORDS : null;
  const wordless = { ...outcome, response: null, message };
  if (await isTaken(deps.record, wordless)) return true;
  for (const ms of deps.waitsMs) {
    // A process that has ended otherwise does not wait for this.
    await delay(ms, undefined, { ref: false });
    if (await isTaken(deps.record, outcome)) return true;
    if (await isTaken(deps.record, wordless)) return true;
  }
  try {
    await deps.recordWithoutAttempt(wordless);
    return true;
  } catch {
    return false;
  }
}

async function isTaken(record: RecordBatch, attempt: AttemptOutcome): Promise<boolean> {
  const batch: OutcomeBatch = { attempts: [attempt], released: [], health: [] };
  for (;;) {
    try {
      await record(batch);
      return true;
    } catch (error) {
      if (isDataRefused(error)) return false;
      // Postgres is away: that says nothing about the row.
      await delay(1_000, undefined, { ref: false });
    }
  }
}
