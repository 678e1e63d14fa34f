import { type ConsumerBench, createConsumerBench } from '../support/consumer-bench';
import { until } from '../support/until';

let bench: ConsumerBench;
beforeAll(async () => {
  bench = await createConsumerBench();
});
afterAll(() => bench.close());

test('a stopping worker claims nothing more, finishes and records its requests in flight, and leaves the rest', async () => {
  const { rows, receiver } = bench;
  receiver.answer('/stop', (response) => void setTimeout(() => response.writeHead(204).end(), 300));
  const subscription = await rows.subscribe({ url: `${receiver.url}/stop`, maxInFlight: 4 });
  await rows.put(subscription, 20);
  const worker = await bench.startWorker();
  await until(() => receiver.receivedAt('/stop').length === 4);
  await worker.leave();
  expect(await rows.countPending(subscription)).toBe(16);
  expect(receiver.receivedAt('/stop')).toHaveLength(4);
});

test('a stopping worker releases requests still in flight after six seconds, without using up an attempt', async () => {
  const { rows, receiver } = bench;
  receiver.answer('/hanging', () => {});
  const subscription = await rows.subscribe({ url: `${receiver.url}/hanging` });
  const [id] = await rows.put(subscription);
  const worker = await bench.startWorker({ timeoutMs: 10_000 });
  await until(() => receiver.receivedAt('/hanging').length === 1);
  await worker.leave();
  expect(await rows.delivery(id as never)).toMatchObject({
    state: 'pending',
    attemptsMade: 0,
    leaseUntil: null,
  });
});

test('a worker that stops beside another one finishes its requests in flight, and nothing is sent twice', async () => {
  const { rows, receiver } = bench;
  receiver.answer('/slow', (response) => void setTimeout(() => response.writeHead(204).end(), 800));
  const subscription = await rows.subscribe({ url: `${receiver.url}/slow`, maxInFlight: 4 });
  await rows.put(subscription, 8);
  const first = await bench.startWorker({ timeoutMs: 5_000 });
  await until(() => receiver.receivedAt('/slow').length === 4);
  const second = await bench.startWorker({ timeoutMs: 5_000 });
  await first.leave();
  await bench.untilSent(subscription);
  await second.leave();
  expect(receiver.receivedAt('/slow')).toHaveLength(8);
});

test('what a stopping worker had is sent by another one at once, while the first still has requests elsewhere', async () => {
  const { rows, receiver } = bench;
  receiver.answer('/stuck', () => {});
  const stuck = await rows.subscribe({ url: `${receiver.url}/stuck` });
  const others = await Promise.all(
    [1, 2, 3, 4].map((n) => rows.subscribe({ url: `${receiver.url}/free-${n}` })),
  );
  await rows.put(stuck);
  const first = await bench.startWorker({ timeoutMs: 10_000 });
  await until(() => receiver.receivedAt('/stuck').length === 1);
  const leaving = first.leave();
  const second = await bench.startWorker();
  const free = others.filter(({ shard }) => shard !== stuck.shard);
  for (const each of free) await rows.put(each);
  const startedAt = Date.now();
  await bench.untilSent(...free);
  expect(Date.now() - startedAt).toBeLessThan(4_000);
  await leaving;
  await second.leave();
});
