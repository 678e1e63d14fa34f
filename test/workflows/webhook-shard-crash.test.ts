import { until } from '../support/until';
import type { TestSubscription } from '../support/webhook-rows';
import { prepareWebhookSystem, type WebhookSystem } from '../support/webhook-system';

let webhooks: WebhookSystem;
beforeEach(async () => {
  webhooks = await prepareWebhookSystem();
});
afterEach(() => webhooks.stop());

const IN_FLIGHT = 50;
const OUTSTANDING = 500;
/** A second, and time for a machine that runs other tests meanwhile. */
const TAKEN_OVER_MS = 2_500;

test('a worker killed with 500 outstanding loses none, and those in flight arrive again with the same id', async () => {
  const { rows, receiver, system } = webhooks;
  receiver.answer(
    '/killed',
    (response) => void setTimeout(() => response.writeHead(204).end(), 300),
  );
  const mortal = await system.startChild({ role: 'worker' });
  const subscription = await rows.subscribe({
    url: `${receiver.url}/killed`,
    maxInFlight: IN_FLIGHT,
  });
  const ids = await rows.put(subscription, OUTSTANDING);
  await webhooks.announce(subscription);
  await until(() => receiver.received.length > 120);
  mortal.kill('SIGKILL');
  await mortal.ended;
  await system.startWorker();
  await until(async () => (await rows.countPending(subscription)) === 0);
  const received = receiver.received.map((each) => each.id);
  expect(new Set(received)).toEqual(new Set(ids.map((id) => id.replace('dlv', 'msg'))));
  // Those in flight, and those answered in the last milliseconds whose outcome was not recorded yet.
  expect(received.length - OUTSTANDING).toBeLessThanOrEqual(2 * IN_FLIGHT);
});

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
