import { type ConsumerBench, createConsumerBench } from '../support/consumer-bench';
import { until } from '../support/until';

let bench: ConsumerBench;
beforeAll(async () => {
  bench = await createConsumerBench();
});
afterEach(() => bench.leaveAll());
afterAll(() => bench.close());

const BACKLOG = 1_500;

test('a receiver that comes back gets its backlog, and events for its neighbour in the shard are not delayed by it', async () => {
  const { rows, receiver } = bench;
  const back = await rows.subscribe({ url: `${receiver.url}/back` });
  const neighbour = await rows.subscribe({ url: `${receiver.url}/neighbour`, beside: back });
  // Twenty at a time, 20 ms each: a thousand a second at most.
  receiver.answer('/back', (response) => void setTimeout(() => response.writeHead(204).end(), 20));
  await rows.put(back, BACKLOG);
  const worker = await bench.startWorker({ timeoutMs: 30_000 });
  await until(() => receiver.receivedAt('/back').length > 50);
  const passed: number[] = [];
  for (let n = 1; n <= 5; n += 1) {
    const before = receiver.receivedAt('/back').length;
    await rows.put(neighbour);
    worker.wake(neighbour);
    await until(() => receiver.receivedAt('/neighbour').length === n);
    passed.push(receiver.receivedAt('/back').length - before);
  }
  // Each went out while most of the backlog was still waiting.
  expect(receiver.receivedAt('/back').length).toBeLessThan(BACKLOG);
  expect(Math.min(...passed)).toBeLessThan(200);
  await bench.untilSent(back);
  expect(new Set(receiver.receivedAt('/back').map(({ id }) => id)).size).toBe(BACKLOG);
  await worker.leave();
});

test('a thousand deliveries that were accepted without any worker go out when one comes', async () => {
  const { rows, receiver } = bench;
  const subscriptions = await Promise.all(
    Array.from({ length: 16 }, () => rows.subscribe({ url: `${receiver.url}/without` })),
  );
  for (const each of subscriptions) await rows.put(each, 63);
  expect(receiver.receivedAt('/without')).toEqual([]);
  await bench.startWorker({ timeoutMs: 30_000 });
  await bench.untilSent(...subscriptions);
  expect(receiver.receivedAt('/without')).toHaveLength(16 * 63);
});
