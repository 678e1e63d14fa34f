import { setTimeout as sleep } from 'node:timers/promises';
import { createDrainBench, type DrainBench } from '../support/drain-bench';
import { status } from '../support/webhook-receiver';

let bench: DrainBench;

beforeEach(async () => {
  bench = await createDrainBench();
});
afterEach(() => bench.close());

it('delivers what is due, signs it, records attempt and outcome, and returns when nothing has come for a while', async () => {
  const { rows, receiver } = bench;
  const subscription = await rows.subscribe({ url: `${receiver.url}/a` });
  const ids = await rows.put(subscription, 5);
  const report = await bench.drain(subscription);
  expect(report).toEqual({ next: { kind: 'idle' }, attempts: 5, waiting: 0, waitingSince: null });
  expect(receiver.received.map((each) => each.id)).toEqual(ids.map((id) => id.replace('dlv', 'msg')));
  for (const id of ids) {
    expect(await rows.delivery(id)).toMatchObject({ state: 'acknowledged', attemptsMade: 1, receiverStatus: 204 });
    expect(await rows.attempts(id)).toMatchObject([{ number: 1, status: 204, error: null }]);
  }
}, 20_000);

it('a delivery that comes while the drain lingers goes out as soon as it is announced', async () => {
  const { rows, receiver } = bench;
  const subscription = await rows.subscribe({ url: `${receiver.url}/a` });
  const drained = bench.drain(subscription);
  await sleep(300);
  await rows.put(subscription);
  const announcedAt = Date.now();
  bench.engine.wake(subscription.subscriptionId);
  await drained;
  expect(receiver.received).toHaveLength(1);
  expect((receiver.received[0]?.at ?? 0) - announcedAt).toBeLessThan(100);
});
