import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../support/until';
import { connect, type Sql } from '../../src/platform/db/client';
import { enableSubscription } from '../../src/webhooks/sql/subscription-state';
import { deferred } from '../support/deferred';
import { createDrainBench, type DrainBench } from '../support/drain-bench';
import { type FaultProxy, startPostgresProxy } from '../support/fault-proxy';
import type { TestSubscription } from '../support/webhook-rows';

let bench: DrainBench;
beforeAll(async () => {
  bench = await createDrainBench();
});
afterAll(() => bench.close());

const ends: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

test('outcomes survive an outage of Postgres: they are recorded when it is back, and nothing is sent twice', async () => {
  const { rows, receiver } = bench;
  const { sql, proxy } = await connectThroughProxy({ statementTimeoutMs: 1_000 });
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
});

describe('a line while Postgres is away', () => {
  let proxy: FaultProxy;
  let sql: Sql;
  beforeEach(async () => {
    ({ sql, proxy } = await connectThroughProxy({ statementTimeoutMs: 1_000 }));
  });

  function away(): void {
    proxy.mode = 'refuse';
    proxy.cut();
  }

  test('keeps its drain when it would come to rest, and rests when Postgres is back', async () => {
    const subscription = await bench.rows.subscribe({ url: `${bench.receiver.url}/rests` });
    const drain = bench.startDrain(bench.startWorker({ sql, lingerMs: 800 }), subscription);
    await until(async () => (await promiseOf(subscription)).alive);
    const { epoch } = await promiseOf(subscription);
    away();
    await sleep(2_500);
    proxy.mode = 'pass';
    expect(await drain.report).toMatchObject({ next: { kind: 'idle' } });
    expect(await promiseOf(subscription)).toEqual({ epoch, alive: false });
  });

  test('is drained by the same drain when something came meanwhile', async () => {
    const subscription = await bench.rows.subscribe({ url: `${bench.receiver.url}/goes-on` });
    const drain = bench.startDrain(bench.startWorker({ sql, lingerMs: 800 }), subscription);
    await until(async () => (await promiseOf(subscription)).alive);
    const { epoch } = await promiseOf(subscription);
    away();
    await sleep(2_500);
    await bench.rows.put(subscription);
    proxy.mode = 'pass';
    await until(() => bench.receiver.receivedAt('/goes-on').length === 1, 5_000);
    expect(await promiseOf(subscription)).toMatchObject({ epoch });
    await drain.cancel();
  });

  test('gets a drain as soon as Postgres is back', async () => {
    const subscription = await bench.rows.subscribe({ url: `${bench.receiver.url}/begins` });
    await bench.rows.put(subscription);
    away();
    const drain = bench.startDrain(bench.startWorker({ sql }), subscription);
    await sleep(2_500);
    proxy.mode = 'pass';
    await until(() => bench.receiver.receivedAt('/begins').length === 1, 5_000);
    expect(await drain.cancel()).toMatchObject({ attempts: 1 });
  });
});

describe('when the answer to a claim is lost', () => {
  const TIMEOUT_MS = 5_000;
  const LEASE_MS = 2 * TIMEOUT_MS + 10_000;
  const WELL_BEFORE_MS = LEASE_MS / 2;
  test('what it took is sent long before its lease ends, and what is in flight is not sent again', async () => {
    const { rows, receiver, database } = bench;
    const { sql, proxy } = await connectThroughProxy();
    receiver.answer(
      '/lost',
      (response) => void setTimeout(() => response.writeHead(204).end(), 4_000),
    );
    const subscription = await rows.subscribe({ url: `${receiver.url}/lost`, maxInFlight: 6 });
    const ids = await rows.put(subscription, 2);
    const drain = bench.startDrain(startUnhurried(sql), subscription);
    await until(() => receiver.receivedAt('/lost').length === 2);
    proxy.cutInsideAnswer();
    ids.push(...(await rows.put(subscription, 5)));
    await until(async () => (await countLeases(subscription)) > 2);
    expect(receiver.receivedAt('/lost')).toHaveLength(2);
    const lostAt = performance.now();
    await until(() => receiver.receivedAt('/lost').length >= 6, LEASE_MS);
    expect(performance.now() - lostAt).toBeLessThan(WELL_BEFORE_MS);
    await until(async () => (await rows.countPending(subscription)) === 0);
    await drain.cancel();
    expect(receiver.receivedAt('/lost')).toHaveLength(7);
    for (const id of ids) expect((await rows.delivery(id)).attemptsMade).toBe(1);

    async function countLeases({ subscriptionId }: TestSubscription): Promise<number> {
      const leases = await database.sql`
        select from delivery where subscription_id = ${subscriptionId} and lease_until > now()`;
      return leases.length;
    }
  });

  test('what it takes later, when the drain has long claimed again, is sent as well', async () => {
    const { rows, receiver, database } = bench;
    const { sql, proxy } = await connectThroughProxy();
    const subscription = await rows.subscribe({ url: `${receiver.url}/late` });
    const late = await rows.put(subscription, 3);
    const [begun, mayCommit] = [deferred(), deferred()];
    // As the claim of that drain does, whose statement has not ended in Postgres.
    const abandoned = database.sql.begin(async (tx) => {
      await tx`select from delivery where delivery_id = any(${late}::text[]) for update`;
      begun.resolve();
      await mayCommit.promise;
      await tx`
        update delivery d set lease_epoch = w.epoch, lease_until = now() + interval '60 s'
        from webhook_line w where w.line = ${subscription.line}::smallint and d.delivery_id = any(${late}::text[])`;
    });
    ends.push(mayCommit.resolve);
    await begun.promise;
    const drain = bench.startDrain(startUnhurried(sql), subscription);
    await rows.put(subscription);
    await until(async () => (await rows.countPending(subscription)) === 3);
    proxy.cutInsideAnswer();
    await rows.put(subscription);
    await until(() => receiver.receivedAt('/late').length === 2);
    await sleep(3_000);
    mayCommit.resolve();
    await abandoned;
    const committedAt = performance.now();
    await until(() => receiver.receivedAt('/late').length >= 5, LEASE_MS);
    expect(performance.now() - committedAt).toBeLessThan(WELL_BEFORE_MS);
    await until(async () => (await rows.countPending(subscription)) === 0);
    await drain.cancel();
    expect(receiver.receivedAt('/late')).toHaveLength(5);
  });

  test('what it took is sent as soon as its webhook, disabled meanwhile, is enabled', async () => {
    const { rows, receiver, database } = bench;
    const [claimLost, mayAnswer] = [deferred(), deferred()];
    receiver.answer('/gone', (response, _webhook, nth) => {
      void mayAnswer.promise.then(() => response.writeHead(nth === 1 ? 410 : 204).end());
    });
    const subscription = await rows.subscribe({ url: `${receiver.url}/gone` });
    const { inventorySystemId, type, subscriptionId } = subscription;
    await rows.put(subscription);
    let losesNext = false;
    const sql = new Proxy(database.sql, {
      apply(target, self, args: Parameters<Sql>) {
        const answer: unknown = Reflect.apply(target, self, args);
        if (!String(args[0]).includes('set lease_epoch = p.epoch')) return answer;
        if (!losesNext) return answer;
        losesNext = false;
        return Promise.resolve(answer).then(() => {
          claimLost.resolve();
          throw new Error('the connection was cut');
        });
      },
    });
    const worker = startUnhurried(sql);
    const drain = bench.startDrain(worker, subscription);
    await until(() => receiver.receivedAt('/gone').length === 1);
    losesNext = true;
    await rows.put(subscription, 3);
    worker.wake(subscription);
    await claimLost.promise;
    const lostAt = performance.now();
    // Before the drain claims again, after a second.
    mayAnswer.resolve();
    await until(async () => {
      const found = await database.sql`
        select from subscription where subscription_id = ${subscriptionId} and state = 'disabled'`;
      return found.length === 1;
    });
    await enableSubscription(database.sql, { inventorySystemId, type });
    worker.wake(subscription);
    await until(async () => (await rows.countPending(subscription)) === 0, LEASE_MS);
    expect(performance.now() - lostAt).toBeLessThan(WELL_BEFORE_MS);
    await drain.cancel();
    expect(receiver.receivedAt('/gone')).toHaveLength(4);
  });

  /** Promises are renewed by another way, so it keeps its line. */
  function startUnhurried(sql: Sql) {
    return bench.startWorker({ sql, watchSql: bench.database.sql, timeoutMs: TIMEOUT_MS });
  }
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

async function promiseOf({ line }: TestSubscription) {
  const [row] = await bench.database.sql<{ epoch: number; alive: boolean }[]>`
    select epoch, coalesce(alive_until > now(), false) as alive from webhook_line
    where line = ${line}::smallint`;
  return row ?? { epoch: 0, alive: false };
}

async function connectThroughProxy(deadline: { statementTimeoutMs?: number } = {}) {
  const { proxy, url } = await startPostgresProxy(bench.database.url);
  const sql = connect(url, { max: 4, ...deadline });
  ends.push(async () => {
    await sql.end({ timeout: 1 });
    await proxy.close();
  });
  return { sql, proxy };
}
