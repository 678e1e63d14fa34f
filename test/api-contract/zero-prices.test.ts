import { applyChanges } from '../../src/menus/rules/example-changes';
import { EXAMPLE_MENU } from '../../src/menus/rules/example-menu';
import { put } from '../../src/menus/rules/rule';
import { startWorld, type World } from './world';

let world: World;

beforeAll(async () => {
  world = await startWorld({ MENU_ZERO_PRICES: 'accept' });
});
afterAll(() => world.stop());

const ASYNC = { prefer: 'respond-async' };

/** A free item; `pad` makes the body large, so that a thread reads it. */
function freeItem(pad = 0): object {
  const menu = applyChanges(EXAMPLE_MENU, [put('/items/0/price/value', '0')]) as object;
  const { storeId: store_id, integrationId: integration_id } = world;
  return { store_id, integration_id, ...menu, x_pad: 'x'.repeat(pad) };
}

test.each([
  ['small', 0],
  ['large', 300_000],
])('a %s menu with a free item is accepted wherever menus are checked', async (_, pad) => {
  const { owner, storeId: store_id, integrationId: integration_id } = world;
  const upload = await owner.post('/menus/upload', freeItem(pad), ASYNC);
  expect(upload.status).toBe(202);
  const preview = await owner.post('/menus/preview', freeItem(pad));
  expect(preview.status).toBe(200);
  const targets = [{ store_id, integration_id }];
  const rollout = await owner.post('/menus/rollouts', { ...freeItem(pad), targets });
  expect(rollout.status).toBe(202);
  const id = upload.headers.get('x-upload-id');
  expect((await owner.post(`/menus/uploads/${id}/republish`, {}, ASYNC)).status).toBe(202);
});
