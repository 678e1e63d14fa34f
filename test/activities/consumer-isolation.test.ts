import { type ConsumerBench, createConsumerBench } from '../support/consumer-bench';
import { until } from '../support/until';

let bench: ConsumerBench;
beforeAll(async () => {
  bench = await createConsumerBench();
});
afterEach(() => bench.leaveAll());
afterAll(() => bench.close());

test('fifty hanging receivers on the same host do not noticeably delay a healthy one', async () => {
  const { rows, receiver } = bench;
  receiver.answer('/hang', () => {});
  for (let n = 0; n < 50; n += 1) {
    const hanging = await rows.subscribe({ url: `${receiver.url}/hang` });
    await rows.put(hanging, 20);
  }
  const worker = await bench.startWorker({ timeoutMs: 20_000 });
  await until(() => receiver.receivedAt('/hang').length >= 1_000);
  const healthy = await rows.subscribe({ url: `${receiver.url}/healthy` });
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
  await worker.leave();
});
