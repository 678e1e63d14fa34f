import { isSecret } from '../../src/platform/crypto/signing';
import { startTestApi, type TestApi, type TestCaller } from '../support/api';
import { createSystem, manageWebhook, postWebhook, RECEIVER_URL } from '../support/inventory';

let api: TestApi;
let owner: TestCaller;
let systemId: string;

beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());

let made = 0;
beforeEach(async () => {
  owner = await api.user('inventory:create');
  systemId = await createSystem(owner, `System ${(made += 1)}`);
});

async function crashBeforeAnswer(): Promise<void> {
  await api.sql`
    update idempotency_key set status = null, answer_encrypted = null, lease_until = now()
    where user_id = ${owner.userId}`;
}

test('a new webhook shows its secret, and only then', async () => {
  const first = await postWebhook({ owner, systemId }, 'manage', { type: '2', url: RECEIVER_URL });
  expect(first).toMatchObject({
    status: 200,
    json: {
      message: 'Success.',
      data: { type: 2, inventory_system_id: systemId, url: RECEIVER_URL, state: 'enabled' },
    },
  });
  expect(isSecret(first.json.data.secret)).toBe(true);
  const changed = await postWebhook({ owner, systemId }, 'manage', { url: `${RECEIVER_URL}/new` });
  expect(changed.json.data).toEqual({
    type: 2,
    inventory_system_id: systemId,
    url: `${RECEIVER_URL}/new`,
    state: 'enabled',
    max_per_second: null,
    header_names: [],
  });
});

test('a retry after a crash shows the secret of the webhook that its first try created', async () => {
  const key = { 'idempotency-key': 'manage-1' };
  const first = await postWebhook({ owner, systemId }, 'manage', { url: RECEIVER_URL }, key);
  await crashBeforeAnswer();
  const again = await postWebhook({ owner, systemId }, 'manage', { url: RECEIVER_URL }, key);
  expect(again.json).toEqual(first.json);
});

test('secrets are not in the database in the clear', async () => {
  const secret = await manageWebhook(owner, systemId, 1);
  const dump = await api.sql`select s::text as row from subscription s`;
  expect(JSON.stringify(dump)).not.toContain(secret.slice(6, 20));
  const hex = Buffer.from(secret.slice(6), 'base64').toString('hex');
  expect(JSON.stringify(dump)).not.toContain(hex);
});

test('a rotated secret is shown, and the previous one signs until its grace ends', async () => {
  const old = await manageWebhook(owner, systemId, 2);
  const before = Date.now();
  const { status, json } = await postWebhook({ owner, systemId }, 'secret/rotate', {
    grace_seconds: 60,
  });
  expect(status).toBe(200);
  expect(isSecret(json.data.secret)).toBe(true);
  expect(json.data.secret).not.toBe(old);
  const until = Date.parse(json.data.previous_valid_until) - before;
  expect(until).toBeGreaterThan(55_000);
  expect(until).toBeLessThan(65_000);
});

test('the grace is a day by default, and 0 ends it at once', async () => {
  await manageWebhook(owner, systemId, 2);
  const { json } = await postWebhook({ owner, systemId }, 'secret/rotate');
  const hours = (Date.parse(json.data.previous_valid_until) - Date.now()) / 3_600_000;
  expect(Math.round(hours)).toBe(24);
  expect(
    (await postWebhook({ owner, systemId }, 'secret/rotate', { grace_seconds: 0 })).json.data
      .previous_valid_until,
  ).toBe(null);
  expect(
    await postWebhook({ owner, systemId }, 'secret/rotate', { grace_seconds: 604_801 }),
  ).toMatchObject({
    status: 422,
    json: { grace_seconds: ['The selected grace seconds is invalid.'] },
  });
});

test('a second rotation keeps only the newest of the previous secrets', async () => {
  await manageWebhook(owner, systemId, 2);
  const sealed = async () => {
    const [row] = await api.sql`
      select secret_encrypted, previous_secret_encrypted from subscription
      where inventory_system_id = ${systemId}::uuid`;
    return row;
  };
  await postWebhook({ owner, systemId }, 'secret/rotate');
  const between = await sealed();
  await postWebhook({ owner, systemId }, 'secret/rotate');
  expect((await sealed())?.['previousSecretEncrypted']).toEqual(between?.['secretEncrypted']);
});

test('a retry of a rotation after a crash does not rotate once more', async () => {
  await manageWebhook(owner, systemId, 2);
  const key = { 'idempotency-key': 'rotate-1' };
  const first = await postWebhook({ owner, systemId }, 'secret/rotate', {}, key);
  await crashBeforeAnswer();
  expect((await postWebhook({ owner, systemId }, 'secret/rotate', {}, key)).json).toEqual(
    first.json,
  );
});
