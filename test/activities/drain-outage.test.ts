import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../support/until';
import { connect } from '../../src/platform/db/client';
import { createDrainBench, type DrainBench } from '../support/drain-bench';
import { startFaultProxy } from '../support/fault-proxy';

let bench: DrainBench;
beforeAll(async () => {
  bench = await createDrainBench();
});
afterAll(() => bench.close());

test('outcomes survive an outage of Postgres: they are recorded when it is back, and nothing is sent twice', async () => {
  const { rows, receiver, database } = bench;
  const url = new URL(database.url);
  const proxy = await startFaultProxy({ host: url.hostname, port: Number(url.port) });
  url.port = String(proxy.port);
  const sql = connect(url.href, { max: 4, statementTimeoutMs: 1_000 });
  receiver.answer('/away', (response) => void setTimeout(() => response.writeHead(204).end(), 300));
  const subscription = await rows.subscribe({ url: `${receiver.url}/away`, maxInFlight: 5 });
  const ids = await rows.put(subscription, 12);
  const drain = bench.startDrain(bench.startWorker({ sql }), subscription);
  await until(() => receiver.receivedAt('/away').length === 5);
  proxy.mode = 'refuse';
  proxy.cut();
  await sleep(2_000);
  expect(await rows.countPending(subscription)).toBe(12);
  proxy.mode = 'pass';
  await until(async () => (await rows.countPending(subscription)) === 0);
  await drain.cancel();
  expect(receiver.receivedAt('/away')).toHaveLength(12);
  for (const id of ids) expect(await rows.attempts(id)).toHaveLength(1);
  await sql.end({ timeout: 1 });
  await proxy.close();
});

test('an outcome that Postgres refuses does not keep those of other subscriptions from being recorded', async () => {
  const { rows, receiver, database } = bench;
  // None is tried again here: the attempts of a delivery that ends leave their table with it.
  const worker = bench.startWorker({ retryTable: [600_000] });
  const poisoned = await rows.subscribe({ url: `${receiver.url}/poisoned` });
  const healthy = await rows.subscribe({ url: `${receiver.url}/sound` });
  await database.sql.unsafe(`
    create function refuse() returns trigger language plpgsql as
      $$ begin if new.status = 418 then raise 'refused'; end if; return new; end $$;
    create trigger refuse before insert on attempt for each row execute function refuse()`);
  receiver.answer('/poisoned', (response) => response.writeHead(418).end());
  await rows.put(poisoned, 5);
  await rows.put(healthy, 50);
  const drains = [bench.startDrain(worker, poisoned), bench.startDrain(worker, healthy)];
  await until(async () => (await rows.countPending(healthy)) === 0);
  expect(await rows.countPending(poisoned)).toBe(5);
  await database.sql`drop trigger refuse on attempt`;
  await until(
    async () =>
      (await database.sql`select distinct delivery_id from attempt where status = 418`).length ===
      5,
  );
  await Promise.all(drains.map((drain) => drain.cancel()));
});
