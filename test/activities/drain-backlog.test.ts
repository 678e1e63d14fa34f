import { createDrainBench, type DrainBench } from '../support/drain-bench';
import { until } from '../support/until';
import type { TestSubscription } from '../support/webhook-rows';

let bench: DrainBench;
beforeAll(async () => {
  bench = await createDrainBench();
});
afterAll(() => bench.close());

const BACKLOG = 1_500;

/** Another subscription in the same line. */
async function neighbourOf({ line }: TestSubscription, path: string): Promise<TestSubscription> {
  for (;;) {
    const other = await bench.rows.subscribe({ url: bench.receiver.url + path });
    if (other.line === line) return other;
  }
}

test('a receiver that comes back gets its backlog, and events for its neighbour in the line are not delayed by it', async () => {
  const { rows, receiver } = bench;
  const back = await rows.subscribe({ url: `${receiver.url}/back` });
  const neighbour = await neighbourOf(back, '/neighbour');
  // Twenty at a time, 20 ms each: a thousand a second at most.
  receiver.answer('/back', (response) => void setTimeout(() => response.writeHead(204).end(), 20));
  await rows.put(back, BACKLOG);
  const worker = bench.startWorker({ timeoutMs: 30_000 });
  const drain = bench.startDrain(worker, back);
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
  await until(async () => (await rows.countPending(back)) === 0);
  expect(new Set(receiver.receivedAt('/back').map(({ id }) => id)).size).toBe(BACKLOG);
  await drain.cancel();
});
