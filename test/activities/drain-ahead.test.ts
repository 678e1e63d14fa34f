import { setTimeout as sleep } from 'node:timers/promises';
import { type Listener, listenResiliently } from '../../src/platform/db/listen';
import {
  announceDeliveries,
  LINES_ASLEEP,
  readLineAsleep,
} from '../../src/webhooks/sql/announcements';
import type { Drains } from '../../src/webhooks/drain/drains';
import { createDrainBench, type DrainBench, type WorkerOptions } from '../support/drain-bench';
import { until } from '../support/until';
import type { TestSubscription } from '../support/webhook-rows';

let bench: DrainBench;
let listener: Listener;
const texts: string[] = [];
beforeAll(async () => {
  bench = await createDrainBench();
  listener = await listenResiliently(bench.database.url, [LINES_ASLEEP], {
    onNotify: (_channel, text) => texts.push(text),
    onListening: () => {},
  });
});
afterAll(async () => {
  await listener.stop();
  await bench.close();
});

/** A worker that takes lines, and knows that no other one does. */
async function startWorker(options: WorkerOptions = {}): Promise<Drains> {
  const { rows, receiver } = bench;
  const worker = bench.startWorker(options);
  worker.setPolling(true);
  const first = await rows.subscribe({ url: `${receiver.url}/first` });
  await rows.put(first);
  await until(async () => {
    worker.wakeAsleep(first);
    return (await rows.countPending(first)) === 0;
  });
  return worker;
}

async function workerOf({ line }: TestSubscription): Promise<string | null | undefined> {
  const [row] = await bench.database.sql<{ worker: string | null }[]>`
    select worker from webhook_line where line = ${line}::smallint`;
  return row?.worker;
}

async function end(worker: Drains): Promise<void> {
  worker.stop();
  await worker.close();
}

test('a worker that hears of deliveries in a line without a drain sends them; their activity has the drain then', async () => {
  const { rows, receiver } = bench;
  const subscription = await rows.subscribe({ url: `${receiver.url}/heard` });
  await rows.put(subscription, 3);
  const worker = await startWorker({ lingerMs: 20_000 });
  worker.wakeAsleep(subscription);
  await until(() => receiver.receivedAt('/heard').length === 3);
  await until(async () => (await rows.countPending(subscription)) === 0);
  const drain = bench.startDrain(worker, subscription);
  expect(await drain.cancel()).toMatchObject({ next: { kind: 'again' }, attempts: 3 });
  await end(worker);
});

test('an activity that begins at the same time has the same drain', async () => {
  const { rows, receiver } = bench;
  const subscription = await rows.subscribe({ url: `${receiver.url}/together` });
  await rows.put(subscription, 5);
  const worker = await startWorker({ lingerMs: 20_000 });
  worker.wakeAsleep(subscription);
  const drain = bench.startDrain(worker, subscription);
  worker.wakeAsleep(subscription);
  await until(async () => (await rows.countPending(subscription)) === 0);
  expect(await drain.cancel()).toMatchObject({ attempts: 5 });
  expect(receiver.receivedAt('/together')).toHaveLength(5);
  await end(worker);
});

test('a worker that does not take lines, or stops, or has others beside it, begins none', async () => {
  const { rows, receiver, database } = bench;
  const subscription = await rows.subscribe({ url: `${receiver.url}/not-mine` });
  const idle = bench.startWorker();
  const stopping = await startWorker();
  await end(stopping);
  const one = await startWorker();
  const other = bench.startWorker();
  other.setPolling(true);
  // A worker without lines learns of others every two seconds.
  await sleep(2_500);
  await rows.put(subscription);
  for (const worker of [idle, stopping, one, other]) worker.wakeAsleep(subscription);
  await sleep(300);
  const begun = await database.sql`
    select from webhook_line where line = ${subscription.line}::smallint and alive_until is not null`;
  expect(begun).toHaveLength(0);
  expect(receiver.receivedAt('/not-mine')).toHaveLength(0);
  await Promise.all([one, other].map(end));
});

test('workers that look at different times know of each other also while no line has a drain', async () => {
  const { rows, receiver, database } = bench;
  await database.sql`update webhook_line set alive_until = null`;
  const subscription = await rows.subscribe({ url: `${receiver.url}/shared` });
  const [one, other] = [bench.startWorker(), bench.startWorker()];
  one.setPolling(true);
  await sleep(1_700);
  other.setPolling(true);
  // Each has looked again, the other one at the moment that it knows least of the first.
  await sleep(2_500);
  await rows.put(subscription);
  for (const worker of [one, other]) worker.wakeAsleep(subscription);
  await sleep(300);
  expect(receiver.receivedAt('/shared')).toHaveLength(0);
  await Promise.all([one, other].map(end));
});

test('an activity in another worker waits for the end of the drain, and then has the line', async () => {
  const { rows, receiver } = bench;
  const subscription = await rows.subscribe({ url: `${receiver.url}/elsewhere` });
  await rows.put(subscription);
  const first = await startWorker({ lingerMs: 1_500 });
  first.wakeAsleep(subscription);
  await until(() => receiver.receivedAt('/elsewhere').length === 1);
  const second = bench.startWorker({ lingerMs: 60_000 });
  const drain = bench.startDrain(second, subscription);
  await sleep(600);
  const ahead = await workerOf(subscription);
  await until(async () => (await workerOf(subscription)) !== ahead);
  await rows.put(subscription);
  second.wakeAll();
  await until(() => receiver.receivedAt('/elsewhere').length === 2);
  expect(await drain.cancel()).toMatchObject({ attempts: 1 });
  await end(first);
});

test('a line whose worker has died gets a drain of another worker, whatever its workflow does', async () => {
  const { rows, receiver, database } = bench;
  const subscription = await rows.subscribe({ url: `${receiver.url}/orphaned` });
  await rows.put(subscription, 3);
  await database.sql`
    update webhook_line set alive_until = now() - interval '1 s', epoch = nextval('webhook_epoch')
    where line = ${subscription.line}::smallint`;
  const worker = await startWorker();
  await until(async () => (await rows.countPending(subscription)) === 0);
  expect(receiver.receivedAt('/orphaned')).toHaveLength(3);
  await end(worker);
});

test('a stopping worker finishes what it began ahead', async () => {
  const { rows, receiver } = bench;
  receiver.answer('/slowly', (response) => {
    setTimeout(() => response.writeHead(204).end(), 300);
  });
  const subscription = await rows.subscribe({ url: `${receiver.url}/slowly` });
  const [id] = await rows.put(subscription);
  const worker = await startWorker({ lingerMs: 60_000 });
  worker.wakeAsleep(subscription);
  await until(() => receiver.receivedAt('/slowly').length === 1);
  await end(worker);
  expect(await rows.delivery(id as never)).toMatchObject({ state: 'acknowledged' });
});

test('deliveries in a line without a drain are announced to all workers; those of a paused subscription are not', async () => {
  const { rows, receiver, database } = bench;
  const asleep = await rows.subscribe({ url: `${receiver.url}/asleep` });
  const paused = await rows.subscribe({ url: `${receiver.url}/asleep` });
  await database.sql`
    update subscription set paused_until = now() + interval '1 min'
    where subscription_id = ${paused.subscriptionId}`;
  await announceDeliveries(database.sql, [paused.subscriptionId]);
  const [told] = await announceDeliveries(database.sql, [asleep.subscriptionId]);
  await until(() => texts.some((text) => text.includes(asleep.subscriptionId)));
  const own = texts.filter((text) => text.includes(asleep.subscriptionId));
  expect(own.map(readLineAsleep)).toEqual([
    { line: asleep.line, epoch: told?.epoch, subscriptionId: asleep.subscriptionId },
  ]);
  expect(texts.filter((text) => text.includes(paused.subscriptionId))).toEqual([]);
});

test('what a trigger says of a line names no subscription', () => {
  expect(readLineAsleep('7 42')).toEqual({ line: 7, epoch: 42, subscriptionId: undefined });
});
