import { continueAsNew, proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { WebhookActivities } from '../activities/webhook-activities';
import { describeShard } from '../src/webhooks/shard-report';
import { orPause, type PassEnd, passLoop, STEP_RETRY } from './pass-loop';

const { attendShard } = proxyActivities<WebhookActivities>({
  startToCloseTimeout: '20s',
  retry: STEP_RETRY,
});

/** A retry that is due sooner is its consumer's. */
const SHORTEST_WAIT_MS = 5_000;
/** The consumer has been told; whether that helped is looked at after this time. */
const TOLD_WAIT_MS = 10_000;

/**
 * Follows a shard of webhooks for as long as deliveries wait in it: says what waits, who has it and when the next retry
 * is due, and wakes its consumer then.
 */
export async function webhookShard(shard: number): Promise<void> {
  await passLoop({
    pass: () =>
      orPause(async (): Promise<PassEnd> => {
        const report = await attendShard(shard);
        setCurrentDetails(describeShard(report, Date.now()));
        const { dueMs } = report;
        // Deliveries of a disabled subscription become due when it is enabled.
        if (dueMs === null) return { kind: 'idle' };
        return { kind: 'wait', ms: dueMs > 0 ? Math.max(dueMs, SHORTEST_WAIT_MS) : TOLD_WAIT_MS };
      }),
    continueAsNew: () => continueAsNew<typeof webhookShard>(shard),
  });
}
