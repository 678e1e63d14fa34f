import { setTimeout as delay } from 'node:timers/promises';
import type { AttemptOutcome, OutcomeBatch } from '../sql/delivery-outcomes';
import { isDataRefused } from '../../platform/db/is-data-refused';
import { REFUSED_WITHOUT_WORDS } from '../attempt/judge-answer';

export interface ParkingDeps {
  readonly record: RecordBatch;
  /** Ends the delivery and leaves out the row of the attempt. */
  readonly recordWithoutAttempt: (outcome: AttemptOutcome) => Promise<void>;
  /** How long to wait before each further try, ms. */
  readonly waitsMs: readonly number[];
}

/** A minute in total: the cause may be a lock, a trigger or a missing partition that somebody is about to fix. */
export const PARKED_WAITS_MS = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000];

/**
 * Handles the outcome of one attempt that Postgres rejects, apart from all others. First it drops the receiver's
 * message, the only part that comes from outside; then it retries with waits. In the end it ends the delivery alone:
 * otherwise the receiver would get it again after each lease, without end. Resolves with whether anything could be
 * recorded; never rejects.
 */
export async function parkOutcome(deps: ParkingDeps, outcome: AttemptOutcome): Promise<boolean> {
  const message = outcome.state === 'refused' ? REFUSED_WITHOUT_WORDS : null;
  const wordless = { ...outcome, response: null, message };
  if (await isTaken(deps.record, wordless)) return true;
  for (const ms of deps.waitsMs) {
    // Does not keep an otherwise finished process alive.
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
      // Postgres is away, which says nothing about the row.
      await delay(1_000, undefined, { ref: false });
    }
  }
}

export type RecordBatch = (batch: OutcomeBatch) => Promise<void>;

/** A batch of one row that Postgres rejects. */
export interface RefusedOutcome {
  readonly batch: OutcomeBatch;
  readonly error: unknown;
}

/**
 * Records a batch that Postgres may reject, by halving it until each rejected row stands alone. Resolves with those
 * rows; everything else is recorded. One bad row among 400 costs 18 statements. Rejects with any other error.
 */
export async function recordAllButRefused(
  record: RecordBatch,
  batch: OutcomeBatch,
): Promise<RefusedOutcome[]> {
  try {
    await record(batch);
    return [];
  } catch (error) {
    if (!isDataRefused(error)) throw error;
    const rows = singleRows(batch);
    if (rows.length <= 1) return [{ batch, error }];
    const middle = Math.ceil(rows.length / 2);
    return [
      ...(await recordAllButRefused(record, joinBatches(rows.slice(0, middle)))),
      ...(await recordAllButRefused(record, joinBatches(rows.slice(middle)))),
    ];
  }
}

export function joinBatches(parts: readonly OutcomeBatch[]): OutcomeBatch {
  return {
    attempts: parts.flatMap((part) => part.attempts),
    released: parts.flatMap((part) => part.released),
    health: parts.flatMap((part) => part.health),
  };
}

const NOTHING: OutcomeBatch = { attempts: [], released: [], health: [] };

function singleRows({ attempts, released, health }: OutcomeBatch): OutcomeBatch[] {
  return [
    ...attempts.map((each) => ({ ...NOTHING, attempts: [each] })),
    ...released.map((each) => ({ ...NOTHING, released: [each] })),
    ...health.map((each) => ({ ...NOTHING, health: [each] })),
  ];
}
