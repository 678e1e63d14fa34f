import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../support/until';
import { connect, type Sql } from '../../src/platform/db/client';
import { enableSubscription } from '../../src/webhooks/sql/subscription-state';
import { deferred } from '../support/deferred';
import { type ConsumerBench, createConsumerBench } from '../support/consumer-bench';
import { startPostgresProxy } from '../support/fault-proxy';
import type { TestSubscription } from '../support/webhook-rows';

let bench: ConsumerBench;
beforeAll(async () => {
  bench = await createConsumerBench();
});
afterAll(() => bench.close());

const ends: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  await bench.leaveAll();
  for (const end of ends.splice(0)) await end();
});

test('outcomes survive an outage of Postgres: they are recorded when it is back, and nothing is sent twice', async () => {
  const { rows, receiver } = bench;
  const { sql, proxy } = await connectThroughProxy({ statementTimeoutMs: 1_000 });
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
  const { sql, proxy } = await connectThroughProxy({ statementTimeoutMs: 1_000 });
  const subscription = await rows.subscribe({ url: `${receiver.url}/goes-on` });
  const worker = await bench.startWorker({ sql });
  await until(() => worker.shards().length === 16);
  const before = await listEpochs();
  proxy.mode = 'refuse';
  proxy.cut();
  await sleep(2_500);
  await rows.put(subscription);
  proxy.mode = 'pass';
  await until(() => receiver.receivedAt('/goes-on').length === 1, 5_000);
  expect(await listEpochs()).toEqual(before);
});

test('a worker that starts while Postgres is away begins as soon as it is back', async () => {
  const { rows, receiver } = bench;
  const { sql, proxy } = await connectThroughProxy({ statementTimeoutMs: 1_000 });
  const subscription = await rows.subscribe({ url: `${receiver.url}/begins` });
  await rows.put(subscription);
  proxy.mode = 'refuse';
  proxy.cut();
  await bench.startWorker({ sql });
  await sleep(2_500);
  proxy.mode = 'pass';
  await until(() => receiver.receivedAt('/begins').length === 1, 5_000);
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
    await startUnhurried(sql);
    await until(() => receiver.receivedAt('/lost').length === 2);
    proxy.cutInsideAnswer();
    ids.push(...(await rows.put(subscription, 5)));
    await until(async () => (await countLeases(subscription)) > 2);
    expect(receiver.receivedAt('/lost')).toHaveLength(2);
    const lostAt = performance.now();
    await until(() => receiver.receivedAt('/lost').length >= 6, LEASE_MS);
    expect(performance.now() - lostAt).toBeLessThan(WELL_BEFORE_MS);
    await bench.untilSent(subscription);
    expect(receiver.receivedAt('/lost')).toHaveLength(7);
    for (const id of ids) expect((await rows.delivery(id)).attemptsMade).toBe(1);

    async function countLeases({ subscriptionId }: TestSubscription): Promise<number> {
      const leases = await database.sql`
        select from delivery where subscription_id = ${subscriptionId} and lease_until > now()`;
      return leases.length;
    }
  });

  test('what it takes later, when the worker has long claimed again, is sent as well', async () => {
    const { rows, receiver, database } = bench;
    const { sql, proxy } = await connectThroughProxy();
    const subscription = await rows.subscribe({ url: `${receiver.url}/late` });
    const late = await rows.put(subscription, 3);
    const [begun, mayCommit] = [deferred(), deferred()];
    // As the claim of that worker does, whose statement has not ended in Postgres.
    const abandoned = database.sql.begin(async (tx) => {
      await tx`select from delivery where delivery_id = any(${late}::text[]) for update`;
      begun.resolve();
      await mayCommit.promise;
      await tx`
        update delivery d set lease_epoch = w.epoch, lease_until = now() + interval '60 s'
        from webhook_shard w where w.shard = ${subscription.shard}::smallint and d.delivery_id = any(${late}::text[])`;
    });
    ends.push(mayCommit.resolve);
    await begun.promise;
    await startUnhurried(sql);
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
    await bench.untilSent(subscription);
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
    const worker = await startUnhurried(sql);
    await until(() => receiver.receivedAt('/gone').length === 1);
    losesNext = true;
    await rows.put(subscription, 3);
    worker.wake(subscription);
    await claimLost.promise;
    const lostAt = performance.now();
    // Before the worker claims again, after a second.
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
    expect(receiver.receivedAt('/gone')).toHaveLength(4);
  });

  /** Its lease is renewed by another way, so it keeps its shards. */
  function startUnhurried(sql: Sql) {
    return bench.startWorker({ sql, leaseSql: bench.database.sql, timeoutMs: TIMEOUT_MS });
  }
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

function listEpochs(): PromiseLike<unknown> {
  return bench.database.sql`select shard, worker, epoch from webhook_shard order by shard`;
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
