import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from '../../src/platform/db/client';
import { lockStatement, releaseShard } from '../../src/webhooks/sql/shard-owners';
import { type ConsumerBench, createConsumerBench } from '../support/consumer-bench';
import { deferred } from '../support/deferred';
import { until } from '../support/until';
import type { TestSubscription } from '../support/webhook-rows';

let bench: ConsumerBench;
beforeAll(async () => {
  bench = await createConsumerBench();
});
afterAll(() => bench.close());

/** As with thousands of subscriptions that wait. The next look of its own comes thirty times as late. */
const LOOK_MS = 500;

test('a shard that is taken during a look is looked at right after it, however long that one took', async () => {
  const { rows, receiver } = bench;
  const subscription = await rows.subscribe({ url: `${receiver.url}/second` });
  await rows.put(subscription);
  const other = await holdElsewhere(subscription);
  let looks = 0;
  const leaseSql = withSlowLooks(bench.database.sql, () => looks++);
  const worker = await bench.startWorker({ leaseSql });
  await until(() => looks === 1);
  expect(worker.shards()).toHaveLength(15);
  await other.release();
  await until(() => receiver.receivedAt('/second').length > 0, 15 * LOOK_MS);
  expect(receiver.receivedAt('/second')).toHaveLength(1);
});

/** Another worker, which is leaving, has the shard until it releases it. */
async function holdElsewhere({ shard }: TestSubscription) {
  const { sql } = bench.database;
  const worker = { id: randomUUID(), name: 'other' };
  const [locked, mayEnd] = [deferred(), deferred()];
  const session = sql.begin(async (tx) => {
    await tx.unsafe(lockStatement(worker).replace('advisory_lock', 'advisory_xact_lock'));
    locked.resolve();
    await mayEnd.promise;
  });
  await locked.promise;
  await sql`
    insert into webhook_worker (worker, name, lease_until, leaving)
    values (${worker.id}::uuid, 'other', now() + interval '1 h', true)`;
  await sql`
    update webhook_shard set worker = ${worker.id}::uuid, epoch = 1 where shard = ${shard}::smallint`;
  return {
    async release() {
      await releaseShard(sql, { shard, epoch: 1 });
      mayEnd.resolve();
      await session;
    },
  };
}

function withSlowLooks(sql: Sql, onLook: () => void): Sql {
  return new Proxy(sql, {
    apply(target, self, [strings, ...values]: Parameters<Sql>) {
      const query: unknown = Reflect.apply(target, self, [strings, ...values]);
      if (!strings.join('').includes('where due_ms <=')) return query;
      onLook();
      return sleep(LOOK_MS).then(() => query);
    },
  });
}
