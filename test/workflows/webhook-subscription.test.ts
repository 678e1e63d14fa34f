import { setTimeout as sleep } from 'node:timers/promises';
import { enableSubscription } from '../../src/db/subscriptions';
import { WAKE_SIGNAL } from '../../src/domain/workflow-names';
import { until } from '../support/drain-bench';
import { status } from '../support/webhook-receiver';
import { prepareWebhookSystem, type WebhookSystem } from '../support/webhook-system';

let webhooks: WebhookSystem;
beforeAll(async () => {
  webhooks = await prepareWebhookSystem({ WEBHOOK_RETRY_SCHEDULE: '10s,30s' });
  await webhooks.system.startWorker();
}, 60_000);
afterAll(() => webhooks.stop());

async function statusOf(subscription: Parameters<WebhookSystem['workflow']>[0]): Promise<string> {
  return (await webhooks.workflow(subscription).describe()).status.name;
}

test('the first delivery starts the workflow, later ones find it at work, and it completes when nothing comes', async () => {
  const { rows, receiver } = webhooks;
  const subscription = await rows.subscribe({ url: `${receiver.url}/life` });
  await rows.put(subscription);
  await webhooks.nudge(subscription);
  await until(() => receiver.receivedAt('/life').length === 1);
  await rows.put(subscription);
  const announcedAt = Date.now();
  await webhooks.nudge(subscription);
  await until(() => receiver.receivedAt('/life').length === 2);
  expect(Date.now() - announcedAt).toBeLessThan(300);
  await webhooks.workflow(subscription).result();
  await rows.put(subscription);
  await webhooks.nudge(subscription);
  await until(() => receiver.receivedAt('/life').length === 3);
});

test('a delivery that comes in the moment in which the workflow goes to rest is not left behind', async () => {
  const { rows, receiver } = webhooks;
  const subscription = await rows.subscribe({ url: `${receiver.url}/rest` });
  for (let n = 1; n <= 12; n += 1) {
    await rows.put(subscription);
    await webhooks.nudge(subscription);
    await until(() => receiver.receivedAt('/rest').length === n, 5_000);
    // Around the 3 s after which a drain ends and the 100 ms that the last look takes.
    if (n < 6) await sleep(2_950 + n * 40);
  }
}, 60_000);

test('a retry that is due later wakes the workflow by a timer; meanwhile others are not held up', async () => {
  const { rows, receiver } = webhooks;
  receiver.answer('/later', (response, _, nth) => response.writeHead(nth === 1 ? 500 : 204).end());
  const subscription = await rows.subscribe({ url: `${receiver.url}/later` });
  await rows.put(subscription);
  await webhooks.nudge(subscription);
  await until(() => receiver.receivedAt('/later').length === 1);
  await sleep(4_500);
  expect(await statusOf(subscription)).toBe('RUNNING');
  await rows.put(subscription);
  await webhooks.nudge(subscription);
  await until(() => receiver.receivedAt('/later').length === 2, 2_000);
  await until(async () => (await rows.countPending(subscription)) === 0, 15_000);
}, 40_000);

test('a paused subscription waits in its workflow, says why, and is tried again when the pause is over', async () => {
  const { rows, receiver } = webhooks;
  const { sql } = webhooks.system;
  receiver.answer('/paused', status(500));
  const subscription = await rows.subscribe({ url: `${receiver.url}/paused` });
  await rows.put(subscription, 12);
  await webhooks.nudge(subscription);
  await until(async () => (await countPaused()) === 1);
  const describe = async () => (await webhooks.workflow(subscription).fetchHistory()).events ?? [];
  await until(async () => (await describe()).some((event) => event.timerStartedEventAttributes));
  receiver.answer('/paused', status(204));
  await sql`
    update subscription set paused_until = now() + interval '1 s'
    where subscription_id = ${subscription.subscriptionId}`;
  await webhooks.workflow(subscription).signal(WAKE_SIGNAL);
  await until(async () => (await rows.countPending(subscription)) === 0, 25_000);

  async function countPaused(): Promise<number> {
    const rowsFound = await sql`
      select from subscription
      where subscription_id = ${subscription.subscriptionId} and paused_until > now()`;
    return rowsFound.length;
  }
}, 40_000);

test('a disabled subscription ends its workflow; enabled again, what waited goes out', async () => {
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

test('a long history is continued in a new run between two drains, and no delivery notices', async () => {
  const { rows, receiver } = webhooks;
  const subscription = await rows.subscribe({ url: `${receiver.url}/long` });
  await rows.put(subscription);
  await webhooks.nudge(subscription);
  await until(() => receiver.receivedAt('/long').length === 1);
  const workflow = webhooks.workflow(subscription);
  const { runId } = await workflow.describe();
  const signals = 4_200; // a new run is suggested from 4,096 events on
  for (let sent = 0; sent < signals; sent += 300) {
    await Promise.all(Array.from({ length: 300 }, () => workflow.signal(WAKE_SIGNAL)));
    await rows.put(subscription);
    await webhooks.nudge(subscription);
  }
  await until(async () => (await workflow.describe()).runId !== runId, 20_000);
  await until(async () => (await rows.countPending(subscription)) === 0);
  expect(new Set(receiver.receivedAt('/long').map((each) => each.id)).size).toBe(15);
  expect(receiver.receivedAt('/long')).toHaveLength(15);
}, 60_000);
