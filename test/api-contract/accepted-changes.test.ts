import { startWorld, type World } from './world';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const PRICE = { price: { value: '1130' } };
const FAILED = 'Could not change the menu in delivery system.';

function change(body: object) {
  return world.owner.post('/menus/changes', { store_id: world.storeId, ...body });
}

test('another user’s store is not changed', async () => {
  const stranger = await world.api.user();
  const body = { store_id: world.storeId, items: [{ external_id: 'I1', name: 'Other' }] };
  expect(await stranger.post('/menus/changes', body)).toMatchObject({
    status: 409,
    json: { message: ["You don't have this store available."], data: null },
  });
});

test('of elements with the same ids the last counts, and each unknown id has its sentence', async () => {
  // In the world a menu waits for a worker: the change is made on it.
  const answer = await change({
    items: [
      {
        external_id: 'I1',
        name: 'First',
        details: { bundled_items: [{ item_external_id: 'B9', quantity: '1' }] },
      },
      { external_id: 'I1', name: 'Last' },
      { external_id: 'I9', name: 'None' },
      { external_id: 'I2', prices_by_menu: [{ identifier: 'M9', ...PRICE }] },
      { external_id: 'X1', prices_by_menu: [{ identifier: 'M1', ...PRICE }] },
    ],
    options: [{ modifier_group_external_id: 'G9', item_external_id: 'I1', ...PRICE }],
  });
  expect(answer.status).toBe(409);
  expect(answer.json.message).toEqual([
    FAILED,
    'The item external id does not exist: I9',
    'The menu identifier does not exist: M9',
    'The item external id does not exist: X1',
    'The modifier group external id does not exist: G9',
  ]);
  const [{ upload_id: uploadId, state }] = answer.json.data.changes;
  expect([uploadId, state]).toEqual([null, 'failed']);

  const named = await change({
    items: [
      { external_id: 'I1', name: 'First', price: { value: '1' } },
      { external_id: 'I1', name: 'Last', description: '' },
    ],
  });
  expect(named).toMatchObject({
    status: 202,
    json: {
      message: 'Menu changes in progress.',
      data: { changes: [{ state: 'queued', way: null, messages: [] }] },
    },
  });
  const made = named.json.data.changes[0].upload_id;
  const { data } = (await world.owner.get(`/menus/uploads/${made}/menu`)).json;
  expect(data.items[0]).toMatchObject({ name: 'Last', price: { value: '14900' } });
  expect(data.items[0]).not.toHaveProperty('description');
  expect(data.store_id).toBe(world.storeId);
});
