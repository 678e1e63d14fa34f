import { availabilityOf } from '../support/availability-calls';
import { fieldCallsOf } from '../support/field-calls';
import type { FieldMenu } from '../support/field-menu';
import { item, menuOf } from './soup-and-cake';
import type { Shop, SimulatedAppName } from '../support/shop';
import { startSystem, stopSystems, type System } from '../support/system';
import { until } from '../support/until';

const APPS: readonly SimulatedAppName[] = ['app-a', 'app-b', 'app-c', 'app-d'];
const DAY_MS = 86_400_000;

let system: System;
beforeAll(async () => {
  system = await startSystem({
    env: { APP_D: 'rappi' },
    timing: { approvalFirstMs: 100, approvalEveryMs: 200 },
  });
});
afterAll(stopSystems);

const dayIn = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
const [PAST, SOON, LATER] = [dayIn(-5), dayIn(5), dayIn(50)];

/** Soup, and a cake with a season. */
function menuWith(cake: object): FieldMenu {
  return menuOf([item('soup'), item('cake', cake)]);
}

async function openZonedShop(app: SimulatedAppName) {
  const shop = await system.openShop(app, { callbacks: true });
  const [calls, menus] = [availabilityOf(system, shop), fieldCallsOf(system, shop)];
  expect((await calls.setTimeZone('America/Mexico_City')).status).toBe(200);
  return {
    shop,
    calls,
    menus,
    isOff: (ids: string) => until(async () => (await off(shop)) === ids),
  };
}

const off = async (shop: Shop) => (await shop.store()).off.map(({ id }) => id).join();

test.concurrent.each(APPS)(
  'in %s an item is off sale out of its season, and each menu sets its seasons anew',
  async (app) => {
    const { shop, calls, menus, isOff } = await openZonedShop(app);
    const first = await menus.upload(menuWith({ visible_from: SOON, visible_until: LATER }));
    expect(first.status).toBe(200);
    const { losses } = await shop.status(first.uploadId);
    expect(losses).toContainEqual(expect.objectContaining({ code: 'season_by_timer' }));
    const entry = { external_id: 'cake', source: 'season', until: `${SOON}T06:00:00.000Z` };
    expect(await calls.list()).toMatchObject([entry]);
    await isOff('cake');
    const [uploaded] = (await shop.timeline()).filter(({ cause }) => cause === 'upload');
    expect(uploaded?.off).toEqual(app === 'app-d' ? [] : ['cake']);
    expect(await calls.shownOff(first.uploadId)).toEqual(['cake']);

    // Nobody puts it back before its time.
    const on = await calls.switch([{ external_id: 'cake', available: true }]);
    expect(on).toMatchObject({
      status: 200,
      changes: [{ state: 'done', messages: [`The item is off sale until ${SOON}: cake`] }],
    });
    expect(await off(shop)).toBe('cake');

    // A menu without a season ends it, also one that was sent before brings it again.
    expect((await menus.upload(menuWith({}))).status).toBe(200);
    await isOff('');
    expect(await calls.list()).toEqual([]);
    expect((await menus.republish(first.uploadId)).status).toBe(200);
    await isOff('cake');
    expect(await calls.list()).toMatchObject([entry]);
    expect((await menus.upload(menuWith({ visible_until: PAST }))).status).toBe(200);
    expect(await calls.list()).toMatchObject([{ source: 'season', until: null }]);
    const over = await calls.switch([{ external_id: 'cake', available: true }]);
    expect(over.changes).toMatchObject([{ messages: ['The season of the item is over: cake'] }]);
  },
);

test.concurrent.each(APPS)('in %s a season begins and ends by a timer', async (app) => {
  const { shop, calls, menus, isOff } = await openZonedShop(app);
  expect((await menus.upload(menuWith({ visible_from: SOON }))).status).toBe(200);
  await isOff('cake');
  /** As if the days of the season were these, and the next of them began in a moment. */
  const turn = async (from: string | null, last: string | null) => {
    const seasons = JSON.stringify([{ externalId: 'cake', from, until: last }]);
    await system.sql`
      with menu as (
        update menu_upload set seasons = ${seasons}::text::json
        where store_id = ${shop.storeId}::bigint
      )
      update item_season set visible_from = ${from}, visible_until = ${last},
        turns_at = now() + interval '1 s' where store_id = ${shop.storeId}::bigint`;
  };
  await turn(PAST, SOON);
  await isOff('');
  expect(await calls.list()).toEqual([]);
  await turn(null, PAST);
  await isOff('cake');
  expect(await calls.list()).toMatchObject([
    { external_id: 'cake', source: 'season', until: null },
  ]);
});

test.concurrent('the API holds an item before stock, and stock before its season', async () => {
  const { shop, calls, menus, isOff } = await openZonedShop('app-a');
  expect((await menus.upload(menuWith({ visible_from: SOON }))).status).toBe(200);
  await isOff('cake');
  const end = new Date(Date.now() + 2_000).toISOString();
  await calls.switch([{ external_id: 'cake', available: false, until: end }]);
  expect(await calls.list()).toMatchObject([{ source: 'api', until: end }]);
  // App A would put it back itself: it knows no end.
  expect((await shop.store()).off).toEqual([{ id: 'cake', until: null }]);
  await until(async () => (await calls.list())[0]?.['source'] === 'season');
  expect(await off(shop)).toBe('cake');
  await calls.setFromStock('on');
  await calls.moveStock('cake', '0', new Date().toISOString());
  await until(async () => (await calls.list())[0]?.['source'] === 'stock');
  await calls.setFromStock('off');
  await until(async () => (await calls.list())[0]?.['source'] === 'season');
  expect(await off(shop)).toBe('cake');
});

test.concurrent('a menu that is refused leaves the seasons of the one that is shown', async () => {
  const { shop, calls, menus, isOff } = await openZonedShop('app-b');
  expect((await menus.upload(menuWith({ visible_from: SOON }))).status).toBe(200);
  await isOff('cake');
  await shop.fault({ kind: 'status', status: 400 });
  expect((await menus.upload(menuWith({}))).status).toBe(409);
  expect(await calls.list()).toMatchObject([{ external_id: 'cake', source: 'season' }]);
  expect(await off(shop)).toBe('cake');
});

test.concurrent('a store without a time zone has no seasons, and one with some keeps its zone', async () => {
  const shop = await system.openShop('app-b');
  const [calls, menus] = [availabilityOf(system, shop), fieldCallsOf(system, shop)];
  const message = ['The store must have a time zone.'];
  const menu = menuWith({ visible_from: SOON });
  expect((await menus.upload(menu)).status).toBe(409);
  await calls.setTimeZone('Europe/Madrid');
  expect((await menus.upload(menu)).status).toBe(200);
  const refused = { status: 409, json: { message, data: null } };
  expect(await calls.setTimeZone(null)).toMatchObject(refused);
  // Midnight is elsewhere.
  expect((await calls.setTimeZone('America/Mexico_City')).status).toBe(200);
  await until(async () => (await calls.list())[0]?.['until'] === `${SOON}T06:00:00.000Z`);
  expect((await menus.upload(menuWith({}))).status).toBe(200);
  expect((await calls.setTimeZone(null)).status).toBe(200);
});

test.concurrent('a preview shows what is out of season today, not what was in the menu before', async () => {
  const { menus, isOff } = await openZonedShop('app-a');
  const losses = await menus.previewed(menuWith({ visible_from: SOON }));
  expect(losses).toContain('season_by_timer cake');
  expect((await menus.upload(menuWith({ visible_from: SOON }))).status).toBe(200);
  await isOff('cake');
});
