import { versionedMenu } from '../support/versioned-menu';
import { startWorld, type World } from './world';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const ASYNC = { prefer: 'respond-async' };
const NEEDS_ZONE = {
  status: 409,
  json: { message: ['The store must have a time zone.'], data: null },
};

function menuWith(season: object): object {
  const { items, ...lists } = versionedMenu(1);
  return { ...lists, items: items.map((item) => ({ ...item, ...season })) };
}

test.each([
  [{ visible_from: 20_261_201 }, 'The item visible from must be a string.'],
  [{ visible_from: '2026-12-1' }, 'The item visible from does not have a valid format.'],
  [{ visible_from: '2026-12-01T00:00:00Z' }, 'The item visible from does not have a valid format.'],
  [{ visible_until: true }, 'The item visible until must be a string.'],
  [{ visible_until: '2026-02-30' }, 'The item visible until does not have a valid format.'],
  [
    { visible_from: '2026-12-02', visible_until: '2026-12-01' },
    'The item visible until must not be before the visible from.',
  ],
])('%j: %s', async (season, sentence) => {
  const { owner, storeId: store_id, integrationId: integration_id } = world;
  const body = { store_id, integration_id, ...menuWith(season) };
  const refusal = { status: 409, json: { message: [sentence], data: null } };
  expect(await owner.post('/menus/upload', body, ASYNC)).toMatchObject(refusal);
  expect(await owner.post('/menus/preview', body)).toMatchObject(refusal);
});

test('a menu with seasons needs a store with a time zone, however it is sent', async () => {
  const { owner } = world;
  const { storeId: store_id, integrationId: integration_id } = await world.spareConnected();
  const setZone = async (time_zone: string | null) => {
    expect((await owner.patch(`/store/${store_id}`, { time_zone })).status).toBe(200);
  };
  const menu = menuWith({ visible_from: '2026-12-01', visible_until: '2026-12-01' });
  const body = { store_id, integration_id, ...menu };
  const sent = await owner.post('/menus/upload', body, ASYNC);
  expect(sent.status).toBe(202);
  // Nothing is shown yet that would need it.
  await setZone(null);
  expect(await owner.post('/menus/upload', body, ASYNC)).toMatchObject(NEEDS_ZONE);
  expect(await owner.post('/menus/preview', body)).toMatchObject(NEEDS_ZONE);
  const again = `/menus/uploads/${sent.json.data.upload_id}/republish`;
  expect(await owner.post(again, {}, ASYNC)).toMatchObject(NEEDS_ZONE);
  const targets = [{ store_id, integration_id }];
  const rollout = await owner.post('/menus/rollouts', { ...menu, targets });
  expect(rollout.status).toBe(202);
  const path = `/menus/rollouts/${rollout.json.data.rollout_id}/targets`;
  expect((await owner.get(path)).json.data).toMatchObject([
    { state: 'refused', messages: NEEDS_ZONE.json.message },
  ]);
  await setZone('Europe/Madrid');
  expect((await owner.post(again, {}, ASYNC)).status).toBe(202);
  // Null is as nothing.
  const without = {
    store_id,
    integration_id,
    ...menuWith({ visible_from: null, visible_until: null }),
  };
  await setZone(null);
  expect((await owner.post('/menus/upload', without, ASYNC)).status).toBe(202);
});

test('a preview shows what is out of season today', async () => {
  const { owner, storeId: store_id, integrationId } = world;
  const body = {
    store_id,
    integration_ids: [integrationId],
    ...menuWith({ visible_from: '2999-01-01' }),
  };
  const { json } = await owner.post('/menus/preview?include=shown', body);
  const [{ losses, shown }] = json.data.results;
  expect(losses).toMatchObject([
    {
      code: 'season_by_timer',
      severity: 'info',
      pointer: '/items/0',
      message: 'The item is shown as sold out, not hidden, on days on which it is not on sale: I1',
    },
    { code: 'season_by_timer', pointer: '/items/1' },
  ]);
  expect(shown.items.map((item: { available: boolean }) => item.available)).toEqual([false, false]);
});
