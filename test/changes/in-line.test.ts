import { menuChangesOf, shownInApp } from '../support/menu-changes';
import type { Shop } from '../support/shop';
import { startSystem, stopSystems, type System } from '../support/system';
import { until } from '../support/until';
import { changeableMenu } from './changeable-menu';

const NO_WAIT = { prefer: 'respond-async' };

let system: System;
beforeAll(async () => {
  system = await startSystem({ timing: { quickPausesMs: [500, 500], slowRetryMs: [300] } });
});
afterAll(stopSystems);

const priceOf = (value: string) => ({ items: [{ external_id: 'I2', price: { value } }] });
const namesIn = async (shop: Shop) =>
  (await shownInApp('app-b', shop)).items.map(({ name }) => name);

test.concurrent('on top of a menu that is accepted before it, not of one after it', async () => {
  const shop = await system.openShop('app-b');
  const calls = menuChangesOf(system, shop);
  await calls.upload(changeableMenu());
  await shop.fault({ kind: 'slow', ms: 700, route: 'upload' });
  await calls.upload(changeableMenu('Marinara'), NO_WAIT);
  const second = await calls.change(priceOf('2600'), NO_WAIT);
  expect(second).toMatchObject({ status: 202, message: 'Menu changes in progress.' });
  expect(await calls.change(priceOf('2700'))).toMatchObject({ status: 200 });
  expect(await namesIn(shop)).toContain('Marinara');
  expect(JSON.stringify(await shownInApp('app-b', shop))).toContain('"2700"');

  expect(await calls.upload(changeableMenu('Diavola'))).toMatchObject({ status: 200 });
  expect(JSON.stringify(await shownInApp('app-b', shop))).toContain('"2500"');
});

test.concurrent('on top of what is live, if the menu before it fails', async () => {
  const shop = await system.openShop('app-b');
  const calls = menuChangesOf(system, shop);
  const first = await calls.upload(changeableMenu());
  // While it is tried again, the change is accepted.
  await shop.fault({ kind: 'status', status: 503, route: 'upload' });
  await shop.fault({ kind: 'status', status: 400, route: 'upload' });
  const failing = await calls.upload(changeableMenu('Marinara'), NO_WAIT);
  await until(async () => (await shop.requests('upload')).length === 2);
  const changed = await calls.change(priceOf('2600'));
  expect(await calls.of(failing.uploadId)).toMatchObject({ state: 'failed' });
  expect(changed).toMatchObject({ status: 200, changes: [{ state: 'uploaded' }] });
  expect(await calls.of(changed.changes[0]?.upload_id ?? '')).toMatchObject({
    changed_from: first.uploadId,
  });
  expect(await namesIn(shop)).toContain('Margherita');
});

test.concurrent('many at once end in one menu that has them all', async () => {
  const shop = await system.openShop('app-b');
  const calls = menuChangesOf(system, shop);
  await calls.upload(changeableMenu());
  const wanted = ['I1', 'I2', 'X1'].flatMap((external_id) => [
    { external_id, price: { value: '4000' } },
    { external_id, name: `New ${external_id}` },
  ]);
  const answers = await Promise.all(wanted.map((item) => calls.change({ items: [item] })));
  expect(answers.map(({ status }) => status)).toEqual(wanted.map(() => 200));
  const { items } = await shownInApp('app-b', shop);
  expect(items.map(({ name }) => name).toSorted()).toEqual(['New I1', 'New I2', 'New X1']);
  expect(JSON.stringify(items).match(/"4000"/g)).toHaveLength(3);
});

test.concurrent('a repeat with the same key gets the same answer and makes nothing more', async () => {
  const shop = await system.openShop('app-b');
  const calls = menuChangesOf(system, shop);
  await calls.upload(changeableMenu());
  const key = { 'idempotency-key': 'change-once' };
  const named = { integration_ids: ['none', String(shop.integrationId)], ...priceOf('2600') };
  const first = await calls.change(named, key);
  expect(first).toMatchObject({
    status: 409,
    changes: [{ state: 'failed' }, { state: 'uploaded' }],
  });
  expect(await calls.change(named, key)).toEqual(first);
  expect(await shop.requests('change')).toHaveLength(1);
});

test.concurrent('a menu that comes after it wins, while the app is away', async () => {
  const shop = await system.openShop('app-b');
  const calls = menuChangesOf(system, shop);
  await calls.upload(changeableMenu());
  await shop.fault({ kind: 'status', status: 503, route: 'change', times: 3 });
  await shop.fault({ kind: 'status', status: 503, route: 'upload', times: 3 });
  const changed = await calls.change(priceOf('2600'), NO_WAIT);
  await until(async () => (await shop.requests('upload')).length > 2);
  expect(await calls.upload(changeableMenu('Diavola'))).toMatchObject({ status: 200 });
  expect(await calls.of(changed.changes[0]?.upload_id ?? '')).toMatchObject({
    state: 'superseded',
  });
  expect(JSON.stringify(await shownInApp('app-b', shop))).toContain('"2500"');
});
