import {
  continueAsNew,
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
} from '@temporalio/workflow';
import type { AvailabilityActivities } from '../activities/availability-activities';
import type { PublicationKey } from '../src/uploads/sql/publications';
import { orPause, passLoop, type PassEnd, RETRY, STEP_RETRY } from './pass-loop';

const untiring = proxyLocalActivities<AvailabilityActivities>({
  startToCloseTimeout: '60s',
  localRetryThreshold: '20s',
  retry: RETRY,
});
const remote = proxyActivities<AvailabilityActivities>({
  // All calls of one activity, each as slow as an app may be; a hanging app ends it at its first call.
  startToCloseTimeout: '10m',
  heartbeatTimeout: '2200ms',
  retry: STEP_RETRY,
});

const TELL = {
  items: remote.switchItems,
  pause: remote.pauseStore,
  special_days: remote.setSpecialDays,
} as const;

/** Keeps one delivery app of a store informed about items off sale, pauses and special days, until their times have passed. */
export async function storeAvailability(input: PublicationKey): Promise<void> {
  await passLoop({
    pass: () => tellNext(input),
    continueAsNew: () => continueAsNew<typeof storeAvailability>(input),
  });
}

async function tellNext(input: PublicationKey): Promise<PassEnd> {
  const claim = await untiring.claimAvailability(input);
  if (claim.kind === 'idle') return claim;
  setCurrentDetails(claim.summary);
  if (claim.kind === 'wait') return { kind: 'wait', ms: claim.ms };
  return orPause(async () => {
    const tell = TELL[claim.kind];
    setCurrentDetails(`${claim.summary} ${await tell({ ...input, claimNo: claim.claimNo })}`);
    return { kind: 'again' };
  });
}
