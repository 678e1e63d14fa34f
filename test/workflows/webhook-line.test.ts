import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../support/until';
import { enableSubscription } from '../../src/webhooks/sql/subscription-state';
import { WAKE_SIGNAL } from '../../src/platform/temporal/workflow-names';
import { status } from '../support/webhook-receiver';
import {
  prepareWebhookSystem,
  WEBHOOK_LINGER_MS,
  type WebhookSystem,
} from '../support/webhook-system';

let webhooks: WebhookSystem;
beforeAll(async () => {
  webhooks = await prepareWebhookSystem({ env: { WEBHOOK_RETRY_SCHEDULE: '10s,10s' } });
  await webhooks.system.startWorker();
});
afterAll(() => webhooks.stop());

interface WorkflowMetadata {
  readonly currentDetails?: string;
}

/** What the Temporal UI shows; empty if a busy machine does not answer the query within its 2 s. */
async function currentDetailsOf(of: Parameters<WebhookSystem['workflow']>[0]): Promise<string> {
  const query = webhooks.workflow(of).query<WorkflowMetadata>('__temporal_workflow_metadata');
  const metadata = await query.catch((error: unknown): WorkflowMetadata => {
    if (isTooLate(error)) return {};
    throw error;
  });
  return metadata.currentDetails ?? '';
}

/** Whether a call to Temporal ended by its own limit. */
function isTooLate(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && /^\d+ (CANCELLED|DEADLINE_EXCEEDED):/.test(cause.message);
}

/** The JSON that the Temporal UI shows of the pending activity; empty without one. */
async function heartbeatDetailsOf(of: Parameters<WebhookSystem['workflow']>[0]): Promise<string> {
  const { raw } = await webhooks.workflow(of).describe();
  const data = raw.pendingActivities?.[0]?.heartbeatDetails?.payloads?.[0]?.data;
  return data ? Buffer.from(data).toString() : '';
}

async function statusOf(subscription: Parameters<WebhookSystem['workflow']>[0]): Promise<string> {
  return (await webhooks.workflow(subscription).describe()).status.name;
}

test.concurrent('the first delivery starts the workflow, later ones find it running, and it completes when nothing comes', async () => {
  const { rows, receiver } = webhooks;
  const subscription = await rows.subscribe({ url: `${receiver.url}/life` });
  await rows.put(subscription);
  await webhooks.nudge(subscription);
  await until(() => receiver.receivedAt('/life').length === 1);
  await rows.put(subscription);
  const announcedAt = Date.now();
  await webhooks.nudge(subscription);
  await until(() => receiver.receivedAt('/life').length === 2);
  expect(Date.now() - announcedAt).toBeLessThan(4_000);
  await webhooks.workflow(subscription).result();
  await rows.put(subscription);
  await webhooks.nudge(subscription);
  await until(() => receiver.receivedAt('/life').length === 3);
});

test.concurrent('a delivery that arrives while the workflow comes to rest is not left behind', async () => {
  const { rows, receiver } = webhooks;
  const deliveries = Array.from({ length: 12 }, async (_, n) => {
    const path = `/rest-${n}`;
    const subscription = await rows.subscribe({ url: receiver.url + path });
    await rows.put(subscription);
    await webhooks.nudge(subscription);
    await until(() => receiver.receivedAt(path).length === 1);
    // Around the time after which a drain ends and the 100 ms that the last look takes.
    await sleep(WEBHOOK_LINGER_MS - 50 + n * 40);
    await rows.put(subscription);
    await webhooks.nudge(subscription);
    await until(() => receiver.receivedAt(path).length === 2, 5_000);
  });
  await expect(Promise.all(deliveries)).resolves.toHaveLength(12);
});

test.concurrent('a retry that is due later wakes the workflow by a timer and does not delay others', async () => {
  const { rows, receiver } = webhooks;
  receiver.answer('/later', (response, _, nth) => response.writeHead(nth === 1 ? 500 : 204).end());
  const subscription = await rows.subscribe({ url: `${receiver.url}/later` });
  await rows.put(subscription);
  await webhooks.nudge(subscription);
  await until(() => receiver.receivedAt('/later').length === 1);
  await sleep(3_500);
  expect(await statusOf(subscription)).toBe('RUNNING');
  await rows.put(subscription);
  await webhooks.nudge(subscription);
  // Its retry is not due before 8 s.
  await until(() => receiver.receivedAt('/later').length === 2, 4_000);
  await until(async () => (await rows.countPending(subscription)) === 0);
});

test.concurrent('a paused subscription waits in its workflow, says why, and is retried when the pause is over', async () => {
  const { rows, receiver } = webhooks;
  receiver.answer('/paused', status(500));
  const subscription = await rows.subscribe({ url: `${receiver.url}/paused` });
  await rows.put(subscription, 12);
  await webhooks.nudge(subscription);
  const words =
    /^The next try is due at .+Z\. 12 deliveries wait for 1 subscription \(1 paused\), the oldest since /;
  await until(async () => words.test(await currentDetailsOf(subscription)));
  receiver.answer('/paused', status(204));
  await webhooks.system.sql`
    update subscription set paused_until = now() + interval '1 s'
    where subscription_id = ${subscription.subscriptionId}`;
  await webhooks.workflow(subscription).signal(WAKE_SIGNAL);
  await until(async () => (await rows.countPending(subscription)) === 0);
  expect(await rows.countPending(subscription)).toBe(0);
});

test.concurrent('the only delivery of a paused subscription goes out when the pause is over', async () => {
  const { rows, receiver } = webhooks;
  const subscription = await rows.subscribe({ url: `${receiver.url}/first-in-pause` });
  await webhooks.system.sql`
    update subscription set consecutive_failures = 10, failing_since = now(),
      paused_until = now() + interval '5 s'
    where subscription_id = ${subscription.subscriptionId}`;
  const pausedAt = Date.now();
  await rows.put(subscription);
  await webhooks.nudge(subscription);
  await until(() => receiver.receivedAt('/first-in-pause').length === 1);
  const afterMs = Date.now() - pausedAt;
  expect(afterMs).toBeGreaterThan(4_500);
  expect(afterMs).toBeLessThan(8_000);
});

test.concurrent('a disabled subscription ends its workflow; when it is enabled, its deliveries go out', async () => {
  const { rows, receiver } = webhooks;
  receiver.answer('/gone', status(410));
  const subscription = await rows.subscribe({ url: `${receiver.url}/gone`, maxInFlight: 1 });
  await rows.put(subscription, 3);
  await webhooks.nudge(subscription);
  await webhooks.workflow(subscription).result();
  expect(await rows.countPending(subscription)).toBe(2);
  receiver.answer('/gone', status(204));
  await enableSubscription(webhooks.system.sql, subscription);
  await webhooks.nudge(subscription);
  await until(async () => (await rows.countPending(subscription)) === 0);
  expect(receiver.receivedAt('/gone')).toHaveLength(3);
});

test.concurrent('a line that waits for a later try sends what was written without a nudge, as events are, within seconds', async () => {
  const { rows, receiver } = webhooks;
  const paused = await rows.subscribe({ url: `${receiver.url}/paused-for-long` });
  const told = await rows.subscribe({ url: `${receiver.url}/told` });
  await webhooks.system.sql`
    update subscription set line = ${paused.line}::smallint
    where subscription_id = ${told.subscriptionId}`;
  await webhooks.system.sql`
    update subscription set consecutive_failures = 10, failing_since = now(),
      paused_until = now() + interval '2 min'
    where subscription_id = ${paused.subscriptionId}`;
  await rows.put(paused);
  await webhooks.nudge(paused);
  await until(async () => (await currentDetailsOf(paused)).startsWith('The next try is due at '));
  await rows.put(told);
  await until(() => receiver.receivedAt('/told').length === 1, 12_000);
  expect(receiver.receivedAt('/paused-for-long')).toEqual([]);
});

test.concurrent('a line with traffic says in the heartbeat details of its drain that a subscription is paused', async () => {
  const { rows, receiver } = webhooks;
  const paused = await rows.subscribe({ url: `${receiver.url}/paused-beside-traffic` });
  const busy = await rows.subscribe({ url: `${receiver.url}/traffic` });
  await webhooks.system.sql`
    update subscription set line = ${paused.line}::smallint,
      paused_until = case when subscription_id = ${paused.subscriptionId} then now() + interval '10 min' end
    where subscription_id in (${paused.subscriptionId}, ${busy.subscriptionId})`;
  await rows.put(paused, 2);
  await until(async () => {
    await rows.put(busy);
    await webhooks.nudge(busy);
    await sleep(300);
    return / deliver(y waits|ies wait) for .*\(1 paused\)/.test(await heartbeatDetailsOf(paused));
  }, 60_000);
  expect(await currentDetailsOf(paused)).toMatch(/^Delivering what is due\./);
});
