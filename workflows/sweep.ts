import { continueAsNew, proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { SweepActivities } from '../activities/sweep-activities';

const { sweepForAnHour } = proxyActivities<SweepActivities>({
  startToCloseTimeout: '2h',
  // The delay if the sweeping worker dies. The sweep is the last safety net, so its rows are overdue already.
  heartbeatTimeout: '15s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '10s' },
});

/** A new run each day keeps its page in the Temporal UI short. */
const HOURS_IN_A_RUN = 24;

/** Sweeps forever: wakes for rows whose wake was lost, and removes expired rows. */
export async function sweepLine(): Promise<void> {
  setCurrentDetails(
    'Sweeping every ten seconds; its activity shows the rounds and wakes of this hour.',
  );
  for (let hour = 0; hour < HOURS_IN_A_RUN; hour += 1) {
    const { rounds, woken } = await sweepForAnHour();
    setCurrentDetails(
      `Sweeping every ten seconds. The last hour had ${rounds} rounds and woke ${woken} keys.`,
    );
  }
  await continueAsNew<typeof sweepLine>();
}
