import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../support/until';
import { type ConsumerBench, createConsumerBench } from '../support/consumer-bench';

let bench: ConsumerBench;
beforeAll(async () => {
  bench = await createConsumerBench();
});
afterAll(() => bench.close());

afterEach(() => bench.leaveAll());

test('outcomes survive an outage of Postgres: they are recorded when it is back, and nothing is sent twice', async () => {
  const { rows, receiver } = bench;
  const { sql, proxy } = await bench.connectThroughProxy({ statementTimeoutMs: 1_000 });
  receiver.answer('/away', (response) => void setTimeout(() => response.writeHead(204).end(), 300));
  const subscription = await rows.subscribe({ url: `${receiver.url}/away`, maxInFlight: 5 });
  const ids = await rows.put(subscription, 12);
  await bench.startWorker({ sql });
  await until(() => receiver.receivedAt('/away').length === 5);
  proxy.mode = 'refuse';
  proxy.cut();
  await sleep(2_000);
  expect(await rows.countPending(subscription)).toBe(12);
  proxy.mode = 'pass';
  await bench.untilSent(subscription);
  expect(receiver.receivedAt('/away')).toHaveLength(12);
  for (const id of ids) expect(await rows.attempts(id)).toHaveLength(1);
});

test('a worker that Postgres was away for keeps its shards, and sends what came meanwhile', async () => {
  const { rows, receiver } = bench;
  const { sql, proxy } = await bench.connectThroughProxy({ statementTimeoutMs: 1_000 });
  const subscription = await rows.subscribe({ url: `${receiver.url}/goes-on` });
  const worker = await bench.startWorker({ sql });
  await until(() => worker.shards().length === 16);
  const before = await listOwners();
  proxy.mode = 'refuse';
  proxy.cut();
  await sleep(2_500);
  await rows.put(subscription);
  proxy.mode = 'pass';
  await until(() => receiver.receivedAt('/goes-on').length === 1, 5_000);
  expect(await listOwners()).toEqual(before);
});

test('a worker that starts while Postgres is away begins as soon as it is back', async () => {
  const { rows, receiver } = bench;
  const { sql, proxy } = await bench.connectThroughProxy({ statementTimeoutMs: 1_000 });
  const subscription = await rows.subscribe({ url: `${receiver.url}/begins` });
  await rows.put(subscription);
  proxy.mode = 'refuse';
  proxy.cut();
  await bench.startWorker({ sql });
  await sleep(2_500);
  proxy.mode = 'pass';
  await until(() => receiver.receivedAt('/begins').length > 0, 5_000);
  expect(receiver.receivedAt('/begins')).toHaveLength(1);
});

test('an outcome that Postgres refuses does not keep those of other subscriptions from being recorded', async () => {
  const { rows, receiver, database } = bench;
  const poisoned = await rows.subscribe({ url: `${receiver.url}/poisoned` });
  const healthy = await rows.subscribe({ url: `${receiver.url}/sound` });
  await database.sql.unsafe(`
    create function refuse() returns trigger language plpgsql as
      $$ begin if new.status = 418 then raise 'refused'; end if; return new; end $$;
    create trigger refuse before insert on attempt for each row execute function refuse()`);
  receiver.answer('/poisoned', (response) => response.writeHead(418).end());
  await rows.put(poisoned, 5);
  await rows.put(healthy, 50);
  // None is tried again here: the attempts of a delivery that ends leave their table with it.
  await bench.startWorker({ retryTable: [600_000] });
  await bench.untilSent(healthy);
  expect(await rows.countPending(poisoned)).toBe(5);
  await database.sql`drop trigger refuse on attempt`;
  await until(
    async () =>
      (await database.sql`select distinct delivery_id from attempt where status = 418`).length ===
      5,
  );
});

function listOwners(): PromiseLike<unknown> {
  return bench.database.sql`select shard, worker, epoch from webhook_shard order by shard`;
}
