import {
  continueAsNew,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  TemporalFailure,
} from '@temporalio/workflow';
import type { CheckActivities } from '../activities/drift-check-activities';
import { passLoop, type PassEnd } from './pass-loop';

export interface DriftCheckInput {
  readonly storeId: number;
  readonly integrationId: number;
}

const { checkLive } = proxyActivities<CheckActivities>({
  // Three readings, each after up to three requests for a token, and the wait for a push in progress.
  startToCloseTimeout: '10m',
  heartbeatTimeout: '2200ms',
  retry: {
    initialInterval: '200ms',
    backoffCoefficient: 2,
    maximumInterval: '10s',
    maximumAttempts: 8,
  },
});
/** Pause after a reading that failed at every try. */
const BROKEN_MS = 10_000;

/** Reads back what one delivery app shows of a store, as often as requested. */
export async function driftCheck(input: DriftCheckInput): Promise<void> {
  await passLoop({
    pass: () => readNext(input),
    continueAsNew: () => continueAsNew<typeof driftCheck>(input),
  });
}

async function readNext(input: DriftCheckInput): Promise<PassEnd> {
  try {
    const { next, told } = await checkLive(input);
    if (next === 'idle') return { kind: 'idle' };
    setCurrentDetails(told);
    return { kind: 'again' };
  } catch (error) {
    if (error instanceof TemporalFailure && !isCancellation(error)) {
      return { kind: 'wait', ms: BROKEN_MS };
    }
    throw error;
  }
}
