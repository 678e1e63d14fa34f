import { createDrainBench, type DrainBench } from '../support/drain-bench';
import { until } from '../support/until';

let bench: DrainBench;
beforeAll(async () => {
  bench = await createDrainBench();
});
afterAll(() => bench.close());

test('a stopping worker claims nothing more, finishes and records its requests in flight, and leaves the rest', async () => {
  const { rows, receiver } = bench;
  receiver.answer('/stop', (response) => void setTimeout(() => response.writeHead(204).end(), 300));
  const subscription = await rows.subscribe({ url: `${receiver.url}/stop`, maxInFlight: 4 });
  await rows.put(subscription, 20);
  const worker = bench.startWorker();
  const drain = bench.startDrain(worker, subscription);
  await until(() => receiver.receivedAt('/stop').length === 4);
  worker.stop();
  expect(await drain.report).toMatchObject({ next: { kind: 'again' }, attempts: 4 });
  expect(await rows.countPending(subscription)).toBe(16);
  expect(receiver.receivedAt('/stop')).toHaveLength(4);
});

test('a cancelled drain releases requests still in flight after six seconds, without using up an attempt', async () => {
  const { rows, receiver } = bench;
  receiver.answer('/cancel', () => {});
  const subscription = await rows.subscribe({ url: `${receiver.url}/cancel` });
  const [id] = await rows.put(subscription);
  const drain = bench.startDrain(bench.startWorker({ timeoutMs: 10_000 }), subscription);
  await until(() => receiver.receivedAt('/cancel').length === 1);
  expect(await drain.cancel()).toMatchObject({ next: { kind: 'again' }, attempts: 0 });
  expect(await rows.delivery(id as never)).toMatchObject({
    state: 'pending',
    attemptsMade: 0,
    leaseUntil: null,
  });
});

test('a drain that is cancelled by mistake finishes its requests in flight, and nothing is sent twice', async () => {
  const { rows, receiver } = bench;
  receiver.answer('/slow', (response) => void setTimeout(() => response.writeHead(204).end(), 800));
  const subscription = await rows.subscribe({ url: `${receiver.url}/slow`, maxInFlight: 4 });
  await rows.put(subscription, 8);
  const first = bench.startDrain(bench.startWorker({ timeoutMs: 5_000 }), subscription);
  await until(() => receiver.receivedAt('/slow').length === 4);
  const second = bench.startDrain(bench.startWorker({ timeoutMs: 5_000 }), subscription);
  expect(await first.cancel()).toMatchObject({ next: { kind: 'again' }, attempts: 4 });
  await until(async () => (await rows.countPending(subscription)) === 0);
  await second.cancel();
  expect(receiver.receivedAt('/slow')).toHaveLength(8);
});

test('a drain that begins while the worker is stopping claims nothing', async () => {
  const { rows, receiver } = bench;
  const subscription = await rows.subscribe({ url: `${receiver.url}/too-late` });
  await rows.put(subscription);
  const worker = bench.startWorker();
  worker.stop();
  expect(await bench.startDrain(worker, subscription).report).toMatchObject({ attempts: 0 });
  expect(receiver.receivedAt('/too-late')).toEqual([]);
});
