import { setTimeout as sleep } from 'node:timers/promises';
import { loadConfig } from '../../src/platform/config/config';
import { createTemporalClient } from '../../src/platform/temporal/connection';
import { storeAvailabilityId } from '../../src/platform/temporal/workflow-names';
import { availabilityOf } from '../support/availability-calls';
import { until } from '../support/until';
import type { Shop } from '../support/shop';
import { startSystem, stopSystems, type SharedSystem } from '../support/system';

let system: SharedSystem;
beforeAll(async () => {
  system = await startSystem();
});
afterAll(stopSystems);

async function claimsOf({ storeId }: Shop): Promise<number> {
  const [queue] = await system.sql<{ claimNo: number }[]>`
    select claim_no::int from availability_queue where store_id = ${storeId}::bigint`;
  return queue?.claimNo ?? 0;
}

/** Whether the queue is not claimed any more: a pass takes some ten milliseconds. */
async function isAtRest(shop: Shop): Promise<boolean> {
  const before = await claimsOf(shop);
  await sleep(1_000);
  return (await claimsOf(shop)) === before;
}

test('a queue with nothing to do ends, although its item is off sale without an end', async () => {
  const shop = await system.openShop('app-b');
  await shop.upload(1);
  const calls = availabilityOf(system, shop);
  await calls.switch([{ external_id: 'I1', available: false }]);
  await until(() => isAtRest(shop));
  const temporal = createTemporalClient(loadConfig(system.env));
  const run = temporal.workflow.getHandle(storeAvailabilityId(shop.storeId, shop.integrationId));
  expect((await run.describe()).status.name).toBe('COMPLETED');
  await temporal.connection.close();
});

test('a queue that waits for a time is not claimed earlier', async () => {
  const shop = await system.openShop('app-b');
  await shop.upload(1);
  const calls = availabilityOf(system, shop);
  const end = new Date(Date.now() + 3_600_000).toISOString();
  await calls.switch([{ external_id: 'I1', available: false, until: end }]);
  await calls.pause({ until: end });
  await until(() => isAtRest(shop));
  // A claim for the items and one for the pause, with a look behind each, and some for what comes between.
  expect(await claimsOf(shop)).toBeLessThan(10);
});

test('a queue whose app fails is not claimed before its next try', async () => {
  const shop = await system.openShop('app-b');
  await shop.upload(1);
  await shop.fault({ kind: 'rate_limit', s: 3_600, route: 'availability' });
  const calls = availabilityOf(system, shop);
  await calls.switch([{ external_id: 'I1', available: false }], { prefer: 'respond-async' });
  await until(async () => (await shop.requests('availability')).length === 1);
  await until(() => isAtRest(shop));
  expect(await shop.requests('availability')).toHaveLength(1);
});
