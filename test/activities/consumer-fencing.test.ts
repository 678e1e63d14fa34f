import { setTimeout as sleep } from 'node:timers/promises';
import type { AtCheckpoint } from '../../src/platform/checkpoint';
import { type ConsumerBench, createConsumerBench } from '../support/consumer-bench';
import { deferred } from '../support/deferred';
import { until } from '../support/until';
import { status } from '../support/webhook-receiver';

let bench: ConsumerBench;
beforeAll(async () => {
  bench = await createConsumerBench();
});
afterEach(() => bench.leaveAll());
afterAll(() => bench.close());

/** A checkpoint at which the first caller stops until it is released. */
function barrier(at: 'consumer:claimed' | 'consumer:before-record') {
  const [opened, reached] = [deferred(), deferred()];
  let first = true;
  const atCheckpoint: AtCheckpoint = async (name) => {
    if (name !== at || !first) return;
    first = false;
    reached.resolve();
    await opened.promise;
  };
  return { atCheckpoint, reached: reached.promise, open: opened.resolve };
}

test('the next owner claims what a dead one had claimed at once, without waiting for its lease', async () => {
  const { rows, receiver, database } = bench;
  const subscription = await rows.subscribe({ url: `${receiver.url}/lease` });
  const ids = await rows.put(subscription, 5);
  await database.sql`
    update delivery set lease_epoch = -1, lease_until = now() + interval '1 hour'
    where subscription_id = ${subscription.subscriptionId}`;
  const startedAt = Date.now();
  await bench.sendAll(subscription);
  expect(Date.now() - startedAt).toBeLessThan(2_000);
  expect(receiver.receivedAt('/lease')).toHaveLength(ids.length);
});

test('a worker whose process was killed is replaced within a second', async () => {
  const { rows, receiver } = bench;
  const subscription = await rows.subscribe({ url: `${receiver.url}/killed` });
  const [first, second] = [await bench.startWorker(), await bench.startWorker()];
  await rows.put(subscription);
  await bench.untilSent(subscription);
  const [dead, heir] = first.shards().includes(subscription.shard)
    ? [first, second]
    : [second, first];
  await dead.die();
  const diedAt = performance.now();
  await bench.untilOwned(heir, subscription);
  expect(performance.now() - diedAt).toBeLessThan(1_500);
  await rows.put(subscription);
  await bench.untilSent(subscription);
  expect(receiver.receivedAt('/killed')).toHaveLength(2);
});

test('a process that was frozen between claiming and sending sends nothing when it wakes up', async () => {
  const { rows, receiver } = bench;
  const subscription = await rows.subscribe({ url: `${receiver.url}/frozen` });
  const ids = await rows.put(subscription, 8);
  const frozen = barrier('consumer:claimed');
  const zombie = await bench.startWorker({ atCheckpoint: frozen.atCheckpoint });
  await frozen.reached;
  zombie.freeze();
  await bench.sendAll(subscription);
  frozen.open();
  await sleep(100);
  zombie.thaw();
  await sleep(300);
  expect(receiver.receivedAt('/frozen')).toHaveLength(8);
  for (const id of ids) expect(await rows.attempts(id)).toHaveLength(1);
});

test('a process that was frozen between claiming and sending, and not replaced, sends later, once', async () => {
  const { rows, receiver } = bench;
  const subscription = await rows.subscribe({ url: `${receiver.url}/nap` });
  const ids = await rows.put(subscription, 8);
  const nap = barrier('consumer:claimed');
  const worker = await bench.startWorker({ atCheckpoint: nap.atCheckpoint });
  await nap.reached;
  worker.freeze();
  await sleep(2_200);
  nap.open();
  await sleep(200);
  expect(receiver.receivedAt('/nap')).toEqual([]);
  worker.thaw();
  await bench.untilSent(subscription);
  expect(receiver.receivedAt('/nap')).toHaveLength(8);
  for (const id of ids) expect(await rows.delivery(id)).toMatchObject({ attemptsMade: 1 });
});

test('a late outcome overwrites nothing: the successor’s outcome stands, and so does the receiver’s record', async () => {
  const { rows, receiver, database } = bench;
  receiver.answer('/late', status(500));
  const subscription = await rows.subscribe({ url: `${receiver.url}/late` });
  const [id] = await rows.put(subscription);
  const late = barrier('consumer:before-record');
  const zombie = await bench.startWorker({ atCheckpoint: late.atCheckpoint });
  await late.reached;
  receiver.answer('/late', status(204));
  zombie.freeze();
  await bench.sendAll(subscription);
  late.open();
  await zombie.leave();
  expect(await rows.delivery(id as never)).toMatchObject({
    state: 'acknowledged',
    attemptsMade: 1,
  });
  expect(await rows.attempts(id as never)).toMatchObject([{ number: 1, status: 204 }]);
  const [row] = await database.sql<{ consecutiveFailures: number }[]>`
    select consecutive_failures from subscription
    where subscription_id = ${subscription.subscriptionId}`;
  expect(row?.consecutiveFailures).toBe(0);
});

test('a late outcome changes nothing while the successor’s attempt is in flight', async () => {
  const { rows, receiver } = bench;
  receiver.answer('/meanwhile', status(422, '{"message":"No."}'));
  const subscription = await rows.subscribe({ url: `${receiver.url}/meanwhile` });
  const [id] = await rows.put(subscription);
  const late = barrier('consumer:before-record');
  const zombie = await bench.startWorker({ atCheckpoint: late.atCheckpoint });
  await late.reached;
  const answer = deferred();
  receiver.answer('/meanwhile', (response) => {
    void answer.promise.then(() => response.writeHead(204).end());
  });
  zombie.freeze();
  await bench.startWorker({ timeoutMs: 10_000 });
  await until(() => receiver.receivedAt('/meanwhile').length === 2);
  late.open();
  await sleep(100);
  expect(await rows.delivery(id as never)).toMatchObject({ state: 'pending', attemptsMade: 0 });
  answer.resolve();
  await bench.untilSent(subscription);
  expect(await rows.delivery(id as never)).toMatchObject({ state: 'acknowledged' });
});

test('a worker that renews its lease keeps its shards, and another one has them when it leaves', async () => {
  const { rows, receiver, database } = bench;
  const subscription = await rows.subscribe({ url: `${receiver.url}/standby` });
  const first = await bench.startWorker();
  await bench.untilOwned(first, subscription);
  const second = await bench.startWorker();
  await until(() => first.shards().length === 8 && second.shards().length === 8);
  const owners = () => database.sql`select shard, worker from webhook_shard order by shard`;
  const before = await owners();
  await sleep(2_500);
  expect(await owners()).toEqual(before);
  await first.leave();
  await until(() => second.shards().length === 16);
  await rows.put(subscription);
  await bench.untilSent(subscription);
  expect(receiver.receivedAt('/standby')).toHaveLength(1);
});

test('a frozen process is replaced when its lease is over, not before', async () => {
  const { rows, receiver } = bench;
  const subscription = await rows.subscribe({ url: `${receiver.url}/still` });
  const first = await bench.startWorker();
  await bench.untilOwned(first, subscription);
  first.freeze();
  const frozenAt = performance.now();
  const second = await bench.startWorker();
  await rows.put(subscription);
  await bench.untilOwned(second, subscription);
  const tookMs = performance.now() - frozenAt;
  expect(tookMs).toBeGreaterThan(900);
  expect(tookMs).toBeLessThan(4_000);
  await bench.untilSent(subscription);
  expect(receiver.receivedAt('/still')).toHaveLength(1);
});
