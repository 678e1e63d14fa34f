import { until } from '../support/until';
import { enableSubscription } from '../../src/webhooks/sql/subscription-state';
import { WAKE_SIGNAL } from '../../src/platform/temporal/workflow-names';
import { status } from '../support/webhook-receiver';
import type { TestSubscription } from '../support/webhook-rows';
import { prepareWebhookSystem, type WebhookSystem } from '../support/webhook-system';

let webhooks: WebhookSystem;
beforeAll(async () => {
  webhooks = await prepareWebhookSystem({ env: { WEBHOOK_RETRY_SCHEDULE: '10s,10s' } });
  await webhooks.system.startWorker();
});
afterAll(() => webhooks.stop());

interface WorkflowMetadata {
  readonly currentDetails?: string;
}

/** What the Temporal UI shows; empty if a busy machine does not answer the query within its 2 s, or there is no run. */
async function currentDetailsOf(of: TestSubscription): Promise<string> {
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

async function statusOf(of: TestSubscription): Promise<string> {
  return (await webhooks.workflow(of).describe()).status.name;
}

const taken = new Set<number>();

/** A subscription in a shard of its own. */
async function subscribeApart(path: string, maxInFlight = 20): Promise<TestSubscription> {
  for (;;) {
    const url = webhooks.receiver.url + path;
    const subscription = await webhooks.rows.subscribe({ url, maxInFlight });
    if (taken.has(subscription.shard)) continue;
    taken.add(subscription.shard);
    return subscription;
  }
}

async function put(to: TestSubscription, count = 1): Promise<void> {
  await webhooks.rows.put(to, count);
  await webhooks.announce(to);
}

function untilSent(of: TestSubscription): Promise<void> {
  return until(async () => (await webhooks.rows.countPending(of)) === 0);
}

/** It completes by itself within some seconds; this has it look at once. */
async function untilCompleted(of: TestSubscription): Promise<void> {
  await webhooks
    .workflow(of)
    .signal(WAKE_SIGNAL)
    .catch(() => {});
  await webhooks.workflow(of).result();
}

function pause({ subscriptionId }: TestSubscription, ms: number): PromiseLike<unknown> {
  return webhooks.system.sql`
    update subscription set consecutive_failures = 10, failing_since = now(),
      paused_until = now() + ${ms}::int * interval '1 ms'
    where subscription_id = ${subscriptionId}`;
}

test.concurrent('the workflow of a shard completes when nothing waits, and its deliveries go out at once all the same', async () => {
  const subscription = await subscribeApart('/prompt');
  await until(async () => (await statusOf(subscription).catch(() => '')) === 'COMPLETED');
  for (let nth = 1; nth <= 5; nth += 1) {
    await put(subscription);
    await until(() => webhooks.receiver.receivedAt('/prompt').length === nth, 4_000);
  }
  await untilSent(subscription);
  expect(await statusOf(subscription)).toBe('COMPLETED');
});

test.concurrent('while a late retry waits the workflow runs and says when it is due; it delays no others, and comes', async () => {
  const { rows, receiver } = webhooks;
  receiver.answer('/later', (response, _, nth) => response.writeHead(nth === 1 ? 500 : 204).end());
  const subscription = await subscribeApart('/later');
  await put(subscription);
  await until(() => receiver.receivedAt('/later').length === 1);
  const words =
    /^The next try is due at \S+Z\. 1 delivery waits for 1 subscription, the oldest since \S+Z\. Worker \d+@\S+ has it\.$/;
  await until(async () => words.test(await currentDetailsOf(subscription)));
  expect(await statusOf(subscription)).toBe('RUNNING');
  await put(subscription);
  // The retry is not due before 8 s.
  await until(async () => (await rows.countPending(subscription)) === 1, 4_000);
  expect(receiver.receivedAt('/later')).toHaveLength(2);
  await untilSent(subscription);
  await untilCompleted(subscription);
});

test.concurrent('a paused subscription waits in its workflow, which says why, and is retried when the pause is over', async () => {
  const { rows, receiver } = webhooks;
  receiver.answer('/paused', status(500));
  const subscription = await subscribeApart('/paused');
  await put(subscription, 12);
  const words =
    /^The next try is due at \S+Z\. 12 deliveries wait for 1 subscription \(1 paused\), the oldest since \S+Z\. Worker \d+@\S+ has it\.$/;
  await until(async () => words.test(await currentDetailsOf(subscription)));
  receiver.answer('/paused', status(204));
  await pause(subscription, 1_000);
  await untilSent(subscription);
  expect(await rows.countPending(subscription)).toBe(0);
  await untilCompleted(subscription);
});

test.concurrent('the only delivery of a paused subscription goes out when the pause is over', async () => {
  const { receiver } = webhooks;
  const subscription = await subscribeApart('/first-in-pause');
  await pause(subscription, 5_000);
  const pausedAt = Date.now();
  await put(subscription);
  await until(() => receiver.receivedAt('/first-in-pause').length === 1);
  const afterMs = Date.now() - pausedAt;
  expect(afterMs).toBeGreaterThan(4_500);
  expect(afterMs).toBeLessThan(8_000);
});

test.concurrent('the deliveries of a disabled subscription keep no workflow, and go out when it is enabled', async () => {
  const { rows, receiver } = webhooks;
  receiver.answer('/gone', status(410));
  const subscription = await subscribeApart('/gone', 1);
  await put(subscription, 3);
  await until(() => receiver.receivedAt('/gone').length === 1);
  await untilCompleted(subscription);
  expect(await rows.countPending(subscription)).toBe(2);
  receiver.answer('/gone', status(204));
  await enableSubscription(webhooks.system.sql, subscription);
  await webhooks.announce(subscription);
  await untilSent(subscription);
  expect(receiver.receivedAt('/gone')).toHaveLength(3);
});

test.concurrent('what was written without an announcement goes out within seconds, beside one that waits for long', async () => {
  const { rows, receiver } = webhooks;
  const paused = await subscribeApart('/paused-for-long');
  const told = await rows.subscribe({ url: `${receiver.url}/told`, beside: paused });
  await pause(paused, 120_000);
  await put(paused);
  await rows.put(told);
  await until(() => receiver.receivedAt('/told').length === 1, 5_000);
  expect(receiver.receivedAt('/paused-for-long')).toEqual([]);
});
