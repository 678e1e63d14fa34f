import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from '../../src/platform/db/client';
import { type ConsumerBench, createConsumerBench } from '../support/consumer-bench';
import { until } from '../support/until';
import type { TestSubscription } from '../support/webhook-rows';

let bench: ConsumerBench;
beforeAll(async () => {
  bench = await createConsumerBench();
});
afterEach(async () => {
  await bench.leaveAll();
  // What a receiver left would take of the memory of the next worker.
  await bench.database.sql`delete from delivery`;
});
afterAll(() => bench.close());

const MB = 2 ** 20;

/** Makes the payloads of all that waits for a subscription so large. */
async function enlarge({ subscriptionId }: TestSubscription, bytes: number): Promise<void> {
  await bench.database.sql`
    update delivery set payload_bytes = ${bytes}::int,
      payload = ('{"blob":"' || repeat('x', ${bytes - 11}::int) || '"}')::json
    where subscription_id = ${subscriptionId}`;
}

/** A slow receiver that counts its simultaneous requests. */
function slowReceiver(path: string): () => number {
  let [open, most] = [0, 0];
  bench.receiver.answer(path, (response) => {
    open += 1;
    most = Math.max(most, open);
    setTimeout(() => {
      open -= 1;
      response.writeHead(204).end();
    }, 300);
  });
  return () => most;
}

test('a worker never holds more bytes of payloads than allowed: the rest is claimed later, in order and once', async () => {
  const { rows, receiver } = bench;
  const most = slowReceiver('/heavy');
  const subscription = await rows.subscribe({ url: `${receiver.url}/heavy` });
  const ids = await rows.put(subscription, 12);
  await enlarge(subscription, MB);
  // Large ones may take three quarters of it.
  await bench.sendAll(subscription, { memoryBytes: 4.2 * MB, timeoutMs: 15_000 });
  expect(most()).toBe(3);
  const received = receiver.receivedAt('/heavy').map((each) => each.id);
  expect(received).toHaveLength(12);
  expect(new Set(received)).toEqual(new Set(ids.map((id) => id.replace('dlv', 'msg'))));
  for (const id of ids) expect(await rows.delivery(id)).toMatchObject({ attemptsMade: 1 });
});

test('large payloads that fill their share of the memory do not delay small ones of others', async () => {
  const { rows, receiver } = bench;
  receiver.answer('/full', () => {});
  const full = await rows.subscribe({ url: `${receiver.url}/full` });
  const small = await rows.subscribe({ url: `${receiver.url}/small` });
  await rows.put(full, 12);
  await enlarge(full, MB);
  const worker = await bench.startWorker({ memoryBytes: 4.2 * MB, timeoutMs: 4_000 });
  await until(() => receiver.receivedAt('/full').length === 3);
  await rows.put(small, 20);
  const announcedAt = Date.now();
  worker.wake(small);
  await bench.untilSent(small);
  expect(Date.now() - announcedAt).toBeLessThan(3_000);
  expect(receiver.receivedAt('/full')).toHaveLength(3);
  await worker.leave();
});

test('a payload larger than the memory limit goes out alone', async () => {
  const { rows, receiver } = bench;
  const most = slowReceiver('/giant');
  const subscription = await rows.subscribe({ url: `${receiver.url}/giant` });
  await rows.put(subscription, 3);
  await enlarge(subscription, 2 * MB);
  await bench.sendAll(subscription, { memoryBytes: MB, timeoutMs: 15_000 });
  expect(most()).toBe(1);
  expect(receiver.receivedAt('/giant')).toHaveLength(3);
});

/** A way to the database on which each load of a payload takes so long. */
function loadingSlowly(ms: number, loads: { count: number }): Sql {
  return new Proxy(bench.database.sql, {
    apply(target, self, args: [readonly string[], ...unknown[]]) {
      const query = Reflect.apply(target, self, args) as Promise<unknown>;
      if (!args[0].join('').includes('select payload::text as payload from delivery')) return query;
      loads.count += 1;
      return sleep(ms).then(() => query);
    },
  });
}

test('a large payload that takes longer to load than a claim counts is sent, after one load', async () => {
  const { rows, receiver } = bench;
  const subscription = await rows.subscribe({ url: `${receiver.url}/slow-load` });
  await rows.put(subscription);
  await enlarge(subscription, MB);
  const loads = { count: 0 };
  const sql = loadingSlowly(2_300, loads);
  await bench.sendAll(subscription, { sql });
  expect(receiver.receivedAt('/slow-load')).toHaveLength(1);
  expect(loads.count).toBe(1);
});

test('a large payload is not sent if another worker has taken its shard while it was loaded', async () => {
  const { rows, receiver } = bench;
  const subscription = await rows.subscribe({ url: `${receiver.url}/lost-load` });
  await rows.put(subscription);
  await enlarge(subscription, MB);
  const loads = { count: 0 };
  await bench.startWorker({ sql: loadingSlowly(2_300, loads) });
  await until(() => loads.count === 1);
  await bench.database.sql`
    insert into webhook_worker (worker, name, lease_until)
    values ('00000000-0000-4000-8000-000000000000', 'another', now() + interval '30 s')`;
  await bench.database.sql`
    update webhook_shard set worker = '00000000-0000-4000-8000-000000000000', epoch = nextval('webhook_epoch')
    where shard = ${subscription.shard}::smallint`;
  await sleep(2_500);
  expect(receiver.receivedAt('/lost-load')).toEqual([]);
});
