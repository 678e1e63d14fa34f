import { createHash } from 'node:crypto';
import { changeUserState, createToken } from '../../src/admin/users';
import { startTestApi, type TestApi, type TestCaller } from '../support/api';
import { createLinkedStore, createSystem, sendEvent, STOCK_EVENT } from '../support/inventory';
import { until } from '../support/until';

let api: TestApi;
let owner: TestCaller;

beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());
beforeEach(async () => {
  owner = await api.user('inventory:create');
});

const CREATE = '/inventory/system/create';
const KEY = { 'idempotency-key': 'the-key' };
const isReplay = (answer: { headers: Headers }) =>
  answer.headers.get('idempotency-replayed') === 'true';

let made = 0;
const newName = () => `System ${(made += 1)}`;

test('a key counts for one user, one method and one path', async () => {
  const name = newName();
  await owner.post(CREATE, { name }, KEY);
  const other = await api.user('inventory:create');
  expect(await other.post(CREATE, { name }, KEY)).toMatchObject({ status: 409 });
  const store = await owner.post('/store', { name, country_code: 'MX' }, KEY);
  expect([store.status, isReplay(store)]).toEqual([201, false]);
  expect(isReplay(await owner.post(CREATE, { name }, KEY))).toBe(true);
});

test('bodies are compared by their decoded bytes', async () => {
  const name = newName();
  await owner.postRaw(CREATE, `{"name":"${name}"}`, KEY);
  expect(isReplay(await owner.postRaw(CREATE, `{"name":"${name}"}`, KEY))).toBe(true);
  expect((await owner.postRaw(CREATE, `{"name": "${name}"}`, KEY)).status).toBe(409);
});

test.each([
  [403, [], { name: 'No permission' }],
  [422, ['inventory:create'], {}],
] as const)('a %i is stored', async (status, permissions, body) => {
  const user = await api.user(...permissions);
  const first = await user.post(CREATE, body, KEY);
  const second = await user.post(CREATE, body, KEY);
  expect([first.status, isReplay(first)]).toEqual([status, false]);
  expect([second.status, second.text, isReplay(second)]).toEqual([status, first.text, true]);
});

test('409 and 404 are stored: only another key sees that a name has become free', async () => {
  const name = newName();
  await createSystem(owner, name);
  const refused = await owner.post(CREATE, { name }, KEY);
  await api.sql`delete from inventory_system where name = ${name}`;
  const again = await owner.post(CREATE, { name }, KEY);
  expect([again.status, again.text, isReplay(again)]).toEqual([409, refused.text, true]);
  expect((await owner.post(CREATE, { name }, { 'idempotency-key': 'another' })).status).toBe(201);
});

test('a replay has the first answer’s form, whatever the second request accepts', async () => {
  const problem = await owner.post(CREATE, {}, { ...KEY, accept: 'application/problem+json' });
  const again = await owner.post(CREATE, {}, KEY);
  expect(again.headers.get('content-type')).toBe(problem.headers.get('content-type'));
  expect(again.text).toBe(problem.text);
});

test('the query is part of the request: the same key with another one is another request', async () => {
  const refused = {
    status: 409,
    json: {
      message: ['The idempotency key was already used with a different request.'],
      data: null,
    },
  };
  const body = { name: newName() };
  const first = await owner.post(`${CREATE}?a=1`, body, KEY);
  expect(await owner.post(`${CREATE}?a=2`, body, KEY)).toMatchObject(refused);
  expect(await owner.post(CREATE, body, KEY)).toMatchObject(refused);
  const again = await owner.post(`${CREATE}?a=1`, body, KEY);
  expect([again.status, isReplay(again)]).toEqual([first.status, true]);
});

describe('a POST that takes no body', () => {
  const path = '/menus/uploads/upl_none/cancel';

  test('has the limit of all small bodies', async () => {
    expect((await owner.postRaw(path, ' '.repeat(256 * 1024))).status).toBe(404);
    expect((await owner.postRaw(path, ' '.repeat(256 * 1024 + 1))).status).toBe(413);
  });

  test('compares what was sent under an idempotency key, and `{}` is as nothing', async () => {
    const first = await owner.postRaw(path, '', KEY);
    expect(first.status).toBe(404);
    for (const same of ['{}', ' { }\n']) {
      expect(isReplay(await owner.postRaw(path, same, KEY))).toBe(true);
    }
    expect((await owner.postRaw(path, '{"a":1}', KEY)).status).toBe(409);
  });
});

/** The owner with a token that no process has cached, so that a change of the user counts at once. */
async function anew(): Promise<TestCaller> {
  const { token } = await createToken(api, { userId: owner.userId, expiresInSeconds: null });
  return api.as(owner.userId, token);
}

describe('a stored answer is only for a user who may make the request now', () => {
  const select = { type: 1, url: 'http://127.0.0.1:9/hook' };
  const MANAGE = '/inventory/system/webhook/manage';

  test.each([
    ['deactivated', 'User not authenticated.'],
    ['deleted', 'User not found.'],
  ] as const)('not for one who was %s, whose secret would be in it', async (state, sentence) => {
    const body = { ...select, inventory_system_id: await createSystem(owner, newName()) };
    expect((await owner.post(MANAGE, body, KEY)).json.data.secret).toMatch(/^whsec_/);
    await changeUserState(api, owner.userId, state);
    expect(await (await anew()).post(MANAGE, body, KEY)).toMatchObject({
      status: 409,
      json: { message: [sentence], data: null },
    });
    await api.sql`update app_user set state = 'active' where user_id = ${owner.userId}`;
    expect(isReplay(await (await anew()).post(MANAGE, body, KEY))).toBe(true);
  });

  test('not for one who has lost the permission, and again for one who has it back', async () => {
    const body = { name: newName() };
    const first = await owner.post(CREATE, body, KEY);
    const permit = (permissions: string[]) => api.sql`
      update app_user set permissions = ${permissions}::text[] where user_id = ${owner.userId}`;
    await permit(['pos:events']);
    const refused = await (await anew()).post(CREATE, body, KEY);
    expect([refused.status, isReplay(refused), refused.json]).toEqual([
      403,
      false,
      { message: ['You do not have the permissions to access this resource.'], data: null },
    ]);
    await permit(['inventory:create']);
    const again = await (await anew()).post(CREATE, body, KEY);
    expect([again.status, again.text, isReplay(again)]).toEqual([201, first.text, true]);
  });

  test('the shape is checked before the permission, so its answer stays the same', async () => {
    const first = await owner.post(CREATE, {}, KEY);
    await api.sql`update app_user set permissions = '{}' where user_id = ${owner.userId}`;
    const again = await (await anew()).post(CREATE, {}, KEY);
    expect([again.status, again.text, isReplay(again)]).toEqual([422, first.text, true]);
  });
});

test('400, 413 and 415 are not stored', async () => {
  expect((await owner.postRaw(CREATE, '{', KEY)).status).toBe(400);
  expect((await owner.postRaw(CREATE, 'x', { ...KEY, 'content-type': 'text/plain' })).status).toBe(
    415,
  );
  expect((await owner.post(CREATE, { name: newName() }, KEY)).status).toBe(201);
});

test('a 5xx is not stored, and the next try may start at once', async () => {
  const name = newName();
  await api.sql`alter table inventory_system rename to elsewhere`;
  expect((await owner.post(CREATE, { name }, KEY)).status).toBe(500);
  await api.sql`alter table elsewhere rename to inventory_system`;
  const again = await owner.post(CREATE, { name }, KEY);
  expect([again.status, isReplay(again)]).toEqual([201, false]);
});

test('after a day the key can be used again', async () => {
  const name = newName();
  const first = await owner.post(CREATE, { name }, KEY);
  await api.sql`
    update idempotency_key set created_at = created_at - interval '24 h 1 s'
    where user_id = ${owner.userId}`;
  const body = { name: newName() };
  const later = await owner.post(CREATE, body, KEY);
  expect([later.status, isReplay(later)]).toEqual([201, false]);
  expect(later.text).not.toBe(first.text);
  expect((await owner.post(CREATE, body, KEY)).text).toBe(later.text);
});

test('a request that runs for longer than a lease keeps its key', async () => {
  const slow = await startTestApi({ ACK_WAIT: '6s' });
  const expire = () =>
    slow.sql`update idempotency_key set lease_until = now() where status is null`;
  const isHeld = async () =>
    (await slow.sql`select from idempotency_key where lease_until > now()`).length > 0;
  try {
    const linked = await createLinkedStore(slow, newName());
    const first = sendEvent(linked, 'stock', STOCK_EVENT, KEY);
    // As if all of its lease had passed; it is renewed after a third of it.
    await until(async () => (await expire()).count > 0);
    expect(await isHeld()).toBe(false);
    await until(isHeld);
    expect(await sendEvent(linked, 'stock', STOCK_EVENT, KEY)).toMatchObject({
      status: 409,
      json: { message: ['A request with this idempotency key is still in progress.'] },
    });
    expect((await first).status).toBe(202);
    expect(isReplay(await sendEvent(linked, 'stock', STOCK_EVENT, KEY))).toBe(true);
  } finally {
    await slow.stop();
  }
});

test('the longest path with the longest key is a request like any other', async () => {
  const key = { 'idempotency-key': '~'.repeat(255) };
  const unknown = await owner.post(`/pos/store/${'9'.repeat(255)}/inventory/stock`, {}, key);
  expect(unknown.status).toBe(422);
  const resent = await owner.post(`/webhooks/deliveries/${'x'.repeat(255)}/resend`, {}, key);
  expect(resent.status).toBe(404);
  // Encoded, a character takes three bytes, and the sent bytes count.
  const encoded = await owner.post(`/webhooks/deliveries/${'%C3%A9'.repeat(42)}/resend`, {}, key);
  expect(encoded.status).toBe(404);
  const longer = await owner.post(`/webhooks/deliveries/${'x'.repeat(256)}/resend`, {}, key);
  expect(longer).toMatchObject({ status: 404, json: { message: ['The resource was not found.'] } });
});

test('the key of a dead process is free when its lease ends, not earlier', async () => {
  const body = { name: newName() };
  await owner.post(CREATE, body, KEY);
  const die = (lease: string) => api.sql`
    update idempotency_key set status = null, answer_encrypted = null,
      lease_until = now() + ${lease}::interval
    where user_id = ${owner.userId}`;
  await die('1 s');
  expect(await owner.post(CREATE, body, KEY)).toMatchObject({
    status: 409,
    json: { message: ['A request with this idempotency key is still in progress.'] },
  });
  await die('0 s');
  expect((await owner.post(CREATE, body, KEY)).status).toBe(201);
});

test('a holder that has lost its lease can neither write nor store an answer', async () => {
  const body = { name: newName() };
  await owner.post(CREATE, body, KEY);
  const rows = await api.sql`select from inventory_system where name = ${body.name}`;
  expect(rows).toHaveLength(1);
  // As if another process had taken the key over between this request's lease and its rows.
  await api.sql`
    create function take_over() returns trigger language plpgsql as $$
    begin new.owner := 'somebody else'; return new; end $$`;
  await api.sql`
    create trigger take_over before insert on idempotency_key
    for each row execute function take_over()`;
  try {
    const name = newName();
    expect(await owner.post(CREATE, { name }, { 'idempotency-key': 'lost' })).toMatchObject({
      status: 409,
      json: { message: ['A request with this idempotency key is still in progress.'] },
    });
    expect(await api.sql`select from inventory_system where name = ${name}`).toHaveLength(0);
  } finally {
    await api.sql`drop function take_over cascade`;
  }
});

test('stored answers and their bodies are not readable in the database', async () => {
  const systemId = await createSystem(owner, newName());
  const answer = await owner.post(
    '/inventory/system/webhook/manage',
    { type: 1, inventory_system_id: systemId, url: 'http://127.0.0.1:9/hook' },
    KEY,
  );
  const { secret } = answer.json.data;
  expect(secret).toMatch(/^whsec_/);
  const [row] = await api.sql`
    select body_sha256, answer_encrypted, idempotency_key::text as text from idempotency_key
    where user_id = ${owner.userId}`;
  expect(row?.['answerEncrypted'].includes(secret)).toBe(false);
  expect(row?.['text']).not.toContain(Buffer.from(secret).toString('hex'));
  expect(row?.['bodySha256']).toHaveLength(createHash('sha256').digest('hex').length);
});
