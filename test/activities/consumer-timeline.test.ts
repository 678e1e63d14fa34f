import type { Sql } from '../../src/platform/db/client';
import { type ConsumerBench, createConsumerBench } from '../support/consumer-bench';
import { until } from '../support/until';

let bench: ConsumerBench;
let sql: Sql;
beforeAll(async () => {
  bench = await createConsumerBench();
  ({ sql } = bench.database);
});
afterAll(() => bench.close());

async function nextNumbers() {
  const [row] = await sql<{ message: number; epoch: number }[]>`
    select nextval('webhook_sequence') as message, nextval('webhook_epoch') as epoch`;
  return row ?? { message: 0, epoch: 0 };
}

/** Each is taken with an epoch of its own. */
const SHARDS = 16;

/** It renews its lease and looks at the timeline once, at least. */
async function runWorker(leaseSql = sql): Promise<void> {
  const worker = await bench.startWorker({ leaseSql });
  await until(() => worker.shards().length === SHARDS);
  await worker.leave();
}

test('on the timeline on which they were given out, numbers go on', async () => {
  const before = await nextNumbers();
  await runWorker();
  expect(await nextNumbers()).toEqual({
    message: before.message + 1,
    epoch: before.epoch + SHARDS + 1,
  });
});

test('on another timeline the numbers of messages and epochs leap ahead, once for all workers', async () => {
  const before = await nextNumbers();
  // As a promoted standby that had not received the last hundred.
  await sql`select setval('webhook_sequence', ${before.message + 1}), setval('webhook_epoch', ${before.epoch + 1})`;
  await sql`update webhook_timeline set timeline = '00000000'`;
  await runWorker();
  const after = await nextNumbers();
  expect(after.message).toBeGreaterThan(before.message + 900_000);
  expect(after.epoch).toBeGreaterThan(before.epoch + 900_000);
  await runWorker();
  expect((await nextNumbers()).message).toBe(after.message + 1);
});

test('a server that does not tell its timeline is as good as one on the same', async () => {
  await sql`update webhook_timeline set timeline = null`;
  const before = await nextNumbers();
  const mute = new Proxy(sql, {
    apply(target, self, args: Parameters<Sql>) {
      const isAsked = String(args[0]).includes('pg_walfile_name');
      return isAsked
        ? sql.unsafe('select a_function_that_is_not_there()')
        : Reflect.apply(target, self, args);
    },
  });
  await runWorker(mute);
  expect((await nextNumbers()).message).toBe(before.message + 1);
});

test('while the timeline cannot be looked up, the lease is renewed all the same', async () => {
  const failing = new Proxy(sql, {
    apply(target, self, args: Parameters<Sql>) {
      const isAsked = String(args[0]).includes('pg_walfile_name');
      return isAsked
        ? sql.unsafe(`do $$ begin raise exception 'an error of a managed server'; end $$`)
        : Reflect.apply(target, self, args);
    },
  });
  const worker = await bench.startWorker({ leaseSql: failing });
  const leases = new Set<number>();
  await until(async () => {
    const [row] = await sql<{ leaseUntil: Date }[]>`select lease_until from webhook_worker`;
    if (row) leases.add(row.leaseUntil.getTime());
    return leases.size > 3;
  });
  expect(worker.shards()).toHaveLength(SHARDS);
  await worker.leave();
});

test('a look-up that fails, as during a failover, is repeated at once, though the lease is renewed', async () => {
  await sql`update webhook_timeline set timeline = '00000000'`;
  const before = await nextNumbers();
  let failures = 0;
  const failingFirst = new Proxy(sql, {
    apply(target, self, args: Parameters<Sql>) {
      const isAsked = String(args[0]).includes('pg_walfile_name');
      if (!isAsked || failures > 0) return Reflect.apply(target, self, args);
      failures += 1;
      return sql.unsafe(`do $$ begin raise exception 'recovery is in progress'; end $$`);
    },
  });
  const worker = await bench.startWorker({ leaseSql: failingFirst });
  const startedAt = performance.now();
  await until(async () => {
    const [row] = await sql`select from webhook_timeline where timeline <> '00000000'`;
    return row !== undefined;
  });
  // The next look that is planned anyway comes after ten seconds.
  expect(performance.now() - startedAt).toBeLessThan(8_000);
  await worker.leave();
  expect(failures).toBe(1);
  expect((await nextNumbers()).message).toBeGreaterThan(before.message + 900_000);
});
