import { createHmac } from 'node:crypto';
import { configureIntegration, connectStoreTo } from '../../src/admin/integrations';
import { createConfiguredSecretBox } from '../../src/run/configured-secrets';
import { send, startWorld, type World } from './world';

let world: World;
let integrationId: number;

beforeAll(async () => {
  world = await startWorld();
  integrationId = await world.addIntegration('app-d');
  const deps = { sql: world.api.sql, secrets: createConfiguredSecretBox(world.api.config) };
  const { storeId } = world;
  await connectStoreTo(deps, { storeId, integrationId, appStoreId: '999', credential: '{}' });
  await configureIntegration(deps, {
    integrationId,
    app: 'app-d',
    name: null,
    baseUrl: null,
    clientId: null,
    clientSecret: null,
    webhookSecret: 'webhook-secret,another-secret',
    active: null,
  });
});
afterAll(() => world.stop());

const BODY = '{"store_id":"999","message":"Menu approved"}';
const MINUTE_MS = 60_000;

interface Signing {
  readonly secret?: string;
  readonly t?: number;
  readonly body?: string;
}

function signature({ secret = 'webhook-secret', t = Date.now(), body = BODY }: Signing = {}) {
  const sign = createHmac('sha256', secret).update(`${t}.${body}`).digest('hex');
  return `t=${t},sign=${sign}`;
}

function post(body: string, given: string | undefined, id: number | string = integrationId) {
  return send(world.api, {
    method: 'POST',
    path: `/callbacks/app-d/${id}?event=MENU_APPROVED`,
    headers: {
      'content-type': 'application/json',
      ...(given !== undefined && { 'rappi-signature': given }),
    },
    body,
  });
}

test('a signed webhook is taken, in seconds or milliseconds, by any of the secrets, and a repeat changes nothing', async () => {
  const inSeconds = signature({ t: Math.floor(Date.now() / 1000) });
  const other = signature({ secret: 'another-secret' });
  for (const given of [signature(), inSeconds, inSeconds, other]) {
    expect(await post(BODY, given)).toMatchObject({
      status: 200,
      json: { message: 'Success.', data: null },
    });
  }
});

test.each([
  ['ahead of the time', 6],
  ['a year ahead', 525_600],
  ['old', -6],
])(
  'a signature %s by more than five minutes is refused: a captured one would be good without an end',
  async (_name, minutes) => {
    const t = Date.now() + minutes * MINUTE_MS;
    expect((await post(BODY, signature({ t }))).status).toBe(401);
    expect((await post(BODY, signature({ t: Date.now() + 4 * MINUTE_MS }))).status).toBe(200);
  },
);

test('without a waiting menu nothing is stored', async () => {
  await post(BODY, signature());
  expect(await world.api.sql`select from app_task`).toHaveLength(0);
});

test.each([
  '{}',
  'not json',
  '[]',
  '{"store_id":null}',
  '{"store_id":"unknown"}',
  '{"store_id":"\\u0000"}',
])('a signed but meaningless callback does no harm: %s', async (body) => {
  expect((await post(body, signature({ body }))).status).toBe(200);
});

test.each([
  ['none', undefined],
  ['of another secret', () => signature({ secret: 'client-secret' })],
  ['of another body', () => signature({ body: '{"store_id":"998"}' })],
  ['six minutes old', () => signature({ t: Date.now() - 6 * MINUTE_MS })],
  ['without time', () => signature().replace(/^t=\d+,/, '')],
  ['of another time', () => signature().replace(/^t=\d/, 't=9')],
  ['cut', () => signature().slice(0, -1)],
])('a signature is refused: %s', async (_, make) => {
  expect(await post(BODY, make?.())).toMatchObject({ status: 401 });
});

test('an integration that does not exist, or is of another app, looks like a wrong signature', async () => {
  const other = await world.addIntegration('app-c');
  for (const id of [999_999, 'x', other]) {
    expect((await post(BODY, signature(), id)).status).toBe(401);
  }
});

test('a body of 1 MB is read, and one byte more is refused', async () => {
  const largest = `{"store_id":"unknown","message":"${'m'.repeat(1_048_576 - 35)}"}`;
  expect(largest.length).toBe(1_048_576);
  expect((await post(largest, signature({ body: largest }))).status).toBe(200);
  const larger = `${largest} `;
  expect(await post(larger, signature({ body: larger }))).toMatchObject({
    status: 413,
    json: { message: ['The request body is too large.'], data: null },
  });
});

test('past 100 bad signatures in a minute an address gets 429 for them, and its good ones pass', async () => {
  const bad = signature({ secret: 'wrong' });
  const statuses: number[] = [];
  for (let n = 0; n < 120 && statuses.at(-1) !== 429; n += 1) {
    statuses.push((await post(BODY, bad)).status);
  }
  expect(await post(BODY, bad)).toMatchObject({
    status: 429,
    json: { message: ['Too many requests.'], data: null },
  });
  expect((await post(BODY, signature())).status).toBe(200);
});
