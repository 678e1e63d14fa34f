import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../support/until';
import { type ConsumerBench, createConsumerBench } from '../support/consumer-bench';
import { status } from '../support/webhook-receiver';

let bench: ConsumerBench;
beforeAll(async () => {
  bench = await createConsumerBench();
});
afterEach(() => bench.leaveAll());
afterAll(() => bench.close());

test('a slow receiver of item data gets the next request after a second, and none twice', async () => {
  const { rows, receiver } = bench;
  receiver.answer(
    '/slow',
    (response) => void setTimeout(() => response.writeHead(200).end(), 60_000).unref(),
  );
  const subscription = await rows.subscribe({
    url: `${receiver.url}/slow`,
    type: 1,
    maxInFlight: 1,
  });
  const ids = await rows.put(subscription, 3);
  const worker = await bench.startWorker({ timeoutMs: 4_000 });
  await until(() => receiver.receivedAt('/slow').length === 3, 4_000);
  const [first, , third] = receiver.receivedAt('/slow').map((each) => each.at);
  expect((third ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(1_900);
  await bench.untilSent(subscription);
  await worker.leave();
  expect(receiver.receivedAt('/slow')).toHaveLength(3);
  for (const id of ids) {
    // Sent in full, and no status in time: delivered, unconfirmed.
    expect(await rows.delivery(id)).toMatchObject({ state: 'delivered', receiverStatus: null });
    expect(await rows.attempts(id)).toMatchObject([{ number: 1, status: null, error: 'timeout' }]);
  }
});

test('a status that arrives after the permit in flight was given back is still the outcome', async () => {
  const { rows, receiver } = bench;
  receiver.answer('/late-500', (response, _, nth) => {
    if (nth === 1) setTimeout(() => response.writeHead(500).end(), 1_500);
    else response.writeHead(422).end();
  });
  const subscription = await rows.subscribe({ url: `${receiver.url}/late-500`, type: 1 });
  const [id] = await rows.put(subscription);
  await bench.sendAll(subscription, { timeoutMs: 3_000, retryTable: [50] });
  expect(await rows.delivery(id as never)).toMatchObject({
    state: 'delivered',
    receiverStatus: 422,
  });
  expect(await rows.attempts(id as never)).toMatchObject([{ status: 500 }, { status: 422 }]);
});

test('a request that was never sent is tried again', async () => {
  const { rows, receiver } = bench;
  receiver.answer('/reset', (response, _, nth) => {
    if (nth === 1) response.destroy();
    else response.writeHead(204).end();
  });
  const subscription = await rows.subscribe({ url: `${receiver.url}/reset`, type: 1 });
  const nowhere = await rows.subscribe({ url: 'http://127.0.0.1:1/', type: 1 });
  const [id] = await rows.put(subscription);
  const [lost] = await rows.put(nowhere);
  const worker = await bench.startWorker({ retryTable: [50] });
  await bench.untilSent(subscription, nowhere);
  await worker.leave();
  expect(await rows.delivery(id as never)).toMatchObject({ state: 'delivered', attemptsMade: 2 });
  expect(await rows.delivery(lost as never)).toMatchObject({ state: 'exhausted', attemptsMade: 2 });
  expect(await rows.attempts(lost as never)).toMatchObject([
    { error: 'connect_refused' },
    { error: 'connect_refused' },
  ]);
});

test('item data is delivered by any 2xx, and by a 4xx that is about its content', async () => {
  const { rows, receiver } = bench;
  for (const code of [200, 202, 400, 422])
    receiver.answer(`/any-${code}`, status(code, 'whatever'));
  for (const code of [200, 202, 400, 422]) {
    const subscription = await rows.subscribe({ url: `${receiver.url}/any-${code}`, type: 1 });
    const [id] = await rows.put(subscription);
    await bench.sendAll(subscription);
    expect(await rows.delivery(id as never)).toMatchObject({
      state: 'delivered',
      receiverStatus: code,
    });
  }
});

test('a stock update, unlike item data, keeps its permit until it is answered', async () => {
  const { rows, receiver } = bench;
  receiver.answer(
    '/stock',
    (response) => void setTimeout(() => response.writeHead(204).end(), 1_800),
  );
  const subscription = await rows.subscribe({ url: `${receiver.url}/stock`, maxInFlight: 1 });
  await rows.put(subscription, 2);
  const worker = await bench.startWorker({ timeoutMs: 3_000 });
  await sleep(1_500);
  expect(receiver.receivedAt('/stock')).toHaveLength(1);
  await bench.untilSent(subscription);
  await worker.leave();
});
