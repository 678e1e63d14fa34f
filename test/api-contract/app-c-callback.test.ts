import { createHash } from 'node:crypto';
import { connectStoreTo } from '../../src/admin/integrations';
import { createConfiguredSecretBox } from '../../src/run/configured-secrets';
import { boundOf } from '../support/bounds';
import { beginRequest } from '../support/slow-request';
import { send, startWorld, type World } from './world';

let world: World;
let integrationId: number;

beforeAll(async () => {
  world = await startWorld();
  integrationId = await world.addIntegration('app-c');
  const deps = { sql: world.api.sql, secrets: createConfiguredSecretBox(world.api.config) };
  const { storeId } = world;
  await connectStoreTo(deps, { storeId, integrationId, appStoreId: 'shop-1', credential: '{}' });
});
afterAll(() => world.stop());

function callback(status: number, taskID = '3458764739727720400'): string {
  return `{"app_id":"client","app_shop_id":"shop-1","type":"uploadMenuTaskStatus","timestamp":1,"data":{"taskID":${taskID},"status":${status},"message":"x","operationList":[]}}`;
}

const sign = (body: string | Buffer, secret = 'secret') =>
  createHash('md5').update(body).update(secret).digest('hex');

function post(body: string | Buffer, signature = sign(body), id: string | number = integrationId) {
  return send(world.api, {
    method: 'POST',
    path: `/callbacks/app-c/${id}`,
    headers: { 'didi-header-sign': signature, 'content-type': 'application/json' },
    body,
  });
}

const keptTasks = () => world.api.sql`
  select task_id, outcome->>'kind' as kind from app_task
  where integration_id = ${integrationId}::bigint order by task_id`;

beforeEach(() => world.api.sql`delete from app_task`);

test('a signed end of a task is taken and kept, and a repeat changes nothing', async () => {
  for (let n = 0; n < 3; n += 1) {
    expect(await post(callback(1))).toMatchObject({
      status: 200,
      text: '{"errno":0,"errmsg":"ok"}',
    });
  }
  expect(await keptTasks()).toEqual([{ taskId: '3458764739727720400', kind: 'live' }]);
});

test('a task id with a line break is another one than the id without it', async () => {
  await post(callback(1, '1'));
  expect(await post(callback(2, String.raw`"1\n"`))).toMatchObject({ status: 200 });
  expect(await keptTasks()).toEqual([
    { taskId: '1', kind: 'live' },
    { taskId: '1\n', kind: 'rejected' },
  ]);
});

test('a callback about a running task is answered but not stored', async () => {
  for (const status of [0, 3, 4, 9]) expect((await post(callback(status))).status).toBe(200);
  expect(await keptTasks()).toEqual([]);
});

test.each(['{}', 'not json', '[]', '{"type":"orderNew"}', '{"type":"uploadMenuTaskStatus"}'])(
  'a signed but meaningless callback does no harm: %s',
  async (body) => {
    expect(await post(body)).toMatchObject({ status: 200, json: { errno: 0, errmsg: 'ok' } });
    expect(await keptTasks()).toEqual([]);
  },
);

test.each([String.raw`\u0000`, String.raw`\ud83c`, 'x'.repeat(256)])(
  'ids that cannot be stored match no task: %j',
  async (id) => {
    const task = callback(1, `"${id}"`);
    expect(await post(task)).toMatchObject({ status: 200, json: { errno: 0, errmsg: 'ok' } });
    const shop = callback(1).replace('shop-1', id);
    expect(await post(shop)).toMatchObject({ status: 200, json: { errno: 0, errmsg: 'ok' } });
    expect(await keptTasks()).toEqual([]);
  },
);

test.each([
  ['without signature', ''],
  ['that is no hash', 'zzz'],
  ['of another body', sign('{}')],
  ['with another secret', sign(callback(1), 'other')],
])(
  'a signature %s is refused, like an integration that does not exist',
  async (_how, signature) => {
    const refused = await post(callback(1), signature);
    const unknown = await post(callback(1), sign(callback(1)), 999_999);
    const foreign = await post(callback(1), sign(callback(1)), world.integrationId);
    for (const answer of [refused, unknown, foreign]) {
      expect([answer.status, answer.text]).toEqual([401, 'Unauthorized.']);
    }
    expect(await keptTasks()).toEqual([]);
  },
);

test.each(['0', 'one', '1.5', '-1'])('integration %s does not exist', async (id) => {
  expect((await post(callback(1), sign(callback(1)), id)).status).toBe(401);
});

const MEGABYTE = 1_048_576;
const begin = (headers: Record<string, string | number>) =>
  beginRequest(`${world.api.url}/callbacks/app-c/${integrationId}`, headers);

describe('a body', () => {
  test('of 1 MB is read, and one byte more is refused', async () => {
    const largest = Buffer.alloc(MEGABYTE, 32);
    expect((await post(largest)).status).toBe(200);
    expect((await post(Buffer.alloc(MEGABYTE + 1, 32))).status).toBe(413);
    const declared = begin({ 'didi-header-sign': sign(''), 'content-length': MEGABYTE + 1 });
    expect((await declared.answered).status).toBe(413);
    declared.sending.destroy();
  });

  test.each([
    '',
    'zzz',
    '0'.repeat(31),
    '0'.repeat(33),
    `${'0'.repeat(31)}ı`,
    `${'0'.repeat(31)}g`,
  ])('is not read when its signature %j cannot be one, however large it is', async (signature) => {
    // The answer comes although nothing of the body is ever sent.
    const unread = begin({
      'didi-header-sign': Buffer.from(signature).toString('latin1'),
      'content-length': 2 * MEGABYTE,
    });
    expect(await unread.answered).toMatchObject({ status: 401, text: 'Unauthorized.' });
    unread.sending.destroy();
  });

  test('is signed in hex of any case', async () => {
    expect((await post(callback(1), sign(callback(1)).toUpperCase())).status).toBe(200);
  });
});

test('past 100 bad signatures in a minute an address gets 429 for them, and its good ones pass', async () => {
  const refused: number[] = [];
  // Some of the earlier ones count already.
  for (let n = 0; n < 101; n += 1) {
    refused.push((await post('{}', n % 2 === 0 ? 'zzz' : sign('other'))).status);
  }
  expect(refused[0]).toBe(401);
  expect(refused.at(-1)).toBe(429);
  const late = await post('{}', sign('other'));
  expect(late).toMatchObject({
    status: 429,
    json: { message: ['Too many requests.'], data: null },
  });
  expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await post(callback(1))).status).toBe(200);
  expect((await boundOf(world.api, 'bad_signatures')).hits).toBeGreaterThan(1);
});
