import { setTimeout as sleep } from 'node:timers/promises';
import { availabilityOf } from '../support/availability-calls';
import type { SimulatedAppName } from '../support/shop';
import { prepareSystem, stopSystems, type System } from '../support/system';

/** Each call that is stalled goes out so much later than it was allowed to, ms. */
const STALL_MS = 700;
let stalls = 0;

let system: System;
beforeAll(async () => {
  system = await prepareSystem({
    env: { APP_D: 'rappi' },
    timing: { approvalFirstMs: 100, approvalEveryMs: 200 },
  });
  await system.startApi();
  await system.startWorker(async (name) => {
    if (name !== 'worker:before-push' || stalls === 0) return;
    stalls -= 1;
    await sleep(STALL_MS);
  });
});
afterAll(stopSystems);

test.each<SimulatedAppName>(['app-c', 'app-d'])(
  'a call to %s that went out late, as on a busy machine, is not followed by another one too soon',
  async (app) => {
    const shop = await system.openShop(app);
    await shop.upload(1);
    const calls = availabilityOf(system, shop);
    stalls = 1;
    for (const available of [false, true]) {
      expect((await calls.switch([{ external_id: 'I1', available }])).status).toBe(200);
    }
    expect((await shop.requests('availability')).map(({ status }) => status)).toEqual([200, 200]);
  },
);

test('nor is one to app-a, which takes five in a second', async () => {
  const shop = await system.openShop('app-a');
  const { uploadId } = await shop.upload(1);
  // An item with more copies than that, each with a request of its own.
  const copies = Array.from({ length: 8 }, (_, n) => `I1~${n}`);
  const shown = (await shop.payload()) as { readonly items: readonly object[] };
  const items = copies.map((id) => ({ ...shown.items[0], id }));
  await shop.showInstead({ ...shown, items: [...shown.items, ...items] });
  await system.sql`
    update menu_upload set item_ids = ${JSON.stringify({ I1: copies })}::text::jsonb
    where upload_id = ${uploadId}`;
  stalls = 1;
  const change = { external_id: 'I1', available: false };
  expect((await availabilityOf(system, shop).switch([change])).status).toBe(200);
  const statuses = (await shop.requests('availability')).map(({ status }) => status);
  expect(statuses).toEqual(copies.map(() => 204));
});
