import { availabilityOf } from '../support/availability-calls';
import { until } from '../support/until';
import type { Shop, SimulatedAppName } from '../support/shop';
import { startSystem, stopSystems, type System } from '../support/system';

const APPS: readonly SimulatedAppName[] = ['app-a', 'app-b', 'app-c', 'app-d'];

let system: System;
beforeAll(async () => {
  system = await startSystem({
    env: { APP_D: 'rappi' },
    timing: { approvalFirstMs: 100, approvalEveryMs: 200 },
  });
});
afterAll(stopSystems);

async function openLiveShop(app: SimulatedAppName): Promise<Shop> {
  const shop = await system.openShop(app);
  expect((await shop.upload(1)).status).toBe(200);
  return shop;
}

const offIn = async (shop: Shop) => (await shop.store()).off.map(({ id }) => id).toSorted();

describe.each(APPS)('%s', (app) => {
  test.concurrent('an item goes off sale at once, stays off during an upload, and comes back', async () => {
    const shop = await openLiveShop(app);
    const calls = availabilityOf(system, shop);
    const off = await calls.switch([{ external_id: 'I1', available: false }]);
    expect(off).toMatchObject({ status: 200, message: 'Availability successfully updated.' });
    expect(await offIn(shop)).toContain('I1');
    expect(await calls.list()).toMatchObject([
      { external_id: 'I1', source: 'api', state: 'done', until: null },
    ]);

    expect((await shop.upload(2)).status).toBe(200);
    expect(await shop.shown()).toBe('2');
    await until(async () => (await offIn(shop)).includes('I1'));

    const on = await calls.switch([{ external_id: 'I1', available: true }]);
    expect(on.changes).toMatchObject([{ state: 'done', messages: [] }]);
    expect(await offIn(shop)).toEqual([]);
    expect(await calls.list()).toEqual([]);
  });

  test.concurrent('a menu uploaded while an item is off sale never shows it on sale', async () => {
    const shop = await openLiveShop(app);
    const calls = availabilityOf(system, shop);
    await calls.switch([{ external_id: 'I1', available: false }]);
    for (const version of [2, 3]) await shop.upload(version);
    const entries = await shop.timeline();
    const first = entries.findIndex(({ off }) => off.includes('I1'));
    expect(first).toBeGreaterThan(-1);
    for (const { off } of entries.slice(first)) expect(off).toContain('I1');
  });

  test.concurrent('an unknown item fails alone and is not stored', async () => {
    const shop = await openLiveShop(app);
    const calls = availabilityOf(system, shop);
    const answer = await calls.switch([
      { external_id: 'I1', available: false },
      { external_id: 'nothing', available: false },
    ]);
    const sentence = 'The item external id does not exist: nothing';
    expect(answer).toMatchObject({
      status: 409,
      message: ['Could not update availability in delivery system.', sentence],
      changes: [{ state: 'failed', messages: [sentence] }],
    });
    expect(await offIn(shop)).toContain('I1');
    expect((await calls.list()).map((entry) => entry['external_id'])).toEqual(['I1']);
    expect(await calls.change(answer.changes[0]?.change_id ?? '')).toMatchObject({
      kind: 'items',
      state: 'failed',
      items: [
        { external_id: 'I1', state: 'done', message: null },
        { external_id: 'nothing', state: 'failed', message: sentence },
      ],
    });
  });

  test.concurrent('an item comes back by itself when its time is over', async () => {
    const shop = await openLiveShop(app);
    const calls = availabilityOf(system, shop);
    const end = new Date(Date.now() + 2_500).toISOString();
    await calls.switch([{ external_id: 'I1', available: false, until: end }]);
    expect(await calls.list()).toMatchObject([{ external_id: 'I1', until: end }]);
    await until(async () => (await offIn(shop)).length === 0);
    await until(async () => (await calls.list()).length === 0);
  });

  test.concurrent('a store is paused, shown as paused, and resumed', async () => {
    const shop = await openLiveShop(app);
    const calls = availabilityOf(system, shop);
    expect(await calls.pause({ reason: 'The oven is broken.' })).toMatchObject({
      status: 200,
      message: 'Store successfully paused.',
    });
    expect((await shop.store()).paused).toBe(true);
    expect(await calls.paused()).toMatchObject({
      until: null,
      reason: 'The oven is broken.',
      state: 'done',
    });
    expect((await shop.upload(2)).status).toBe(200);
    expect((await shop.store()).paused).toBe(true);
    expect(await calls.resume()).toMatchObject({
      status: 200,
      message: 'Store successfully resumed.',
    });
    expect((await shop.store()).paused).toBe(false);
    expect(await calls.paused()).toBeNull();
  });

  test.concurrent('a pause ends by itself when its time is over', async () => {
    const shop = await openLiveShop(app);
    const calls = availabilityOf(system, shop);
    await calls.pause({ until: new Date(Date.now() + 2_500).toISOString() });
    await until(async () => !(await shop.store()).paused);
    await until(async () => (await calls.paused()) === null);
    expect((await shop.timeline()).at(-1)).toMatchObject({ paused: false });
  });
});
