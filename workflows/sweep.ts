import { proxyActivities } from '@temporalio/workflow';
import type { SweepActivities } from '../activities/sweep-activities';

const { nudgeOverdue, removeExpired } = proxyActivities<SweepActivities>({
  startToCloseTimeout: '60s',
  // The schedule comes round again soon; a sweep that cannot reach Postgres now has nothing to wait for.
  retry: { maximumAttempts: 3 },
});

/** Catches what fell through: rows whose nudge was lost, and rows that have had their time. */
export async function sweep(): Promise<void> {
  await nudgeOverdue();
  await removeExpired();
}
