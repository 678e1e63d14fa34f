import { versionedMenu } from '../support/versioned-menu';
import { startWorld, type World } from './world';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

test('ids beside the targets, as in the body of an upload, do not replace those of a target', async () => {
  const { storeId, integrationId, owner } = world;
  const started = await owner.post('/menus/rollouts', {
    store_id: 'another store',
    integration_id: null,
    note: 'kept',
    targets: [{ store_id: storeId, integration_id: integrationId }],
    ...versionedMenu(1),
  });
  expect(started.status).toBe(202);
  const targets = await owner.get(`/menus/rollouts/${started.json.data.rollout_id}/targets`);
  const upload = `/menus/uploads/${targets.json.data[0].upload_id}`;

  const sent = await owner.get(`${upload}/menu`);
  expect(sent.json.data).toMatchObject({
    store_id: storeId,
    integration_id: integrationId,
    note: 'kept',
  });
  expect(sent.text.match(/"store_id"|"integration_id"/g)).toHaveLength(2);
  const again = await owner.post(`${upload}/republish`, {}, { prefer: 'respond-async' });
  expect(again.status).toBe(202);
});
