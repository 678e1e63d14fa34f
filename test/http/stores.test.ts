import { createStore } from '../../src/admin/stores';
import { configureIntegration, connectStoreTo } from '../../src/admin/integrations';
import { createToken } from '../../src/admin/users';
import { createConfiguredSecretBox } from '../../src/run/configured-secrets';
import { startTestApi, type TestApi, type TestCaller } from '../support/api';
import { undescribed } from '../support/openapi-reader';

let api: TestApi;
let owner: TestCaller;

beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());
beforeEach(async () => {
  owner = await api.user();
});

const CENTRO = {
  name: 'Centro',
  country_code: 'MX',
  direction: 'Av. Juárez 1',
  latitude: '19.4342',
  longitude: '-99.1413',
};

async function create(caller: TestCaller, store: object = CENTRO): Promise<number> {
  const made = await caller.post('/store', store);
  if (made.status !== 201) throw new Error(made.text);
  return made.json.data.id;
}

test('/me returns the token’s user and its end', async () => {
  const { json } = await owner.get('/me');
  expect(json).toEqual({
    message: 'Success.',
    data: {
      user_id: owner.userId,
      name: 'A user',
      permissions: [],
      token: { token_id: expect.stringMatching(/^tok_/), expires_at: null },
    },
  });
  const operator = await api.user('operator', 'pos:events');
  const short = await createToken(api, { userId: operator.userId, expiresInSeconds: 60 });
  const answer = await api.as(operator.userId, short.token).get('/me');
  expect(answer.json.data).toMatchObject({
    user_id: operator.userId,
    permissions: ['operator', 'pos:events'],
    token: { token_id: short.token_id, expires_at: short.expires_at?.toISOString() },
  });
  expect(undescribed('me', answer)).toEqual([]);
  expect(answer.text).not.toContain(short.token);
});

test('a store is read as it was created', async () => {
  const made = await owner.post('/store', CENTRO);
  const { id } = made.json.data;
  const answer = await owner.get(`/store/${id}`);
  expect(answer).toMatchObject({ status: 200, json: { message: 'Success.' } });
  expect(answer.json.data).toEqual({ ...made.json.data, availability_from_stock: 'off' });
  expect(undescribed('getStore', answer)).toEqual([]);
});

test.each(['GET', 'PATCH'])('%s: unknown stores are 404, another user’s 409', async (method) => {
  const stranger = await api.user();
  const id = await create(stranger);
  const ask = (path: string) =>
    method === 'GET' ? owner.get(`/store/${path}`) : owner.patch(`/store/${path}`, {});
  for (const unknown of ['0', '999999', 'abc', '1.0', '%201', '-1', '9'.repeat(30)]) {
    expect(await ask(unknown)).toMatchObject({
      status: 404,
      json: { message: ['The store was not found.'], data: null },
    });
  }
  expect(await ask(String(id))).toMatchObject({
    status: 409,
    json: { message: ["You don't have this store available."], data: null },
  });
});

async function pages(caller: TestCaller, limit: number): Promise<number[][]> {
  const found: number[][] = [];
  for (let cursor = ''; ;) {
    const answer = await caller.get(`/store?limit=${limit}${cursor}`);
    expect(undescribed('listStores', answer)).toEqual([]);
    found.push(answer.json.data.map(({ id }: { id: number }) => id));
    if (answer.json.next_cursor === null) return found;
    cursor = `&cursor=${answer.json.next_cursor}`;
  }
}

test('a user’s stores are listed newest first, each on one page; an operator’s list has all', async () => {
  const ids: number[] = [];
  for (let n = 0; n < 5; n += 1) ids.unshift(await create(owner, { ...CENTRO, name: `N${n}` }));
  const shared = await api.store(owner, await api.user());
  const mine = [shared, ...ids];
  for (const limit of [1, 2, 6, 100]) {
    const found = await pages(owner, limit);
    expect(found.flat()).toEqual(mine);
    expect(found).toHaveLength(Math.ceil(mine.length / limit));
  }
  const operator = await api.user('operator');
  const all = (await pages(operator, 3)).flat();
  expect(all).toEqual(all.toSorted((a, b) => b - a));
  expect(all).toEqual(expect.arrayContaining(mine));
  expect(await pages(await api.user(), 10)).toEqual([[]]);
});

describe('PATCH', () => {
  let id: number;
  beforeEach(async () => {
    id = await create(owner);
  });
  const read = async () => (await owner.get(`/store/${id}`)).json.data;

  test('changes only the given fields', async () => {
    const before = await read();
    const changes: [object, object][] = [
      [{}, {}],
      [{ name: ' Sur ' }, { name: 'Sur' }],
      [{ country_code: 'jp' }, { country: 'Japan' }],
      [{ direction: 'Calle 2' }, { direction: 'Calle 2' }],
      [
        { latitude: 1, longitude: '2.5' },
        { location_point: { type: 'Point', coordinates: [2.5, 1] } },
      ],
      [{ availability_from_stock: 'on' }, { availability_from_stock: 'on' }],
      [{ id: 7, unknown: true }, {}],
    ];
    let expected = before;
    for (const [change, effect] of changes) {
      const answer = await owner.patch(`/store/${id}`, change);
      expected = { ...expected, ...effect };
      expect([answer.status, answer.json]).toEqual([
        200,
        { message: 'Store successfully updated.', data: expected },
      ]);
      expect(undescribed('changeStore', answer)).toEqual([]);
      expect(await read()).toEqual(expected);
    }
  });

  test('null clears the direction, and the coordinates together', async () => {
    const { json } = await owner.patch(`/store/${id}`, { direction: null });
    expect(json.data).toMatchObject({ direction: null, location_point: { type: 'Point' } });
    await owner.patch(`/store/${id}`, { latitude: null, longitude: null });
    expect(await read()).toMatchObject({ location_point: null, name: 'Centro' });
  });

  test.each([
    [{ latitude: '1' }, { longitude: ['The longitude field is required.'] }],
    [{ longitude: '1' }, { latitude: ['The latitude field is required.'] }],
    [{ latitude: null }, { longitude: ['The longitude field is required.'] }],
    [{ longitude: null }, { latitude: ['The latitude field is required.'] }],
    [{ latitude: null, longitude: '1' }, { latitude: ['The latitude field is required.'] }],
    [{ latitude: 91, longitude: 'x' }, expect.objectContaining({ latitude: expect.any(Array) })],
  ])('refuses %j: one coordinate alone is none', async (body, refusal) => {
    const before = await read();
    expect(await owner.patch(`/store/${id}`, body)).toMatchObject({ status: 422, json: refusal });
    expect(await read()).toEqual(before);
  });

  test('a name used elsewhere in the account is refused, the store’s own is not', async () => {
    await create(owner, { ...CENTRO, name: 'Café Sur' });
    const taken = await owner.patch(`/store/${id}`, { name: ' CAFÉ SUR', direction: 'changed' });
    expect(taken).toMatchObject({
      status: 404,
      json: { message: ['This name is not available.'], data: null },
    });
    expect(await read()).toMatchObject({ name: 'Centro', direction: 'Av. Juárez 1' });
    expect((await owner.patch(`/store/${id}`, { name: 'CENTRO' })).status).toBe(200);
    const other = await api.user();
    const theirs = await create(other, { ...CENTRO, name: 'Theirs' });
    expect((await other.patch(`/store/${theirs}`, { name: 'Café Sur' })).status).toBe(200);
  });

  test('names are compared within the account of the store’s creator, whichever user changes it', async () => {
    const { userId } = owner;
    const { store_id: shared } = await createStore(api, { name: 'Shared', country: 'MX', userId });
    const other = await api.user();
    await api.sql`
      insert into user_store (user_id, store_id) values (${other.userId}, ${shared}::bigint)`;
    expect((await other.patch(`/store/${shared}`, { name: 'Centro' })).status).toBe(404);
    expect((await other.patch(`/store/${shared}`, { name: 'Free' })).status).toBe(200);
  });

  test('of many simultaneous changes to one name, one succeeds', async () => {
    const others: number[] = [];
    for (let n = 0; n < 6; n += 1) others.push(await create(owner, { ...CENTRO, name: `R${n}` }));
    const answers = await Promise.all(
      others.map((each) => owner.patch(`/store/${each}`, { name: 'Race' })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array(5).fill(404),
    ]);
  });
});

describe('GET integrations', () => {
  test('shows each delivery app of the store, with its missing settings and its live upload, newest first', async () => {
    const id = await create(owner);
    const deps = { sql: api.sql, secrets: createConfiguredSecretBox(api.config) };
    const [first, second, other] = await Promise.all(
      (['app-a', 'app-b', 'app-c'] as const).map(async (app) => {
        const settings = { name: `The ${app}`, baseUrl: 'http://127.0.0.1:9', clientId: 'id' };
        const made = await configureIntegration(deps, {
          ...settings,
          integrationId: null,
          app,
          clientSecret: 'the secret',
          active: app !== 'app-b',
        });
        return Number(made.integration_id);
      }),
    );
    const connect = (integrationId = 0, appStoreId: string | null, credential: string | null) =>
      connectStoreTo(deps, { storeId: id, integrationId, appStoreId, credential });
    await connect(first, 'shop', '{"key":"the credential"}');
    await connect(second, null, null);
    expect(other).toBeGreaterThan(0);
    await api.sql`
      insert into publication (store_id, integration_id, live_upload_id)
      values (${id}::bigint, ${first ?? 0}::bigint, 'upl_live')`;
    const answer = await owner.get(`/store/${id}/integrations`);
    const expected = [
      {
        integration_id: String(first),
        name: 'The app-a',
        app: 'app-a',
        active: true,
        has_token: true,
        delivery_id: 'shop',
        live_upload_id: 'upl_live',
        paused: null,
      },
      {
        integration_id: String(second),
        name: 'The app-b',
        app: 'app-b',
        active: false,
        has_token: false,
        delivery_id: null,
        live_upload_id: null,
        paused: null,
      },
    ].toSorted((a, b) => Number(b.integration_id) - Number(a.integration_id));
    expect(answer.json).toEqual({ message: 'Success.', data: expected, next_cursor: null });
    expect(answer.text).not.toMatch(/the secret|the credential/);
    expect(undescribed('listStoreIntegrations', answer)).toEqual([]);
    const page = await owner.get(`/store/${id}/integrations?limit=1`);
    const rest = await owner.get(`/store/${id}/integrations?cursor=${page.json.next_cursor}`);
    expect([...page.json.data, ...rest.json.data]).toEqual(expected);
  });

  test('is only for users of the store', async () => {
    const id = await create(await api.user());
    expect((await owner.get(`/store/${id}/integrations`)).status).toBe(409);
    expect((await owner.get('/store/999999/integrations')).status).toBe(404);
  });
});
