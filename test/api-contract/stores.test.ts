import { startTestApi, type TestApi } from '../support/api';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());

test('a store is answered with its country in English and its point as GeoJSON', async () => {
  const user = await api.user();
  const answer = await user.post('/store', {
    name: ' Centro ',
    country_code: 'mx',
    direction: 'Av. Juárez 1',
    latitude: '19.4342',
    longitude: -99.1413,
  });
  expect(answer.status).toBe(201);
  expect(answer.json).toEqual({
    message: 'Store successfully created.',
    data: {
      id: expect.any(Number),
      name: 'Centro',
      country: 'Mexico',
      direction: 'Av. Juárez 1',
      location_point: { type: 'Point', coordinates: [-99.1413, 19.4342] },
      time_zone: null,
    },
  });
});

test('a store shows its time zone wherever it is shown, until null clears it', async () => {
  const user = await api.user();
  const time_zone = 'America/Mexico_City';
  const made = await user.post('/store', { name: 'Zoned', country_code: 'MX', time_zone });
  expect(made.json.data).toMatchObject({ time_zone });
  const path = `/store/${made.json.data.id}`;
  expect((await user.get(path)).json.data).toMatchObject({ time_zone });
  expect((await user.get('/store')).json.data).toMatchObject([{ time_zone }]);
  const moved = await user.patch(path, { time_zone: 'America/Cancun' });
  expect(moved.json.data).toMatchObject({ time_zone: 'America/Cancun' });
  const cleared = await user.patch(path, { time_zone: null });
  expect(cleared.json.data).toMatchObject({ time_zone: null });
});

test('direction and coordinates may be left out', async () => {
  const user = await api.user();
  const given = [{ name: 'N1' }, { name: 'N2', direction: null, latitude: null, longitude: null }];
  for (const store of given) {
    const answer = await user.post('/store', { country_code: 'JP', ...store });
    expect(answer.json.data).toMatchObject({ direction: null, location_point: null });
  }
});

test('only the creator gets the store', async () => {
  const [creator, other] = [await api.user(), await api.user()];
  const { json } = await creator.post('/store', { name: 'Mine', country_code: 'MX' });
  const menu = {
    store_id: json.data.id,
    integration_id: 1,
    menus: [1],
    categories: [1],
    items: [1],
    modifier_groups: [],
  };
  expect((await creator.post('/menus/upload', menu)).json.message).toContain(
    'The menu must be an object.',
  );
  expect((await other.post('/menus/upload', menu)).json.message).toEqual([
    "You don't have this store available.",
  ]);
});

test('a name is taken within one account only, whatever its case, blanks and composition', async () => {
  const [creator, other] = [await api.user(), await api.user()];
  await creator.post('/store', { name: 'Café Sur', country_code: 'MX' });
  for (const name of ['CAFÉ SUR', '  café sur\t', 'Cafe\u0301 Sur', 'Café Ｓur']) {
    expect(await creator.post('/store', { name, country_code: 'AR' })).toMatchObject({
      status: 404,
      json: { message: ['This name is not available.'], data: null },
    });
  }
  expect((await other.post('/store', { name: 'café sur', country_code: 'MX' })).status).toBe(201);
});

test('of many simultaneous requests with one name, one creates the store', async () => {
  const user = await api.user();
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => user.post('/store', { name: 'Race', country_code: 'MX' })),
  );
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
    201,
    ...Array(9).fill(404),
  ]);
});

const forgetAnswer = (key: string) => api.sql`
  update idempotency_key set status = null, answer_encrypted = null, lease_until = now()
  where key = ${key}`;

describe('a retry of a request whose process died', () => {
  test('returns the store that the first try created', async () => {
    const user = await api.user();
    const body = { name: 'Once', country_code: 'MX' };
    const first = await user.post('/store', body, { 'idempotency-key': 'once' });
    await forgetAnswer('once');
    const again = await user.post('/store', body, { 'idempotency-key': 'once' });
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect(again.headers.get('idempotency-replayed')).toBeNull();
    const rows = await api.sql`select from store where name = 'Once'`;
    expect(rows).toHaveLength(1);
  });

  test('reports a taken name if the first try did', async () => {
    const user = await api.user();
    const body = { name: 'Twice', country_code: 'MX' };
    await user.post('/store', body);
    await user.post('/store', body, { 'idempotency-key': 'twice' });
    await forgetAnswer('twice');
    const again = await user.post('/store', body, { 'idempotency-key': 'twice' });
    expect(again).toMatchObject({
      status: 404,
      json: { message: ['This name is not available.'] },
    });
  });
});

test('many retries at once under one key make one store', async () => {
  const user = await api.user();
  const answers = await Promise.all(
    Array.from({ length: 10 }, () =>
      user.post('/store', { name: 'Together', country_code: 'MX' }, { 'idempotency-key': 'k' }),
    ),
  );
  for (const { status, json } of answers) {
    if (status === 201) continue;
    expect([status, json.message]).toEqual([
      409,
      ['A request with this idempotency key is still in progress.'],
    ]);
  }
  const made = new Set(answers.filter(({ status }) => status === 201).map(({ text }) => text));
  expect(made.size).toBe(1);
});
