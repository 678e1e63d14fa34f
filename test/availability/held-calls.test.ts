import { availabilityOf } from '../support/availability-calls';
import { until } from '../support/until';
import { startSystem, stopSystems, type System } from '../support/system';

let system: System;
beforeAll(async () => {
  system = await startSystem({ sweepEveryMs: 3_600_000 });
});
afterAll(stopSystems);

/** How often Postgres has looked at queues, by its statistics, which each connection reports once a second. */
async function looksAtLines(): Promise<number> {
  const [row] = await system.sql<{ looks: number }[]>`
    select (seq_scan + idx_scan)::int as looks from pg_stat_user_tables
    where relname = 'availability_queue'`;
  return row?.looks ?? Number.NaN;
}

test('a call that waits for a push that hangs asks less and less often whether it has ended', async () => {
  const shop = await system.openShop('app-b');
  await shop.upload(1);
  const calls = availabilityOf(system, shop);
  await calls.switch([{ external_id: 'I2', available: false }]);
  await shop.fault({ kind: 'slow', ms: 8_000, times: 1 });
  const uploading = shop.upload(2);
  await until(async () => (await shop.requests('upload')).length === 2);
  const before = await looksAtLines();
  const { status } = await calls.switch([{ external_id: 'I1', available: false }]);
  expect(status).toBe(200);
  expect((await uploading).status).toBe(200);
  // Twenty a second would be some 150 in this time.
  expect((await looksAtLines()) - before).toBeLessThan(70);
});
