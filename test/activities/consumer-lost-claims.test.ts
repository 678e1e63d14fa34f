import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../support/until';
import type { Sql } from '../../src/platform/db/client';
import { enableSubscription } from '../../src/webhooks/sql/subscription-state';
import { deferred } from '../support/deferred';
import { type ConsumerBench, createConsumerBench } from '../support/consumer-bench';
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

const TIMEOUT_MS = 5_000;
const LEASE_MS = 2 * TIMEOUT_MS + 10_000;
const WELL_BEFORE_MS = LEASE_MS / 2;

test('what a claim whose answer was lost took is sent long before its lease ends, and what is in flight is not sent again', async () => {
  const { rows, receiver, database } = bench;
  const { sql, proxy } = await bench.connectThroughProxy();
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

test('what a claim whose answer was lost takes later, when the worker has long claimed again, is sent as well', async () => {
  const { rows, receiver, database } = bench;
  const { sql, proxy } = await bench.connectThroughProxy();
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

test('what a claim whose answer was lost took is sent as soon as its webhook, disabled meanwhile, is enabled', async () => {
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
