import type { Sql } from '../../src/platform/db/client';
import { renewLines } from '../../src/webhooks/sql/line-promises';
import { createDrainBench, type DrainBench } from '../support/drain-bench';
import { until } from '../support/until';

let bench: DrainBench;
let sql: Sql;
beforeAll(async () => {
  bench = await createDrainBench();
  ({ sql } = bench.database);
});
afterAll(() => bench.close());

async function nextNumbers() {
  const [row] = await sql<{ message: number; epoch: number }[]>`
    select nextval('webhook_sequence') as message, nextval('webhook_epoch') as epoch`;
  return row ?? { message: 0, epoch: 0 };
}

/** It renews its promises and looks at the timeline once, at least. */
async function runWorker(watchSql = sql): Promise<void> {
  await sql`delete from webhook_worker`;
  const worker = bench.startWorker({ watchSql });
  worker.setPolling(true);
  await until(async () => (await sql`select from webhook_worker`).length === 1);
  await worker.close();
}

test('on the timeline on which they were given out, numbers go on', async () => {
  const before = await nextNumbers();
  await runWorker();
  expect(await nextNumbers()).toEqual({ message: before.message + 1, epoch: before.epoch + 1 });
});

test('on another timeline the numbers of messages and drains leap ahead, once for all workers', async () => {
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

test('while the timeline cannot be looked up, promises are renewed all the same', async () => {
  const failing = new Proxy(sql, {
    apply(target, self, args: Parameters<Sql>) {
      const isAsked = String(args[0]).includes('pg_walfile_name');
      return isAsked
        ? sql.unsafe(`do $$ begin raise exception 'an error of a managed server'; end $$`)
        : Reflect.apply(target, self, args);
    },
  });
  await runWorker(failing);
  expect(await sql`select from webhook_worker`).toHaveLength(1);
});

test('a look-up that fails, as during a failover, is repeated at once, though promises are renewed', async () => {
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
  const worker = bench.startWorker({ watchSql: failingFirst });
  worker.setPolling(true);
  const startedAt = performance.now();
  await until(async () => {
    const [row] = await sql`select from webhook_timeline where timeline <> '00000000'`;
    return row !== undefined;
  });
  // The next look that is planned anyway comes after ten seconds.
  expect(performance.now() - startedAt).toBeLessThan(8_000);
  await worker.close();
  expect(failures).toBe(1);
  expect((await nextNumbers()).message).toBeGreaterThan(before.message + 900_000);
});

test('a promise is renewed for the drain of the line only, not for one of another line with the same epoch', async () => {
  await sql`
    update webhook_line set epoch = 7, alive_until = now() + interval '1 s' where line in (200, 201)`;
  const found = await renewLines(
    sql,
    [
      { line: 200, epoch: 7 },
      { line: 202, epoch: 7 },
    ],
    {
      worker: '00000000-0000-4000-8000-000000000000',
      polling: false,
    },
  );
  expect(found).toMatchObject({ kept: [200], renewed: [200] });
  const renewed = await sql`
    select line from webhook_line where epoch = 7 and alive_until > now() + interval '1.2 s'`;
  expect(renewed).toEqual([{ line: 200 }]);
});
