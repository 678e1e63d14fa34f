import { continueAsNew, proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { RolloutActivities } from '../activities/rollout-activities';
import { passLoop, type PassEnd, RETRY } from './pass-loop';

const { driveRollout } = proxyActivities<RolloutActivities>({
  startToCloseTimeout: '60s',
  heartbeatTimeout: '2200ms',
  retry: RETRY,
});

/** Apps that are away are retried for a day, so a rollout that waits for them is checked less and less often. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

/** Uploads one menu to many stores, some at once, or reverts that. Its results are in its rows. */
export async function menuRollout(rolloutId: string): Promise<string> {
  let pauseMs = FIRST_PAUSE_MS;
  let summary = '';
  await passLoop({
    pass: async (): Promise<PassEnd> => {
      const rollout = await driveRollout(rolloutId);
      summary = `${rollout.state}: ${rollout.summary}`;
      setCurrentDetails(summary);
      if (rollout.state !== 'running' && rollout.state !== 'reverting') return { kind: 'idle' };
      if (!rollout.isQuiet) {
        pauseMs = FIRST_PAUSE_MS;
        return { kind: 'again' };
      }
      pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
      return { kind: 'wait', ms: pauseMs };
    },
    continueAsNew: () => continueAsNew<typeof menuRollout>(rolloutId),
  });
  return summary;
}
