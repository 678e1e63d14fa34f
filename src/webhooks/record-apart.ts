import type { OutcomeBatch } from '../db/delivery-outcomes';
import { isDataRefused } from '../db/is-data-refused';

export type RecordBatch = (batch: OutcomeBatch) => Promise<void>;

/** A batch of one row that Postgres does not take. */
export interface RefusedOutcome {
  readonly batch: OutcomeBatch;
  readonly error: unknown;
}

/**
 * Records a batch that Postgres may refuse: in halves, until a row that is refused stands alone. Resolves with those;
 * everything else is recorded then. One bad row among 400 costs 18 statements. Rejects with any other error.
 */
export async function recordApart(
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
      ...(await recordApart(record, joinBatches(rows.slice(0, middle)))),
      ...(await recordApart(record, joinBatches(rows.slice(middle)))),
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
