import { until } from '../support/until';
import type { TestSubscription } from '../support/webhook-rows';
import { prepareWebhookSystem, type WebhookSystem } from '../support/webhook-system';

let webhooks: WebhookSystem;
beforeAll(async () => {
  webhooks = await prepareWebhookSystem();
});
afterAll(() => webhooks.stop());

/** A second, and time for a machine that runs other tests meanwhile. */
const TAKEN_OVER_MS = 2_500;

test('another worker takes over a killed worker’s deliveries within about a second', async () => {
  const { rows, receiver, system } = webhooks;
  const shardsOf = () => system.sql<{ worker: string; shards: number[] }[]>`
    select worker, array_agg(shard::int) as shards from webhook_shard where worker is not null group by worker`;
  const mortal = await system.startChild({ role: 'worker' });
  await until(async () => (await shardsOf())[0]?.shards.length === 16);
  const [before] = await shardsOf();
  await system.startWorker();
  await until(async () => (await shardsOf()).map((each) => each.shards.length).join() === '8,8');
  const left = (await shardsOf()).find((each) => each.worker === before?.worker)?.shards;
  let subscription: TestSubscription;
  do subscription = await rows.subscribe({ url: `${receiver.url}/heir` });
  while (!left?.includes(subscription.shard));
  await rows.put(subscription);
  await webhooks.announce(subscription);
  await until(async () => (await rows.countPending(subscription)) === 0);
  mortal.kill('SIGKILL');
  await mortal.ended;
  const diedAt = Date.now();
  await rows.put(subscription, 3);
  await until(() => receiver.received.length === 4);
  const tookMs = Date.now() - diedAt;
  if (process.env['TEST_LOG_LEVEL']) console.log(`taken over after ${tookMs} ms`);
  expect(tookMs).toBeLessThan(TAKEN_OVER_MS);
});
