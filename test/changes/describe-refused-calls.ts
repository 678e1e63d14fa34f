import { menuChangesOf, shownInApp } from '../support/menu-changes';
import type { Shop, SimulatedAppName } from '../support/shop';
import { startSystem, stopSystems, type System } from '../support/system';
import { availabilityOf } from '../support/availability-calls';
import { changeableMenu } from './changeable-menu';

const CHANGE = {
  items: [{ external_id: 'I1', price: { value: '15900' } }],
  options: [{ modifier_group_external_id: 'G1', item_external_id: 'X1', price: { value: '1300' } }],
};
/** How each app refuses a menu for good. */
const REFUSED: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'app-a': { kind: 'status', status: 400, route: 'upload' },
  'app-b': { kind: 'status', status: 400, route: 'upload' },
  'app-c': { kind: 'errno', errno: 10_001, route: 'upload' },
};

async function openLiveShop(system: System, app: SimulatedAppName): Promise<Shop> {
  const shop = await system.openShop(app);
  expect(await menuChangesOf(system, shop).upload(changeableMenu())).toMatchObject({ status: 200 });
  return shop;
}

const pricesIn = async (app: SimulatedAppName, shop: Shop) => {
  const shown = await shownInApp(app, shop);
  const item = shown.items.find((each) => each.external_id === 'I1');
  return JSON.stringify(item);
};

/** What follows a call about items that an app does not take. */
export function describeRefusedCalls(app: SimulatedAppName): void {
  let system: System;
  beforeAll(async () => {
    system = await startSystem({ timing: { quickPausesMs: [20, 40], lastQuickPauseMs: 50 } });
  });
  afterAll(stopSystems);

  test.concurrent.each([
    ['refuses it', { kind: 'item_failed', ids: ['X1', 'G1'], times: 2 }],
    ['does it and does not answer', { kind: 'reset_mid' }],
    ['answers something else', { kind: 'redirect' }],
  ])('a push follows a call, where the app %s', async (_, fault) => {
    const shop = await openLiveShop(system, app);
    await shop.fault({ ...fault, route: 'change' });
    const calls = menuChangesOf(system, shop);
    const answer = await calls.change(CHANGE);
    expect(answer).toMatchObject({ status: 200, changes: [{ state: 'uploaded', way: 'menu' }] });
    expect(await shop.requests('upload')).toHaveLength(2);
    expect(await pricesIn(app, shop)).toContain('15900');
    const { steps } = await calls.of(answer.changes[0]?.upload_id ?? '');
    expect(steps).toContainEqual(expect.objectContaining({ name: 'items', state: 'failed' }));
    expect(steps).toContainEqual(expect.objectContaining({ name: 'push', state: 'done' }));
  });

  test.concurrent('an app that is away for a moment, and a token that it refuses', async () => {
    const shop = await openLiveShop(system, app);
    await shop.fault({ kind: 'status', status: 503, route: 'change' });
    await shop.fault({ kind: 'token_expired', route: 'change' });
    const answer = await menuChangesOf(system, shop).change(CHANGE);
    expect(answer).toMatchObject({ status: 200, changes: [{ state: 'uploaded', way: 'items' }] });
    expect(await shop.requests('upload')).toHaveLength(1);
    expect(await pricesIn(app, shop)).toContain('15900');
  });

  test.concurrent('what was live is pushed again, if the push is refused too', async () => {
    const shop = await openLiveShop(system, app);
    await shop.fault({ kind: 'item_failed', ids: ['X1', 'G1'], times: 2, route: 'change' });
    await shop.fault(REFUSED[app] ?? {});
    const calls = menuChangesOf(system, shop);
    const before = await calls.live();
    const answer = await calls.change(CHANGE);
    expect(answer).toMatchObject({ status: 409, changes: [{ state: 'failed', way: 'menu' }] });
    expect(answer.message[0]).toBe('Could not change the menu in delivery system.');
    expect(answer.message).toHaveLength(2);
    expect(await pricesIn(app, shop)).toContain('14900');
    expect(await shop.requests('upload')).toHaveLength(3);
    expect(await calls.live()).toEqual(before);

    // And it is known again what the app shows.
    const again = await calls.change({ items: CHANGE.items });
    expect(again).toMatchObject({ status: 200, changes: [{ state: 'uploaded', way: 'items' }] });
    expect(await pricesIn(app, shop)).toContain('15900');
  });

  test.concurrent('and if the app refuses that too, the live menu is drifted', async () => {
    const shop = await openLiveShop(system, app);
    await shop.fault({ kind: 'item_failed', ids: ['X1', 'G1'], times: 2, route: 'change' });
    await shop.fault({ ...REFUSED[app], times: 2 });
    const calls = menuChangesOf(system, shop);
    const before = await calls.live();
    expect(await calls.change(CHANGE)).toMatchObject({ status: 409 });
    expect(await calls.live()).toMatchObject({
      upload_id: before.upload_id,
      drift: { state: 'changed', changes_count: null },
    });
    expect(await calls.change({ items: CHANGE.items })).toMatchObject({
      status: 200,
      changes: [{ way: 'menu' }],
    });
    expect(await calls.live()).toMatchObject({ drift: { state: 'unknown' } });
  });

  test.concurrent('what is off sale stays so', async () => {
    const shop = await openLiveShop(system, app);
    await availabilityOf(system, shop).switch([{ external_id: 'I1', available: false }]);
    const answer = await menuChangesOf(system, shop).change(CHANGE);
    expect(answer).toMatchObject({ status: 200, changes: [{ way: 'items' }] });
    expect((await shop.store()).off.map(({ id }) => id)).toContain('I1');
    for (const { off } of (await shop.timeline()).slice(-2)) expect(off).toContain('I1');
  });
}
