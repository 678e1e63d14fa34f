import { startWorld, type World } from './world';

/*
 * Items that were taken off sale in an integration in which no menu is live any more, as after it was configured for
 * another app.
 */

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());
beforeEach(async () => {
  await world.api.sql`
    with live as (
      update menu_upload set item_ids = '{"I1": ["I1"], "I2": ["I2"]}'
      where upload_id = ${world.ids.uploadId} returning *
    )
    update publication p set live_upload_id = l.upload_id from live l
    where p.store_id = l.store_id and p.integration_id = l.integration_id`;
  await change([off('I1'), off('I2')]);
  await world.api
    .sql`update publication set live_upload_id = null where store_id = ${world.storeId}::bigint`;
});

const off = (externalId: string) => ({ external_id: externalId, available: false });
const on = (externalId: string) => ({ external_id: externalId, available: true });

function change(items: readonly unknown[], integrationIds?: readonly number[]) {
  const body = { store_id: world.storeId, integration_ids: integrationIds ?? null, items };
  return world.owner.post('/menus/availability', body);
}

async function listed(): Promise<readonly string[]> {
  const { json } = await world.owner.get(`/menus/availability?store_id=${world.storeId}`);
  return json.data.map(({ external_id: id }: { external_id: string }) => id);
}

test('an item that is off sale is put back although no menu is live, also if no integration is named', async () => {
  const named = await change([on('I1')], [world.integrationId]);
  expect(named).toMatchObject({
    status: 200,
    json: { data: { changes: [{ state: 'done', messages: [] }] } },
  });
  expect(await listed()).toEqual(['I2']);
  const everywhere = await change([on('I2')]);
  const integration = String(world.integrationId);
  expect(everywhere).toMatchObject({
    status: 200,
    json: { data: { changes: [{ integration_id: integration, state: 'done' }] } },
  });
  expect(await listed()).toEqual([]);
});

test('of several items, only those that are not off sale are refused', async () => {
  const answer = await change([on('I1'), off('I9')], [world.integrationId]);
  expect(answer).toMatchObject({
    status: 409,
    json: {
      data: {
        changes: [{ state: 'failed', messages: ['The item external id does not exist: I9'] }],
      },
    },
  });
  expect(await listed()).toEqual(['I2']);
});

test('an integration without a menu that has none of the items off sale is left out by default', async () => {
  expect((await change([on('I9')])).json.data.changes).toEqual([]);
  expect((await change([off('I1')])).json.data.changes).toEqual([]);
});
