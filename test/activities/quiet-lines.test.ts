import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from '../../src/platform/db/client';
import { createDrainBench, type DrainBench } from '../support/drain-bench';
import { until } from '../support/until';

let bench: DrainBench;
beforeEach(async () => {
  bench = await createDrainBench();
});
afterEach(() => bench.close());

/** Statements of a worker by which it renews its promises, and learns of the others'; not the parts of these. */
function countingRenewals(sql: Sql) {
  const counted = { renewals: 0 };
  const watchSql = new Proxy(sql, {
    apply(target, self, args: Parameters<Sql>) {
      const text = args[0].join('');
      if (text.includes('webhook_worker') && text.includes('clock_timestamp()')) {
        counted.renewals += 1;
      }
      return Reflect.apply(target, self, args);
    },
  });
  return { counted, watchSql };
}

/** What a worker without lines costs: its renewals in four seconds. */
async function renewalsOf(counted: { renewals: number }): Promise<number> {
  const before = counted.renewals;
  await sleep(4_000);
  return counted.renewals - before;
}

test.each([
  ['takes lines', true],
  ['takes none', false],
])(
  'a worker that %s asks every two seconds while no line has a drain, and more often once one has',
  async (_, polls) => {
    const { counted, watchSql } = countingRenewals(bench.database.sql);
    bench.startWorker({ watchSql }).setPolling(polls);
    await until(() => counted.renewals > 0);
    expect(await renewalsOf(counted)).toBeLessThanOrEqual(2);

    const other = bench.startWorker({ lingerMs: 10_000 });
    const subscription = await bench.rows.subscribe({ url: `${bench.receiver.url}/ok` });
    const drain = bench.startDrain(other, subscription);
    await sleep(2_000);
    expect(await renewalsOf(counted)).toBeGreaterThanOrEqual(4);
    await drain.cancel();
  },
);

test('the promise of a line that begins after a quiet time never expires', async () => {
  const { counted, watchSql } = countingRenewals(bench.database.sql);
  const worker = bench.startWorker({ watchSql, lingerMs: 10_000 });
  await until(() => counted.renewals > 0);
  // A renewal has just told that all is quiet, so the next one would come after the promise of the line has expired.
  await sleep(100);
  const subscription = await bench.rows.subscribe({ url: `${bench.receiver.url}/ok` });
  const drain = bench.startDrain(worker, subscription);
  const isAlive = async () => {
    const rows = await bench.database.sql`
      select from webhook_line where line = ${subscription.line}::smallint and alive_until > now()`;
    return rows.length > 0;
  };
  await until(isAlive);
  for (let at = 0; at < 30; at += 1) {
    expect(await isAlive()).toBe(true);
    await sleep(100);
  }
  await drain.cancel();
});
