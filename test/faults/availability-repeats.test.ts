import { availabilityOf } from '../support/availability-calls';
import type { Shop } from '../support/shop';
import { startSystem, stopSystems, type System } from '../support/system';

let system: System;
beforeAll(async () => {
  system = await startSystem({
    env: { APP_D: 'rappi' },
    timing: { slowRetryMs: [300], approvalFirstMs: 100, approvalEveryMs: 200 },
  });
});
afterAll(stopSystems);

const offIn = async (shop: Shop) => (await shop.store()).off.map(({ id }) => id);

test.concurrent.each([
  ['app-c', { kind: 'errno', errno: 77 }, 'scripted (errno 77)'],
  ['app-d', { kind: 'status', status: 424 }, 'status 424'],
] as const)(
  '%s gets a change three times more after %j, and no fourth time',
  async (app, fault, reason) => {
    const shop = await system.openShop(app);
    await shop.upload(1);
    const calls = availabilityOf(system, shop);
    await shop.fault({ ...fault, route: 'availability', times: 3 });
    expect((await calls.switch([{ external_id: 'I1', available: false }])).status).toBe(200);
    expect(await shop.requests('availability')).toHaveLength(4);
    await shop.fault({ ...fault, route: 'availability', times: 4 });
    expect(await calls.switch([{ external_id: 'I1', available: true }])).toMatchObject({
      status: 409,
      changes: [{ state: 'failed', messages: [`The item I1 was refused: ${reason}`] }],
    });
    expect(await shop.requests('availability')).toHaveLength(8);
  },
);

// App A's success has no body, so its status is enough.
test.concurrent.each(['app-b', 'app-c', 'app-d'] as const)(
  'after an answer of %s that cannot be read the call is repeated',
  async (app) => {
    const shop = await system.openShop(app);
    await shop.upload(1);
    for (const mode of [{}, { mode: 'cut' }]) {
      await shop.fault({ kind: 'bad_json', route: 'availability', ...mode });
    }
    const calls = availabilityOf(system, shop);
    expect((await calls.switch([{ external_id: 'I1', available: false }])).status).toBe(200);
    expect(await shop.requests('availability')).toHaveLength(3);
  },
);

test.concurrent('a pause that app-c refuses four times by an unknown number has failed', async () => {
  const shop = await system.openShop('app-c');
  await shop.upload(1);
  await shop.fault({ kind: 'errno', errno: 77, route: 'pause', times: 4 });
  expect(await availabilityOf(system, shop).pause()).toMatchObject({
    status: 409,
    message: ['Could not update the store in delivery system.', 'scripted (errno 77)'],
  });
});

test.concurrent('an item of app-d with more SKUs than a request takes is switched in several, as often as the app allows', async () => {
  const shop = await system.openShop('app-d');
  const { uploadId } = await shop.upload(1);
  const copies = Array.from({ length: 250 }, (_, n) => `I1~${n}`);
  const shown = (await shop.payload()) as { readonly items: readonly object[] };
  const items = copies.map((sku) => ({ ...shown.items[0], sku }));
  await shop.showInstead({ ...shown, items: [...shown.items, ...items] });
  await system.sql`
    update menu_upload set item_ids = ${JSON.stringify({ I1: copies })}::text::jsonb
    where upload_id = ${uploadId}`;
  const calls = availabilityOf(system, shop);
  expect((await calls.switch([{ external_id: 'I1', available: false }])).status).toBe(200);
  expect((await offIn(shop)).toSorted()).toEqual(copies.toSorted());
  const statuses = (await shop.requests('availability')).map(({ status }) => status);
  expect(statuses).toEqual([200, 200, 200]);
});
