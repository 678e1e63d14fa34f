import { createDrainBench, type DrainBench, until } from '../support/drain-bench';

let bench: DrainBench;
beforeAll(async () => {
  bench = await createDrainBench();
});
afterAll(() => bench.close());

test('fifty receivers that hang, on the same host, delay a healthy one by nothing that is noticed', async () => {
  const { rows, receiver } = bench;
  receiver.answer('/hang', () => {});
  const engine = bench.startEngine({ timeoutMs: 4_000 });
  const drains = [];
  for (let n = 0; n < 50; n += 1) {
    const hanging = await rows.subscribe({ url: `${receiver.url}/hang` });
    await rows.put(hanging, 20);
    drains.push(bench.startDrain(engine, hanging));
  }
  await until(() => receiver.receivedAt('/hang').length === 1_000);
  const healthy = await rows.subscribe({ url: `${receiver.url}/healthy` });
  drains.push(bench.startDrain(engine, healthy));
  const latencies: number[] = [];
  for (let n = 1; n <= 20; n += 1) {
    await rows.put(healthy);
    const announcedAt = Date.now();
    engine.wake(healthy);
    await until(() => receiver.receivedAt('/healthy').length === n);
    latencies.push(Date.now() - announcedAt);
  }
  latencies.sort((a, b) => a - b);
  expect(latencies[10]).toBeLessThan(50);
  await Promise.all(drains.map((drain) => drain.cancel()));
}, 30_000);
