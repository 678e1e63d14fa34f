import { setTimeout as sleep } from 'node:timers/promises';
import { availabilityOf } from '../support/availability-calls';
import type { Shop, SimulatedAppName } from '../support/shop';
import { prepareSystem, startSystem, stopSystems, type System } from '../support/system';
import { until } from '../support/until';

const ENV = { APP_D: 'rappi' };
/** Without quick tries: a queue that an app asked to wait is put back at once. */
const TIMING = {
  quickPausesMs: [],
  slowRetryMs: [300],
  approvalFirstMs: 100,
  approvalEveryMs: 200,
} as const;
const NO_WAIT = { prefer: 'respond-async' };

afterAll(stopSystems);

const offIn = async (shop: Shop) => (await shop.store()).off.map(({ id }) => id);
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString();
const off = (externalId: string, seconds?: number) => ({
  external_id: externalId,
  available: false,
  ...(seconds !== undefined && { until: inSeconds(seconds) }),
});

/** The app asks for no call for some seconds, because of another item; the menu's own are not meant. */
async function stall(system: System, shop: Shop, seconds: number): Promise<void> {
  await shop.fault({ kind: 'rate_limit', s: seconds, route: 'availability' });
  await availabilityOf(system, shop).switch([off('I2')], NO_WAIT);
  await until(async () => {
    const [queue] = await system.sql`
      select from availability_queue where retry_is_asked and store_id = ${shop.storeId}::bigint`;
    return queue !== undefined;
  });
}

describe('in one system', () => {
  let system: System;
  beforeAll(async () => {
    system = await startSystem({ env: ENV, timing: TIMING });
  });
  afterAll(() => system.stop());

  test.concurrent('an item that was off before comes back after an `until` that passes while the app asks for no call', async () => {
    const shop = await system.openShop('app-b');
    await shop.upload(1);
    const calls = availabilityOf(system, shop);
    expect((await calls.switch([off('I1')])).status).toBe(200);
    await stall(system, shop, 3);
    const { changes } = await calls.switch([off('I1', 1)], NO_WAIT);
    await until(async () => (await offIn(shop)).join() === 'I2');
    const change = await calls.change(changes[0]?.change_id ?? '');
    expect(change).toMatchObject({ state: 'superseded', messages: ['The time has passed.'] });
  });

  test.concurrent.each<SimulatedAppName>(['app-a', 'app-b', 'app-c'])(
    'an item of %s that only a menu took off comes back when its `until` has passed',
    async (app) => {
      const shop = await system.openShop(app);
      await shop.upload(1);
      await stall(system, shop, 5);
      const calls = availabilityOf(system, shop);
      await calls.switch([off('I1', 3)], NO_WAIT);
      expect((await shop.upload(2)).status).toBe(200);
      await until(async () => (await offIn(shop)).includes('I1'));
      await until(async () => (await offIn(shop)).join() === 'I2');
    },
  );

  test.concurrent.each<SimulatedAppName>(['app-c', 'app-d'])(
    '%s that is to be told again after a menu gets an item back whose `until` passes before',
    async (app) => {
      const shop = await system.openShop(app);
      await shop.upload(1);
      const calls = availabilityOf(system, shop);
      expect((await calls.switch([off('I1', 4)])).status).toBe(200);
      await stall(system, shop, 6);
      expect((await shop.upload(2)).status).toBe(200);
      expect(await offIn(shop)).toContain('I1');
      await until(async () => (await offIn(shop)).join() === 'I2');
    },
  );

  test.concurrent('an item that the app refused to switch, and a menu took off, comes back', async () => {
    const shop = await system.openShop('app-b');
    await shop.upload(1);
    await shop.fault({ kind: 'item_failed', ids: ['I1'] });
    expect((await availabilityOf(system, shop).switch([off('I1', 3)])).status).toBe(409);
    await shop.upload(2);
    expect(await offIn(shop)).toEqual(['I1']);
    await until(async () => (await offIn(shop)).length === 0);
  });

  test.concurrent('the end of an item that the app refused to switch is not told', async () => {
    const shop = await system.openShop('app-b');
    await shop.upload(1);
    await shop.fault({ kind: 'item_failed', ids: ['I1'] });
    const calls = availabilityOf(system, shop);
    expect((await calls.switch([off('I1', 2)])).status).toBe(409);
    await until(async () => (await calls.list()).length === 0);
    expect(await shop.requests('availability')).toHaveLength(1);
  });

  test.concurrent('an `until` that passes while the change waits for a push ends it without a call', async () => {
    const shop = await system.openShop('app-b');
    await shop.upload(1);
    await shop.fault({ kind: 'slow', ms: 4_000, route: 'upload' });
    const uploading = shop.upload(2);
    await until(async () => (await shop.requests('upload')).length === 2);
    const calls = availabilityOf(system, shop);
    const [changed, paused] = await Promise.all([
      calls.switch([off('I1', 1)]),
      calls.pause({ until: inSeconds(1) }),
    ]);
    const ended = { state: 'superseded', messages: ['The time has passed.'] };
    expect(changed).toMatchObject({ status: 200, changes: [ended] });
    expect(paused).toMatchObject({ status: 200, changes: [ended] });
    expect((await uploading).status).toBe(200);
    expect(await shop.requests('availability')).toEqual([]);
    expect(await shop.requests('pause')).toEqual([]);
  });
});

test('what was off before every worker was away comes back after a later `until`, items and pauses', async () => {
  const system = await prepareSystem({ env: ENV, timing: TIMING, sweepEveryMs: 1_000 });
  await system.startApi();
  const shop = await system.openShop('app-b');
  const worker = await system.startWorker();
  await shop.upload(1);
  const calls = availabilityOf(system, shop);
  expect((await calls.switch([off('I1'), off('I2')])).status).toBe(200);
  expect((await calls.pause()).status).toBe(200);
  await worker.stop();
  await calls.switch([{ external_id: 'I2', available: true }], NO_WAIT);
  await calls.switch([off('I1', 1), off('I2', 1)], NO_WAIT);
  await calls.pause({ until: inSeconds(1) }, NO_WAIT);
  await sleep(1_500);
  await system.startWorker();
  await until(async () => (await offIn(shop)).length === 0);
  await until(async () => !(await shop.store()).paused);
  expect(await calls.list()).toEqual([]);
});
