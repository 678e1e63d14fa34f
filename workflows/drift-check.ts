import { continueAsNew, proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { CheckActivities } from '../activities/drift-check-activities';
import type { PublicationKey } from '../src/uploads/sql/publications';
import { orPause, passLoop, type PassEnd, STEP_RETRY } from './pass-loop';

const { checkLive } = proxyActivities<CheckActivities>({
  // Three readings, a minute apart where the app wants that, each after up to three requests for a token, and the wait
  // for a push in progress.
  startToCloseTimeout: '10m',
  heartbeatTimeout: '2200ms',
  retry: STEP_RETRY,
});

/** Reads back what one delivery app shows of a store, as often as requested. */
export async function driftCheck(input: PublicationKey): Promise<void> {
  await passLoop({
    pass: () => orPause(() => readNext(input)),
    continueAsNew: () => continueAsNew<typeof driftCheck>(input),
  });
}

async function readNext(input: PublicationKey): Promise<PassEnd> {
  const { next, summary } = await checkLive(input);
  if (next === 'idle') return { kind: 'idle' };
  setCurrentDetails(summary);
  return { kind: 'again' };
}
