import { changeUserState } from '../../src/admin/users';
import { ENDPOINTS } from './cells';
import { send, sendAs, startWorld, type ValidRequest, type World } from './world';

let world: World;

beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const ALL = ENDPOINTS.map(({ endpoint }) => endpoint);
const API = ALL.filter((endpoint) => endpoint.includes('/api/v1/'));
const WRITES = ENDPOINTS.filter(({ replays }) => replays).map(({ endpoint }) => endpoint);
const WITH_BODY = ENDPOINTS.filter((each) => 415 in each.answers).map(({ endpoint }) => endpoint);
const CREATES_STORE = 'POST /api/v1/store';

test.each(API)('%s asks for a token before it looks at the body', async (endpoint) => {
  const { method, path } = world.request(endpoint);
  const answer = await send(world.api, { method, path, headers: { 'content-type': 'text/plain' } });
  expect(answer.status).toBe(401);
});

test.each(ALL)('%s lists the allowed methods before it asks for a token', async (endpoint) => {
  const [method = '', template = ''] = endpoint.split(' ');
  const path = template.replaceAll(/\{\w+\}/g, '1');
  const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
  // Also where the method is one of a path with a parameter instead: no id is `create`.
  for (const wrong of methods.filter((each) => !ALL.includes(`${each} ${template}`))) {
    const answer = await send(world.api, { method: wrong, path });
    expect(answer.status).toBe(405);
    const allowed = answer.headers.get('allow')?.split(', ');
    expect(allowed).toContain(method);
    expect(allowed).not.toContain(wrong);
    expect(answer.json).toEqual({ message: ['The method is not allowed.'], data: null });
  }
});

test.each([
  '/api/v1',
  '/api/v1/',
  '/api/v1/stores',
  '/api/v1/store/1/2',
  '/api/v2/store',
  '/api/v1/menus/uploads/a/b',
  '/callbacks/app-a/1',
  '/api/v1/%2e%2e/store',
  '//store',
])('%s is unknown to everybody', async (path) => {
  for (const method of ['GET', 'POST']) {
    const answer = await send(world.api, { method, path });
    expect(answer).toMatchObject({
      status: 404,
      json: { message: ['The resource was not found.'], data: null },
    });
  }
});

function refusal(status: number, sentence: string) {
  return { status, json: { message: [sentence], data: null } };
}

test.each(API)('%s tells a user who is deactivated or deleted', async (endpoint) => {
  for (const state of ['deactivated', 'deleted'] as const) {
    const user = await world.api.user('inventory:create', 'pos:events', 'operator');
    await changeUserState(world.api, user.userId, state);
    const answer = await sendAs(world.api, user, world.request(endpoint));
    const sentence = state === 'deleted' ? 'User not found.' : 'User not authenticated.';
    expect(answer).toMatchObject({
      status: state === 'deleted' && endpoint === CREATES_STORE ? 404 : 409,
      json: { message: [sentence], data: null },
    });
  }
});

describe.each(WRITES.filter((endpoint) => !WITH_BODY.includes(endpoint)))('%s', (endpoint) => {
  test('refuses a body over the size of small ones, although it takes none', async () => {
    const { method, path } = world.request(endpoint);
    const headers = { authorization: `Bearer ${world.owner.token}` };
    const body = 'x'.repeat(256 * 1024 + 1);
    expect(await send(world.api, { method, path, headers, body })).toMatchObject(
      refusal(413, 'The request body is too large.'),
    );
  });
});

function postOnce(request: ValidRequest, key: string) {
  return sendAs(world.api, world.owner, request, { 'idempotency-key': key });
}

describe.each(WRITES)('%s with an idempotency key', (endpoint) => {
  const request = (): ValidRequest => world.request(endpoint);
  let made = 0;
  const newKey = () => `${endpoint.replaceAll(/\W+/g, '-')}-${(made += 1)}`;

  test('answers the same bytes again and does nothing', async () => {
    const each = request();
    const key = newKey();
    const first = await postOnce(each, key);
    const second = await postOnce(each, key);
    expect(first.status).toBeLessThan(300);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect([second.status, second.text]).toEqual([first.status, first.text]);
    for (const name of ['content-type', 'location', 'x-upload-id']) {
      expect(second.headers.get(name)).toBe(first.headers.get(name));
    }
  });

  test('refuses an invalid key, and another body', async () => {
    for (const key of ['', 'with blank', 'é'.repeat(3), 'x'.repeat(256)]) {
      expect(await postOnce(request(), key)).toMatchObject({
        status: 400,
        json: { message: ['The idempotency key is not valid.'], data: null },
      });
    }
    const key = newKey();
    const each = request();
    await postOnce(each, key);
    expect(await postOnce({ ...each, body: { ...each.body, other: 1 } }, key)).toMatchObject({
      status: 409,
      json: { message: ['The idempotency key was already used with a different request.'] },
    });
  });

  test('asks to come back while the first request is running', async () => {
    const each = request();
    const key = newKey();
    await postOnce(each, key);
    await world.api.sql`
      update idempotency_key set status = null, answer_encrypted = null,
        lease_until = now() + interval '60 s'
      where key = ${key}`;
    const answer = await postOnce(each, key);
    expect(answer).toMatchObject({
      status: 409,
      json: { message: ['A request with this idempotency key is still in progress.'], data: null },
    });
    expect(answer.headers.get('retry-after')).toBe('1');
  });
});
