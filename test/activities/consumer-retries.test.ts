import type { ServerResponse } from 'node:http';
import { resendDelivery } from '../../src/webhooks/sql/resends';
import { until } from '../support/until';
import { type ConsumerBench, createConsumerBench } from '../support/consumer-bench';
import { status } from '../support/webhook-receiver';

let bench: ConsumerBench;
beforeAll(async () => {
  bench = await createConsumerBench();
});
afterEach(() => bench.leaveAll());
afterAll(() => bench.close());

test('a failing delivery is retried by the table until it is exhausted, and every attempt is stored', async () => {
  const { rows, receiver } = bench;
  receiver.answer('/down', status(503, '{"message":"Under repair."}'));
  const subscription = await rows.subscribe({ url: `${receiver.url}/down` });
  const [id] = await rows.put(subscription);
  await bench.sendAll(subscription, { retryTable: [100, 300] });
  expect(await rows.delivery(id as never)).toMatchObject({
    state: 'exhausted',
    attemptsMade: 3,
    receiverStatus: 503,
    message: 'Under repair.',
  });
  expect(await rows.attempts(id as never)).toMatchObject(
    [1, 2, 3].map((number) => ({ number, status: 503, response: '{"message":"Under repair."}' })),
  );
  const [first, second, third] = receiver.receivedAt('/down').map((each) => each.at);
  expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(80);
  expect((third ?? 0) - (second ?? 0)).toBeGreaterThanOrEqual(240);
});

test('every attempt has the same id and is signed at its own time', async () => {
  const { rows, receiver } = bench;
  receiver.answer('/second-time', (response, _, nth) =>
    response.writeHead(nth < 2 ? 500 : 204).end(),
  );
  const subscription = await rows.subscribe({ url: `${receiver.url}/second-time` });
  await rows.put(subscription);
  // The retry comes up to a fifth earlier than the table says, and the time of a signature has whole seconds.
  await bench.sendAll(subscription, { retryTable: [1_300] });
  const [first, second] = receiver.receivedAt('/second-time');
  expect(second?.id).toBe(first?.id);
  expect(second?.headers['webhook-timestamp']).not.toBe(first?.headers['webhook-timestamp']);
});

test('an attempt is signed at the time of the database, however wrong the clock of the worker is', async () => {
  const { rows, receiver, database } = bench;
  const subscription = await rows.subscribe({ url: `${receiver.url}/clock` });
  await rows.put(subscription);
  const { now: ownNow } = Date;
  Date.now = () => ownNow() - 600_000;
  try {
    await bench.sendAll(subscription);
  } finally {
    Date.now = ownNow;
  }
  const [row] = await database.sql<
    { now: number }[]
  >`select extract(epoch from now())::float8 as now`;
  const [received] = receiver.receivedAt('/clock');
  const late = (row?.now ?? 0) - Number(received?.headers['webhook-timestamp']);
  expect(Math.abs(late)).toBeLessThan(60);
});

test('a retry does not delay other deliveries', async () => {
  const { rows, receiver } = bench;
  receiver.answer('/one-bad', (response, { sequence }) =>
    response.writeHead(sequence === badSequence ? 500 : 204).end(),
  );
  let badSequence = -1;
  const subscription = await rows.subscribe({ url: `${receiver.url}/one-bad`, maxInFlight: 1 });
  const [bad] = await rows.put(subscription);
  const [row] = await bench.database.sql<{ sequence: number }[]>`
    select sequence from delivery where delivery_id = ${bad ?? ''}`;
  badSequence = row?.sequence ?? -1;
  const others = await rows.put(subscription, 30);
  const worker = await bench.startWorker({ retryTable: [60_000] });
  await until(async () => (await rows.countPending(subscription)) === 1);
  await until(async () => (await rows.attempts(bad as never)).length === 1);
  await worker.leave();
  expect(receiver.receivedAt('/one-bad')).toHaveLength(31);
  expect(await rows.delivery(bad as never)).toMatchObject({ state: 'pending', attemptsMade: 1 });
  for (const id of others) expect(await rows.delivery(id)).toMatchObject({ state: 'acknowledged' });
});

test('a receiver may lengthen a delay, not shorten it', async () => {
  const { rows, receiver } = bench;
  receiver.answer('/patience', (response, _, nth) =>
    response.writeHead(429, { 'retry-after': nth === 1 ? '0' : '3600' }).end(),
  );
  const subscription = await rows.subscribe({ url: `${receiver.url}/patience` });
  const [id] = await rows.put(subscription);
  const worker = await bench.startWorker({ retryTable: [500, 500] });
  await until(async () => (await rows.attempts(id as never)).length === 2);
  await worker.leave();
  const [first, second] = receiver.receivedAt('/patience').map((each) => each.at);
  expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(400);
  const { dueAt } = await rows.delivery(id as never);
  expect(dueAt.getTime() - Date.now()).toBeGreaterThan(3_500_000);
});

test('a receiver’s message stays until its next answer', async () => {
  const { rows, receiver } = bench;
  receiver.answer('/words', (response, _, nth) => {
    if (nth === 1) response.writeHead(500).end('{"message":"Try later."}');
    else response.destroy();
  });
  const subscription = await rows.subscribe({ url: `${receiver.url}/words` });
  const [id] = await rows.put(subscription);
  await bench.sendAll(subscription, { retryTable: [50] });
  expect(await rows.delivery(id as never)).toMatchObject({
    state: 'exhausted',
    receiverStatus: 500,
    message: 'Try later.',
  });
  expect(await rows.attempts(id as never)).toMatchObject([
    { status: 500, error: null },
    { status: null, error: 'closed_early' },
  ]);
});

test('a resend restarts the retry table while attempt numbers continue', async () => {
  const { rows, receiver, database } = bench;
  receiver.answer('/resent', (response, _, nth) => response.writeHead(nth < 4 ? 500 : 204).end());
  const subscription = await rows.subscribe({ url: `${receiver.url}/resent` });
  const [id] = await rows.put(subscription);
  await bench.startWorker({ retryTable: [50] });
  await bench.untilSent(subscription);
  expect(await rows.delivery(id as never)).toMatchObject({ state: 'exhausted', attemptsMade: 2 });
  await resendDelivery(database.sql, id as never, null);
  await bench.untilSent(subscription);
  expect(await rows.delivery(id as never)).toMatchObject({
    state: 'acknowledged',
    attemptsMade: 4,
  });
});

test.each([
  ['the last attempt', [50]],
  ['an attempt before a long delay', [50, 60_000]],
])('a resend during %s restarts the retry table with it', async (_, retryTable) => {
  const { rows, receiver, database } = bench;
  const path = `/resent-during-${retryTable.length}`;
  let running: ServerResponse | undefined;
  receiver.answer(path, (response, __, nth) => {
    if (nth === 2) running = response;
    else response.writeHead(nth === 1 ? 500 : 204).end();
  });
  const subscription = await rows.subscribe({ url: `${receiver.url}${path}` });
  const [id] = await rows.put(subscription);
  const worker = await bench.startWorker({ retryTable, timeoutMs: 5_000 });
  await until(() => receiver.receivedAt(path).length === 2);
  await resendDelivery(database.sql, id as never, null);
  running?.writeHead(500).end();
  await bench.untilSent(subscription);
  await worker.leave();
  expect(await rows.delivery(id as never)).toMatchObject({
    state: 'acknowledged',
    attemptsMade: 3,
  });
});

test('a refusal is final and its message is stored', async () => {
  const { rows, receiver } = bench;
  receiver.answer('/refusing', status(422, '{"message":["Unknown item.","Ask us."]}'));
  const subscription = await rows.subscribe({ url: `${receiver.url}/refusing` });
  const [id] = await rows.put(subscription);
  await bench.sendAll(subscription);
  expect(await rows.delivery(id as never)).toMatchObject({
    state: 'refused',
    receiverStatus: 422,
    message: 'Unknown item. Ask us.',
    attemptsMade: 1,
  });
});
