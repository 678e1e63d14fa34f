import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../support/until';
import type { AtCheckpoint } from '../../src/platform/checkpoint';
import { deferred } from '../support/deferred';
import { createDrainBench, type DrainBench } from '../support/drain-bench';
import { status } from '../support/webhook-receiver';

let bench: DrainBench;
beforeAll(async () => {
  bench = await createDrainBench();
});
afterAll(() => bench.close());

/** A checkpoint at which the first caller stops until it is released. */
function barrier(at: 'drain:claimed' | 'drain:before-record') {
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

test('the next drain claims what a dead drain had claimed at once, without waiting for its lease', async () => {
  const { rows, receiver, database } = bench;
  const subscription = await rows.subscribe({ url: `${receiver.url}/lease` });
  const ids = await rows.put(subscription, 5);
  await database.sql`
    update delivery set lease_epoch = -1, lease_until = now() + interval '1 hour'
    where subscription_id = ${subscription.subscriptionId}`;
  const startedAt = Date.now();
  await bench.drainAll(bench.startWorker(), subscription);
  expect(Date.now() - startedAt).toBeLessThan(2_000);
  expect(receiver.receivedAt('/lease')).toHaveLength(ids.length);
});

test('a drain that was overtaken claims nothing more and leaves the rest to its successor', async () => {
  const { rows, receiver } = bench;
  const subscription = await rows.subscribe({ url: `${receiver.url}/overtaken` });
  const old = bench.startWorker();
  const oldDrain = bench.startDrain(old, subscription);
  await rows.put(subscription);
  old.wake(subscription);
  // Until its outcome is written the successor would send it again.
  await until(async () => (await rows.countPending(subscription)) === 0);
  expect(receiver.receivedAt('/overtaken')).toHaveLength(1);
  const next = bench.startWorker();
  await bench.lapse(subscription);
  const nextDrain = bench.startDrain(next, subscription);
  await sleep(200);
  await rows.put(subscription, 10);
  old.wake(subscription);
  expect((await oldDrain.report).next).toEqual({ kind: 'again' });
  next.wake(subscription);
  await until(async () => (await rows.countPending(subscription)) === 0);
  expect((await nextDrain.cancel()).attempts).toBe(10);
  expect(receiver.receivedAt('/overtaken')).toHaveLength(11);
});

test('a process that was frozen between claiming and sending sends nothing when it wakes up', async () => {
  const { rows, receiver } = bench;
  const subscription = await rows.subscribe({ url: `${receiver.url}/frozen` });
  const ids = await rows.put(subscription, 8);
  const frozen = barrier('drain:claimed');
  const zombie = bench.startDrain(
    bench.startWorker({ atCheckpoint: frozen.atCheckpoint }),
    subscription,
  );
  await frozen.reached;
  await sleep(2_200);
  await bench.lapse(subscription);
  await bench.drainAll(bench.startWorker(), subscription);
  frozen.open();
  expect((await zombie.report).next).toEqual({ kind: 'again' });
  expect(receiver.receivedAt('/frozen')).toHaveLength(8);
  for (const id of ids) expect(await rows.attempts(id)).toHaveLength(1);
});

test('a process that was frozen between claiming and sending, and not replaced, sends later, once', async () => {
  const { rows, receiver } = bench;
  const subscription = await rows.subscribe({ url: `${receiver.url}/nap` });
  const ids = await rows.put(subscription, 8);
  const nap = barrier('drain:claimed');
  const drain = bench.startDrain(
    bench.startWorker({ atCheckpoint: nap.atCheckpoint }),
    subscription,
  );
  await nap.reached;
  await sleep(2_200);
  nap.open();
  await until(async () => (await rows.countPending(subscription)) === 0);
  await drain.cancel();
  expect(receiver.receivedAt('/nap')).toHaveLength(8);
  for (const id of ids) expect(await rows.delivery(id)).toMatchObject({ attemptsMade: 1 });
});

test('a late outcome overwrites nothing: the successor’s outcome stands, and so does the receiver’s record', async () => {
  const { rows, receiver, database } = bench;
  receiver.answer('/late', status(500));
  const subscription = await rows.subscribe({ url: `${receiver.url}/late` });
  const [id] = await rows.put(subscription);
  const late = barrier('drain:before-record');
  const zombie = bench.startDrain(
    bench.startWorker({ atCheckpoint: late.atCheckpoint }),
    subscription,
  );
  await late.reached;
  receiver.answer('/late', status(204));
  await bench.lapse(subscription);
  await bench.drainAll(bench.startWorker(), subscription);
  late.open();
  await zombie.cancel();
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
  const late = barrier('drain:before-record');
  const zombie = bench.startDrain(
    bench.startWorker({ atCheckpoint: late.atCheckpoint }),
    subscription,
  );
  await late.reached;
  const answer = deferred();
  receiver.answer('/meanwhile', (response) => {
    void answer.promise.then(() => response.writeHead(204).end());
  });
  await bench.lapse(subscription);
  const next = bench.startDrain(bench.startWorker(), subscription);
  await until(() => receiver.receivedAt('/meanwhile').length === 2);
  late.open();
  await sleep(100);
  expect(await rows.delivery(id as never)).toMatchObject({ state: 'pending', attemptsMade: 0 });
  answer.resolve();
  await until(async () => (await rows.countPending(subscription)) === 0);
  await Promise.all([next.cancel(), zombie.cancel()]);
  expect(await rows.delivery(id as never)).toMatchObject({ state: 'acknowledged' });
});

test('a drain does not begin while another one holds the line and renews its promise, and begins when that one ends', async () => {
  const { rows, receiver } = bench;
  const subscription = await rows.subscribe({ url: `${receiver.url}/standby` });
  // It must not come to rest meanwhile.
  const first = bench.startWorker({ lingerMs: 5_000 });
  const firstDrain = bench.startDrain(first, subscription);
  await rows.put(subscription);
  await until(() => receiver.receivedAt('/standby').length === 1);
  const second = bench.startWorker();
  const secondDrain = bench.startDrain(second, subscription);
  await sleep(2_500);
  await rows.put(subscription);
  first.wake(subscription);
  await until(() => receiver.receivedAt('/standby').length === 2);
  expect((await firstDrain.cancel()).attempts).toBe(2);
  await rows.put(subscription);
  await until(() => receiver.receivedAt('/standby').length === 3);
  expect((await secondDrain.cancel()).attempts).toBe(1);
});

test('a drain whose process is frozen for longer than its promise is replaced', async () => {
  const { rows, receiver, database } = bench;
  const subscription = await rows.subscribe({ url: `${receiver.url}/still` });
  await database.sql`
    update webhook_line set alive_until = now() + interval '1 s', epoch = nextval('webhook_epoch')
    where line = ${subscription.line}::smallint`;
  await rows.put(subscription);
  const startedAt = Date.now();
  await bench.drainAll(bench.startWorker(), subscription);
  expect(Date.now() - startedAt).toBeGreaterThan(800);
  expect(receiver.receivedAt('/still')).toHaveLength(1);
});
