import { startTestApi, type TestApi } from '../support/api';
import { boundOf } from '../support/bounds';
import { createSystem } from '../support/inventory';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());

const CREATE = '/inventory/system/create';
const LINK = '/inventory/system/store/link';
const UUID = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/;

test('a created inventory system has a UUID and its name', async () => {
  const user = await api.user('inventory:create');
  expect(await user.post(CREATE, { name: 'Stocky' })).toMatchObject({
    status: 201,
    json: {
      message: 'Success.',
      data: {
        inventory_system_id: expect.stringMatching(UUID),
        inventory_system_details: { name: 'Stocky' },
      },
    },
  });
});

test('a name is taken whatever its case and its owner', async () => {
  const one = await api.user('inventory:create');
  const other = await api.user('inventory:create');
  await createSystem(one, 'Café Stock');
  for (const name of ['CAFÉ STOCK', '  café stock ', 'Cafe\u0301 Stock']) {
    expect(await other.post(CREATE, { name })).toMatchObject({
      status: 409,
      json: { message: ['The Inventory System already exists.'], data: null },
    });
  }
});

test('the shape is checked before the permission, and the permission before the name', async () => {
  const user = await api.user();
  expect(await user.post(CREATE, { name: ' ' })).toMatchObject({
    status: 422,
    json: { name: ['The name field is required.'] },
  });
  expect(await user.post(CREATE, { name: 'Stocky' })).toMatchObject({
    status: 403,
    json: { message: ['You do not have the permissions to access this resource.'], data: null },
  });
});

test('a retry after a crash returns the system that its first try created', async () => {
  const user = await api.user('inventory:create');
  const key = { 'idempotency-key': 'create-1' };
  const first = await user.post(CREATE, { name: 'Once' }, key);
  await api.sql`
    update idempotency_key set status = null, answer_encrypted = null, lease_until = now()`;
  const again = await user.post(CREATE, { name: 'Once' }, key);
  expect(again.status).toBe(201);
  expect(again.json).toEqual(first.json);
});

test('a link sets the store’s id in the system, and linking again changes it', async () => {
  const user = await api.user('inventory:create');
  const storeId = await api.store(user);
  const systemId = await createSystem(user, 'Linked');
  for (const externalStoreId of ['s-1', 's-2']) {
    const link = {
      inventory_system_id: systemId,
      store_id: String(storeId),
      external_store_id: externalStoreId,
    };
    expect(await user.post(LINK, link)).toMatchObject({
      status: 200,
      json: { message: 'Success.', data: { ...link, store_id: storeId } },
    });
  }
  const rows = await api.sql`select external_store_id from store_link`;
  expect(rows).toEqual([{ externalStoreId: 's-2' }]);
});

test('linking needs both the store and the system', async () => {
  const owner = await api.user('inventory:create');
  const stranger = await api.user('inventory:create');
  const systemId = await createSystem(owner, 'Owned');
  const foreignSystem = await createSystem(stranger, 'Foreign');
  const storeId = await api.store(owner);
  const foreignStore = await api.store(stranger);
  const link = (system: string, store: unknown) =>
    owner.post(LINK, { inventory_system_id: system, store_id: store, external_store_id: 'x' });
  const badSystem = {
    status: 422,
    json: { inventory_system_id: ['The selected inventory system id is invalid.'] },
  };
  expect(await link(foreignSystem, storeId)).toMatchObject(badSystem);
  expect(await link('00000000-0000-0000-0000-000000000000', storeId)).toMatchObject(badSystem);
  expect(await link('{not a uuid}', storeId)).toMatchObject(badSystem);
  expect(await link(systemId, 99_999_999)).toMatchObject({
    status: 422,
    json: { store_id: ['The selected store id is invalid.'] },
  });
  expect(await link(systemId, foreignStore)).toMatchObject({
    status: 409,
    json: { message: ["You don't have this store available."] },
  });
  expect((await link(systemId.toUpperCase(), storeId)).json.data.inventory_system_id).toBe(
    systemId,
  );
});

test('a store is linked to 64 systems at most, however many are linked at once', async () => {
  const user = await api.user('inventory:create');
  const storeId = await api.store(user);
  const rows = await api.sql<{ id: string }[]>`
    insert into inventory_system (inventory_system_id, name, name_key, created_by)
    select gen_random_uuid(), 'Many ' || n, 'many ' || n, ${user.userId}
    from generate_series(1, 70) n returning inventory_system_id as id`;
  const link = (systemId: string, externalStoreId = 'x') =>
    user.post(LINK, {
      inventory_system_id: systemId,
      store_id: storeId,
      external_store_id: externalStoreId,
    });
  const answers = await Promise.all(rows.map(({ id }) => link(id)));
  const refused = answers.filter(({ status }) => status === 409);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(64);
  expect(refused).toHaveLength(6);
  expect(refused[0]?.json).toEqual({
    message: ['The store is linked to too many inventory systems.'],
    data: null,
  });
  // Those that are linked can be changed, and another store has its own.
  const [linked] = rows.filter((_, index) => answers[index]?.status === 200);
  expect((await link(linked?.id ?? '', 'y')).status).toBe(200);
  const otherStore = await api.store(user);
  const [first] = rows;
  await user.post(LINK, {
    inventory_system_id: first?.id,
    store_id: otherStore,
    external_store_id: 'x',
  });
  const counts = await api.sql`
    select count(*)::int as count, count(*) filter (where external_store_id = 'y')::int as changed
    from store_link where store_id in (${storeId}, ${otherStore})
    group by store_id order by 1`;
  expect(counts).toEqual([
    { count: 1, changed: 0 },
    { count: 64, changed: 1 },
  ]);
  expect(await boundOf(api, 'store_links')).toEqual({ limit: 64, used: 64, hits: 6 });
});

test('a deactivated user is refused before anything is looked up', async () => {
  const user = await api.user('inventory:create');
  await api.sql`update app_user set state = 'deactivated' where user_id = ${user.userId}`;
  expect(await user.post(CREATE, { name: 'Nobody’s' })).toMatchObject({
    status: 409,
    json: { message: ['User not authenticated.'] },
  });
});
