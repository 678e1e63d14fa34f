import { availabilityOf } from '../support/availability-calls';
import { fieldCallsOf } from '../support/field-calls';
import type { FieldMenu } from '../support/field-menu';
import { item, menuOf } from './soup-and-cake';
import type { SimulatedAppName } from '../support/shop';
import { startSystem, stopSystems, type System } from '../support/system';
import { until } from '../support/until';

const APPS: readonly SimulatedAppName[] = ['app-a', 'app-b', 'app-c', 'app-d'];
const END = new Date(Math.ceil(Date.now() / 1000) * 1000 + 7_200_000).toISOString();

let system: System;
beforeAll(async () => {
  system = await startSystem({
    env: { APP_D: 'rappi' },
    timing: { approvalFirstMs: 100, approvalEveryMs: 200 },
  });
});
afterAll(stopSystems);

/** Soup, and a cake that the menu itself has off sale or not; what nobody can reach too. */
function menuWith(cake: object): FieldMenu {
  return menuOf([item('soup'), item('cake', cake), item('unused', { available: false })]);
}

test.concurrent.each(APPS)(
  'in %s an item is off sale from its first minute, and back when somebody says so',
  async (app) => {
    const shop = await system.openShop(app, { callbacks: true });
    const [calls, menus] = [availabilityOf(system, shop), fieldCallsOf(system, shop)];
    const isOff = (ids: string) =>
      until(async () => (await shop.store()).off.map(({ id }) => id).join() === ids);

    const first = await menus.upload(menuWith({ available: false, unavailable_until: END }));
    expect(first.status).toBe(200);
    await isOff('cake');
    // Only App D hears of it after its menu.
    const [uploaded] = (await shop.timeline()).filter(({ cause }) => cause === 'upload');
    expect(uploaded?.off).toEqual(app === 'app-d' ? [] : ['cake']);
    expect(await calls.list()).toMatchObject([{ external_id: 'cake', source: 'api', until: END }]);
    expect(await calls.shownOff(first.uploadId)).toEqual(['cake']);

    // A menu that says nothing, or that it is there, ends nothing.
    expect((await menus.upload(menuWith({ available: true }))).status).toBe(200);
    await isOff('cake');
    await calls.switch([{ external_id: 'cake', available: true }]);
    await isOff('');

    // What was sent before comes without it; what is sent anew, with it.
    expect((await menus.republish(first.uploadId)).status).toBe(200);
    await isOff('');
    expect(await calls.list()).toEqual([]);
    expect((await menus.upload(menuWith({ available: false }))).status).toBe(200);
    await isOff('cake');
    expect(await calls.list()).toMatchObject([{ external_id: 'cake', source: 'api', until: null }]);
  },
);

test.concurrent('a preview shows it as it will be, and App D says that it is late', async () => {
  const menu = menuWith({ available: false });
  for (const app of APPS) {
    const shop = await system.openShop(app);
    const losses = await fieldCallsOf(system, shop).previewed(menu);
    expect(losses.includes('available_late cake')).toBe(app === 'app-d');
    expect(await availabilityOf(system, shop).list()).toEqual([]);
  }
});

test.concurrent('a menu that is refused before it is pushed marks nothing', async () => {
  const shop = await system.openShop('app-d');
  const { menu, ...rest } = menuWith({ available: false });
  // App D shows no emoji.
  const nameless = {
    ...menu,
    categories: menu.categories.map((one) => ({ ...one, name: '🍰' })),
  };
  expect((await fieldCallsOf(system, shop).upload({ ...rest, menu: nameless })).status).toBe(409);
  expect(await availabilityOf(system, shop).list()).toEqual([]);
});

test.concurrent('an end that passes brings it back', async () => {
  const shop = await system.openShop('app-b');
  const soon = new Date(Date.now() + 3_000).toISOString();
  const menu = menuWith({ available: false, unavailable_until: soon });
  expect((await fieldCallsOf(system, shop).upload(menu)).status).toBe(200);
  expect((await shop.store()).off).toHaveLength(1);
  await until(async () => (await shop.store()).off.length === 0);
  expect(await availabilityOf(system, shop).list()).toEqual([]);
});
