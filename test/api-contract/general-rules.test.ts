import { request } from 'node:http';
import { send, sendAs, startWorld, type World } from './world';

let world: World;

beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const STORE = 'POST /api/v1/store';

async function idOf(given?: string): Promise<string | null> {
  const headers: Record<string, string> = given === undefined ? {} : { 'x-request-id': given };
  const answer = await send(world.api, { method: 'GET', path: '/health/live', headers });
  return answer.headers.get('x-request-id');
}

describe('X-Request-Id', () => {
  test.each(['a', 'A-b_9', 'x'.repeat(64)])('%j is echoed', async (id) => {
    expect(await idOf(id)).toBe(id);
  });

  test.each([undefined, '', 'x'.repeat(65), 'a b', 'a,b', 'ä', 'a.b'])(
    'in place of %j one is made',
    async (id) => {
      const made = await idOf(id);
      expect(made).toMatch(/^[\w-]{1,64}$/);
      expect(made).not.toBe(id);
    },
  );

  test('is on the row that the request made', async () => {
    const answer = await world.owner.post('/menus/upload', world.menu, {
      'x-request-id': 'find-me',
      prefer: 'respond-async',
    });
    const [row] = await world.api.sql`
      select request_id from menu_upload where upload_id = ${answer.json.data.upload_id}`;
    expect(row?.['requestId']).toBe('find-me');
  });
});

async function typeFor(accept: string): Promise<string | undefined> {
  const answer = await world.owner.post('/store', { country_code: 'MX' }, { accept });
  return answer.headers.get('content-type')?.split(';')[0];
}

describe('problem+json', () => {
  test.each([
    'application/problem+json',
    'Application/Problem+JSON',
    'application/json, application/problem+json',
    'application/problem+json, application/json;q=0.9, */*;q=0.1',
    'text/html;q=1, application/problem+json;q=0.1',
  ])('is sent for Accept: %s', async (accept) => {
    expect(await typeFor(accept)).toBe('application/problem+json');
  });

  test.each([
    '*/*',
    'application/*',
    'application/json',
    'text/html',
    'application/problem+json;q=0',
    'application/json, application/problem+json;q=0.5',
  ])('is not sent for Accept: %s', async (accept) => {
    expect(await typeFor(accept)).toBe('application/json');
  });

  test('is the form of refusals only', async () => {
    const accept = { accept: 'application/problem+json' };
    const made = await sendAs(world.api, world.owner, world.request(STORE), accept);
    expect(made).toMatchObject({ status: 201, json: { message: 'Store successfully created.' } });
  });

  test.each([
    ['GET', '/api/v1/nothing', 404, 'not_found', 'The resource was not found.'],
    ['PUT', '/api/v1/store', 405, 'method_not_allowed', 'The method is not allowed.'],
  ])('%s %s is %i %s', async (method, path, status, code, detail) => {
    const headers = { accept: 'application/problem+json' };
    const { json } = await send(world.api, { method, path, headers });
    expect(json).toMatchObject({ status, code, detail });
    expect(json.errors).toEqual([{ code, pointer: '', detail }]);
  });
});

async function pages(path: string, limit: number): Promise<string[][]> {
  const found: string[][] = [];
  for (let cursor = ''; ;) {
    const { json } = await world.owner.get(`${path}?limit=${limit}${cursor}`);
    found.push(
      json.data.map((row: Record<string, string>) => row['upload_id'] ?? row['delivery_id']),
    );
    if (json.next_cursor === null) return found;
    cursor = `&cursor=${json.next_cursor}`;
  }
}

describe('lists', () => {
  beforeAll(async () => {
    const { owner, menu, storeId } = world;
    for (let n = 0; n < 6; n += 1) {
      await owner.post('/menus/upload', menu, { prefer: 'respond-async' });
      await owner.post(`/pos/store/${storeId}/inventory/items`, {
        units: [],
        items: [],
        suppliers: [],
      });
    }
  });

  test.each(['/menus/uploads', '/webhooks/deliveries'])(
    '%s come newest first, each row on one page, the last page without a cursor',
    async (path) => {
      const all = (await pages(path, 100)).flat();
      expect(all.length).toBeGreaterThan(6);
      expect(all).toEqual(all.toSorted().toReversed());
      for (const limit of [1, 3, Math.min(all.length, 100)]) {
        const found = await pages(path, limit);
        expect(found.flat()).toEqual(all);
        expect(found.every((rows) => rows.length > 0 && rows.length <= limit)).toBe(true);
      }
    },
  );

  test('of another user’s stores are empty, and their uploads are unknown', async () => {
    const stranger = await world.api.user();
    const { json } = await stranger.get('/menus/uploads');
    expect(json).toEqual({ message: 'Success.', data: [], next_cursor: null });
    const [[id] = []] = await pages('/menus/uploads', 1);
    expect(await stranger.get(`/menus/uploads/${id}`)).toMatchObject({
      status: 404,
      json: { message: ['The upload was not found.'], data: null },
    });
    const operator = await world.api.user('operator');
    expect((await operator.get(`/menus/uploads/${id}`)).json.data.upload_id).toBe(id);
  });

  test.each(['upl_0', '%00', '%E0%A4%A', "'", 'upl_' + 'g'.repeat(32)])(
    'the upload %s is unknown',
    async (id) => {
      expect((await world.owner.get(`/menus/uploads/${id}`)).status).toBe(404);
      expect((await world.owner.get(`/webhooks/deliveries/${id}`)).status).toBe(404);
    },
  );

  test('uploads are found by store, integration and state', async () => {
    const count = async (query: string) =>
      (await world.owner.get(`/menus/uploads?limit=100&${query}`)).json.data.length;
    const all = await count('');
    expect(await count(`store_id=${world.storeId}`)).toBe(all);
    expect(await count('store_id=999999')).toBe(0);
    expect(await count(`integration_id=${world.integrationId}`)).toBe(all);
    expect(await count('integration_id=no-number')).toBe(0);
    expect(await count('state=queued')).toBe(all);
    expect(await count('state=failed')).toBe(0);
  });
});

test('an upload shows every step before it starts', async () => {
  const { owner, menu, storeId, integrationId } = world;
  const made = await owner.post('/menus/upload', menu, { prefer: 'foo, Respond-Async; x=1' });
  expect(made).toMatchObject({ status: 202, json: { message: 'Menu upload in progress.' } });
  const { upload_id, status_url } = made.json.data;
  expect(made.headers.get('x-upload-id')).toBe(upload_id);
  expect(made.headers.get('location')).toBe(status_url);
  const { json } = await send(world.api, {
    method: 'GET',
    path: status_url,
    headers: { authorization: `Bearer ${owner.token}` },
  });
  const pending = { state: 'pending', attempts: 0, started_at: null, finished_at: null };
  expect(json).toEqual({
    message: 'Success.',
    data: {
      upload_id,
      store_id: storeId,
      integration_id: String(integrationId),
      state: 'queued',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      finished_at: null,
      next_attempt_at: null,
      waiting_for: null,
      republished_from: null,
      rollout_id: null,
      user_id: expect.stringMatching(/^usr_/),
      request_id: expect.stringMatching(/^[\w-]+$/),
      messages: [],
      loss_counts: { block: 0, warn: 0, info: 0 },
      losses: [],
      steps: ['token', 'transform', 'images', 'push', 'confirm'].map((name) => ({
        name,
        ...pending,
      })),
      trace_url: null,
    },
  });
});

test.each(['items', 'stock'])(
  'POS %s need the permission, a store that exists, and one that is the user’s',
  async (event) => {
    const { api, storeId } = world;
    const { body } = world.request(`POST /api/v1/pos/store/{store_id}/inventory/${event}`);
    const post = (caller: typeof world.owner, store: string | number) =>
      caller.post(`/pos/store/${store}/inventory/${event}`, body);
    expect(await post(await api.user('inventory:create'), storeId)).toMatchObject({
      status: 403,
      json: { message: ['You do not have the permissions to access this resource.'], data: null },
    });
    for (const store of [999_999, 'one', '1.0', '-1']) {
      expect(await post(world.owner, store)).toMatchObject({
        status: 404,
        json: { message: ['The store was not found.'], data: null },
      });
    }
    expect(await post(await api.user('pos:events'), storeId)).toMatchObject({
      status: 409,
      json: { message: ["You don't have this store available."], data: null },
    });
  },
);

test('a body that never ends is answered 413, and its connection is not kept for ever', async () => {
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const sending = request(`${world.api.url}/api/v1/store`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${world.owner.token}`,
        'content-type': 'application/json',
      },
    });
    const flood = setInterval(() => sending.write(Buffer.alloc(65_536, 32)), 1);
    const startedAt = Date.now();
    sending.on('response', (response) => {
      response.resume();
      sending.on('close', () => {
        clearInterval(flood);
        if (Date.now() - startedAt > 10_000) reject(new Error('the connection was kept'));
        else resolve(response.statusCode);
      });
    });
    sending.on('error', () => {});
  });
  expect(status).toBe(413);
});
