import {
  continueAsNew,
  isCancellation,
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
  TemporalFailure,
} from '@temporalio/workflow';
import type { AvailabilityActivities } from '../activities/availability-activities';
import { passLoop, type PassEnd } from './pass-loop';

export interface StoreAvailabilityInput {
  readonly storeId: number;
  readonly integrationId: number;
}

const retry = { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '10s' } as const;
const queue = proxyLocalActivities<AvailabilityActivities>({
  startToCloseTimeout: '60s',
  localRetryThreshold: '20s',
  retry,
});
const remote = proxyActivities<AvailabilityActivities>({
  // All calls of one activity, each as slow as an app may be; a hanging app ends it at its first call.
  startToCloseTimeout: '10m',
  heartbeatTimeout: '2200ms',
  retry: { ...retry, maximumAttempts: 8 },
});
/** Pause after a step that failed at every try. */
const BROKEN_MS = 10_000;

/** Keeps one delivery app of a store informed about items off sale and pauses, until their times have passed. */
export async function storeAvailability(input: StoreAvailabilityInput): Promise<void> {
  await passLoop({
    pass: () => tellNext(input),
    continueAsNew: () => continueAsNew<typeof storeAvailability>(input),
  });
}

async function tellNext(input: StoreAvailabilityInput): Promise<PassEnd> {
  const claim = await queue.claimAvailability(input);
  if (claim.kind === 'idle') return claim;
  setCurrentDetails(claim.told);
  if (claim.kind === 'wait') return { kind: 'wait', ms: claim.ms };
  const ref = { ...input, claimNo: claim.claimNo };
  try {
    const tell = claim.kind === 'items' ? remote.switchItems : remote.pauseStore;
    setCurrentDetails(`${claim.told} ${await tell(ref)}`);
    return { kind: 'again' };
  } catch (error) {
    if (error instanceof TemporalFailure && !isCancellation(error)) {
      return { kind: 'wait', ms: BROKEN_MS };
    }
    throw error;
  }
}
