import { menuChangesOf, shownInApp } from '../support/menu-changes';
import type { Shop, SimulatedAppName } from '../support/shop';
import { startSystem, stopSystems, type System } from '../support/system';
import { changeableMenu } from './changeable-menu';

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
  const uploaded = await menuChangesOf(system, shop).upload(changeableMenu());
  expect(uploaded).toMatchObject({ status: 200 });
  return shop;
}

describe.each(APPS)('%s', (app) => {
  test.concurrent('the price of an item and of an option', async () => {
    const shop = await openLiveShop(app);
    const calls = menuChangesOf(system, shop);
    const answer = await calls.change({
      items: [{ external_id: 'I1', price: { value: '15900' } }],
      options: [
        { modifier_group_external_id: 'G1', item_external_id: 'X1', price: { value: '1300' } },
      ],
    });
    const way = app === 'app-d' ? 'menu' : 'items';
    expect(answer).toMatchObject({
      status: 200,
      message: 'Menu changes successfully applied.',
      changes: [
        { integration_id: String(shop.integrationId), state: 'uploaded', way, messages: [] },
      ],
    });
    expect(await shop.requests('upload')).toHaveLength(app === 'app-d' ? 2 : 1);

    const [change] = answer.changes;
    const uploadId = change?.upload_id ?? '';
    const shown = await calls.of(uploadId, '/shown');
    const inApp = JSON.parse(JSON.stringify(await shownInApp(app, shop)));
    expect(inApp.items).toEqual(shown.items);
    expect(inApp.modifier_groups).toEqual(shown.modifier_groups);
    expect(JSON.stringify(shown)).toContain('15900');
    expect(JSON.stringify(shown)).toContain('1300');

    const { steps, changed_from: from } = await calls.of(uploadId);
    const step = way === 'items' ? 'items' : 'push';
    expect(steps).toContainEqual(expect.objectContaining({ name: step, state: 'done' }));
    expect(from).toMatch(/^upl_/);
    expect(await calls.live()).toMatchObject({ upload_id: uploadId });
    const menu = await calls.of(uploadId, '/menu');
    expect(menu.items[0]).toMatchObject({ external_id: 'I1', price: { value: '15900' }, own: 1 });
  });

  test.concurrent('what makes no difference to the app needs no call', async () => {
    const shop = await openLiveShop(app);
    const answer = await menuChangesOf(system, shop).change({
      items: [{ external_id: 'I1', price: { value: '14900' } }],
    });
    expect(answer).toMatchObject({ status: 200, changes: [{ state: 'uploaded', way: 'items' }] });
    expect(await shop.requests('change')).toEqual([]);
    expect(await shop.requests('upload')).toHaveLength(1);
  });

  test.concurrent('a new name', async () => {
    const shop = await openLiveShop(app);
    const answer = await menuChangesOf(system, shop).change({
      items: [{ external_id: 'I1', name: 'Marinara', description: null }],
    });
    const way = app === 'app-b' ? 'items' : 'menu';
    expect(answer).toMatchObject({ status: 200, changes: [{ state: 'uploaded', way }] });
    const item = (await shownInApp(app, shop)).items.find((each) => each.external_id === 'I1');
    expect(item?.name).toBe('Marinara');
    expect(item?.description ?? '').toBe('');
  });
});

test.concurrent('all that show a menu, unless they are named', async () => {
  const shop = await openLiveShop('app-a');
  const calls = menuChangesOf(system, shop);
  const changes = { items: [{ external_id: 'nothing', name: 'Marinara' }] };
  const sentence = 'The item external id does not exist: nothing';
  expect(await calls.change(changes)).toMatchObject({
    status: 409,
    message: ['Could not change the menu in delivery system.', sentence],
    changes: [{ upload_id: null, state: 'failed', way: null, messages: [sentence] }],
  });
  const named = await calls.change({ integration_ids: ['none', shop.integrationId], ...changes });
  expect(named.changes).toMatchObject([
    { integration_id: 'none', messages: ['Integration not available.'] },
    { integration_id: String(shop.integrationId), messages: [sentence] },
  ]);

  const empty = await system.openShop('app-b');
  const ofEmpty = menuChangesOf(system, empty);
  const wanted = { items: [{ external_id: 'I1', name: 'Marinara' }] };
  expect(await ofEmpty.change(wanted)).toMatchObject({ status: 200, changes: [] });
  expect(await ofEmpty.change({ integration_ids: [empty.integrationId], ...wanted })).toMatchObject(
    {
      status: 409,
      changes: [{ upload_id: null, messages: ['No menu is live in this delivery.'] }],
    },
  );
});
