import { continueAsNew, proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { SweepActivities } from '../activities/sweep-activities';

const { sweepForAnHour } = proxyActivities<SweepActivities>({
  startToCloseTimeout: '2h',
  // What the death of the worker that sweeps costs: the sweep is the net below all others, and its rows are overdue already.
  heartbeatTimeout: '15s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '10s' },
});

/** A new run each day, so that what the Temporal UI shows of one stays short. */
const TURNS_IN_A_RUN = 24;

/** Catches what fell through, for ever: rows whose nudge was lost, and rows that have had their time. */
export async function sweepLine(): Promise<void> {
  setCurrentDetails('Sweeps every ten seconds: its activity shows what the last round found.');
  for (let turn = 0; turn < TURNS_IN_A_RUN; turn += 1) {
    const { rounds, nudged } = await sweepForAnHour();
    setCurrentDetails(
      `Sweeps every ten seconds. The last hour had ${rounds} rounds and nudged ${nudged} keys.`,
    );
  }
  await continueAsNew<typeof sweepLine>();
}
