import { createDrainBench, type DrainBench } from '../support/drain-bench';
import { until } from '../support/until';

let bench: DrainBench;
beforeAll(async () => {
  bench = await createDrainBench();
});
afterAll(() => bench.close());

test('fifty hanging receivers on the same host do not noticeably delay a healthy one', async () => {
  const { rows, receiver } = bench;
  receiver.answer('/hang', () => {});
  const worker = bench.startWorker({ timeoutMs: 4_000 });
  const drains = [];
  for (let n = 0; n < 50; n += 1) {
    const hanging = await rows.subscribe({ url: `${receiver.url}/hang` });
    await rows.put(hanging, 20);
    drains.push(bench.startDrain(worker, hanging));
  }
  await until(() => receiver.receivedAt('/hang').length === 1_000);
  const healthy = await rows.subscribe({ url: `${receiver.url}/healthy` });
  drains.push(bench.startDrain(worker, healthy));
  const latencies: number[] = [];
  for (let n = 1; n <= 20; n += 1) {
    await rows.put(healthy);
    const announcedAt = Date.now();
    worker.wake(healthy);
    await until(() => receiver.receivedAt('/healthy').length === n);
    latencies.push(Date.now() - announcedAt);
  }
  // The fastest of them: what hangs would delay every one, a busy machine only some.
  expect(Math.min(...latencies)).toBeLessThan(50);
  await Promise.all(drains.map((drain) => drain.cancel()));
});
