import { setTimeout as sleep } from 'node:timers/promises';
import { availabilityOf } from '../support/availability-calls';
import { until } from '../support/until';
import { startSystem, stopSystems, type System } from '../support/system';

let system: System;
beforeAll(async () => {
  system = await startSystem({ sweepEveryMs: 500 });
});
afterAll(stopSystems);

async function openShop() {
  const shop = await system.openShop('app-b');
  await shop.upload(1);
  const calls = availabilityOf(system, shop);
  const off = async () => (await shop.store()).off.map(({ id }) => id);
  const isOff = (id: string) => async () => (await off()).includes(id);
  const isOn = (id: string) => async () => !(await off()).includes(id);
  return { shop, calls, off, isOff, isOn };
}

test.concurrent('an item that runs out goes off sale, and comes back with its stock', async () => {
  const { calls, isOff, isOn } = await openShop();
  await calls.setFromStock('on');
  await calls.moveStock('I1', '0', '2026-01-01T10:00:00Z');
  await until(isOff('I1'));
  expect(await calls.list()).toMatchObject([{ external_id: 'I1', source: 'stock', until: null }]);
  await calls.moveStock('I1', '3', '2026-01-01T11:00:00Z');
  await until(isOn('I1'));
  expect(await calls.list()).toEqual([]);
});

test.concurrent('the newest date wins, whatever arrives later', async () => {
  const { calls, isOff } = await openShop();
  await calls.setFromStock('on');
  await calls.moveStock('I1', '-1', new Date().toISOString());
  await calls.moveStock('I1', '5', new Date(Date.now() - 3_600_000).toISOString());
  await until(isOff('I1'));
  await sleep(3_000);
  expect(await isOff('I1')()).toBe(true);
});

test.concurrent('a till with a wrong clock cannot freeze an item off sale', async () => {
  const { calls, isOff, isOn } = await openShop();
  await calls.setFromStock('on');
  await calls.moveStock('I1', '0', '2036-11-28T10:00:00Z');
  await until(isOff('I1'));
  await calls.moveStock('I1', '40', new Date().toISOString());
  await until(isOn('I1'));
  // Sold out, as a till without a zone in its dates says it.
  await calls.moveStock('I1', '0', new Date().toISOString().slice(0, 10));
  await until(isOff('I1'));
  expect(await calls.list()).toMatchObject([{ external_id: 'I1', source: 'stock' }]);
});

test.concurrent('an item is on sale when neither the API nor stock holds it', async () => {
  const { shop, calls, isOff, isOn } = await openShop();
  await calls.setFromStock('on');
  await calls.switch([{ external_id: 'I1', available: false }]);
  await calls.moveStock('I1', '0', '2026-01-01');
  await until(async () => {
    const [row] = await system.sql`select from availability_mark
      where store_id = ${shop.storeId}::bigint and by_api and by_stock`;
    return row !== undefined;
  });
  expect(await calls.list()).toMatchObject([{ external_id: 'I1', source: 'api' }]);
  await calls.moveStock('I1', '9', '2026-01-02');
  await until(async () => {
    const [row] = await system.sql`select from availability_mark
      where store_id = ${shop.storeId}::bigint and by_api and not by_stock`;
    return row !== undefined;
  });
  expect(await isOff('I1')()).toBe(true);
  await calls.switch([{ external_id: 'I1', available: true }]);
  expect(await isOn('I1')()).toBe(true);
});

test.concurrent('an item that runs out stays off sale past the time that the API had set', async () => {
  const shop = await system.openShop('app-a');
  await shop.upload(1);
  const calls = availabilityOf(system, shop);
  await calls.setFromStock('on');
  const end = Date.now() + 6_000;
  const time = { until: new Date(end).toISOString() };
  await calls.switch([{ external_id: 'I1', available: false, ...time }]);
  await calls.moveStock('I1', '0', '2026-01-01');
  await until(async () => {
    const [entry] = await calls.list();
    return entry?.['source'] === 'stock';
  });
  await sleep(Math.max(0, end - Date.now()) + 1_500);
  expect((await shop.store()).off).toMatchObject([{ id: 'I1', until: null }]);
  const causes = (await shop.timeline()).map(({ cause }) => cause);
  expect(causes).not.toContain('until');
});

test.concurrent('items in no live menu stay unchanged, and so do stores without the setting', async () => {
  const { calls, off } = await openShop();
  await calls.moveStock('I1', '0', '2026-01-01');
  await calls.setFromStock('on');
  await calls.moveStock('nothing', '0', '2026-01-01');
  await sleep(3_000);
  expect(await off()).toEqual([]);
  expect(await calls.list()).toEqual([]);
});

test.concurrent('when the setting is switched off, items that only stock held come back', async () => {
  const { calls, isOff, off } = await openShop();
  await calls.setFromStock('on');
  await calls.moveStock('I1', '0', '2026-01-01');
  await calls.moveStock('I2', '0', '2026-01-01');
  await until(async () => (await isOff('I1')()) && (await isOff('I2')()));
  await calls.setFromStock('off');
  await until(async () => (await off()).length === 0);
  expect(await calls.list()).toEqual([]);
});

test.concurrent('movements within two seconds make one call', async () => {
  const { shop, calls, isOff } = await openShop();
  await calls.setFromStock('on');
  await Promise.all(['I1', 'I2'].map((id) => calls.moveStock(id, '0', '2026-01-01')));
  await until(async () => (await isOff('I1')()) && (await isOff('I2')()));
  expect(await shop.requests('availability')).toHaveLength(1);
});

test.concurrent('a movement whose process died still counts', async () => {
  const { shop, calls, isOff } = await openShop();
  await calls.setFromStock('on');
  await system.sql`
    insert into stock_movement (store_id, external_id, is_out, moved_at, counts_at)
    values (${shop.storeId}::bigint, 'I1', true, now(), now() - interval '1 minute')`;
  await until(isOff('I1'));
  expect(await calls.list()).toMatchObject([{ external_id: 'I1', source: 'stock' }]);
});

test.concurrent('a movement that was never accepted does not count', async () => {
  const { shop, calls } = await openShop();
  await calls.setFromStock('on');
  await system.sql`
    insert into stock_movement (store_id, external_id, is_out, moved_at, event_id, deliveries, counts_at,
      stored_at)
    values (${shop.storeId}::bigint, 'I1', true, now(), ${`evt_${'0'.repeat(32)}`}, 1,
      now() - interval '1 minute', now() - interval '3 minutes')`;
  const left = () => system.sql`
    select from stock_movement where store_id = ${shop.storeId}::bigint`;
  await until(async () => (await left()).length === 0);
  expect(await calls.list()).toEqual([]);
});
