import { createHash } from 'node:crypto';
import { connectStoreTo } from '../../src/admin/integrations';
import { createConfiguredSecretBox } from '../../src/configured-secrets';
import { send, startWorld, type World } from './world';

let world: World;
let integrationId: number;

beforeAll(async () => {
  world = await startWorld();
  integrationId = await world.addIntegration('app-c');
  const deps = { sql: world.api.sql, secrets: createConfiguredSecretBox(world.api.config) };
  const { storeId } = world;
  await connectStoreTo(deps, { storeId, integrationId, deliveryId: 'shop-1', credential: '{}' });
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

test('a task still at work is answered and not kept', async () => {
  for (const status of [0, 3, 4, 9]) expect((await post(callback(status))).status).toBe(200);
  expect(await keptTasks()).toEqual([]);
});

test.each(['{}', 'not json', '[]', '{"type":"orderNew"}', '{"type":"uploadMenuTaskStatus"}'])(
  'what is signed and means nothing to us is harmless: %s',
  async (body) => {
    expect(await post(body)).toMatchObject({ status: 200, json: { errno: 0, errmsg: 'ok' } });
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

test('more than 2 MB are not read', async () => {
  expect((await post(Buffer.alloc(2 * 1_048_576 + 1, 32))).status).toBe(413);
});
