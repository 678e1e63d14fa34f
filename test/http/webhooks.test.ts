import { isSecret } from '../../src/signing';
import { startTestApi, type TestApi, type TestCaller } from '../support/api';
import {
  createSystem,
  endDelivery,
  manageWebhook,
  nextPending,
  RECEIVER_URL,
} from '../support/inventory';

let api: TestApi;
let owner: TestCaller;
let systemId: string;

beforeAll(async () => {
  api = await startTestApi({ ACK_WAIT: '1s' });
});
afterAll(() => api.stop());

let made = 0;
beforeEach(async () => {
  owner = await api.user('inventory:create');
  systemId = await createSystem(owner, `System ${(made += 1)}`);
});

function post(verb: string, body: Record<string, unknown> = {}, headers?: Record<string, string>) {
  const select = { type: 2, inventory_system_id: systemId, ...body };
  return owner.post(`/inventory/system/webhook/${verb}`, select, headers);
}

async function crashBeforeAnswer(): Promise<void> {
  await api.sql`
    update idempotency_key set status = null, answer_encrypted = null, lease_until = now()
    where user_id = ${owner.userId}`;
}

test('a new webhook shows its secret, and only then', async () => {
  const first = await post('manage', { type: '2', url: RECEIVER_URL });
  expect(first).toMatchObject({
    status: 200,
    json: {
      message: 'Success.',
      data: { type: 2, inventory_system_id: systemId, url: RECEIVER_URL, state: 'enabled' },
    },
  });
  expect(isSecret(first.json.data.secret)).toBe(true);
  const changed = await post('manage', { url: `${RECEIVER_URL}/new` });
  expect(changed.json.data).toEqual({
    type: 2,
    inventory_system_id: systemId,
    url: `${RECEIVER_URL}/new`,
    state: 'enabled',
  });
});

test('a retry after a crash shows the secret of the webhook that its first try had made', async () => {
  const key = { 'idempotency-key': 'manage-1' };
  const first = await post('manage', { url: RECEIVER_URL }, key);
  await crashBeforeAnswer();
  const again = await post('manage', { url: RECEIVER_URL }, key);
  expect(again.json).toEqual(first.json);
});

test('secrets are not in the database in the clear', async () => {
  const secret = await manageWebhook(owner, systemId, 1);
  const dump = await api.sql`select s::text as row from subscription s`;
  expect(JSON.stringify(dump)).not.toContain(secret.slice(6, 20));
  const hex = Buffer.from(secret.slice(6), 'base64').toString('hex');
  expect(JSON.stringify(dump)).not.toContain(hex);
});

test('max_in_flight is 20 unless said, and stays when not said again', async () => {
  await post('manage', { url: RECEIVER_URL });
  const read = async () => {
    const [row] = await api.sql`
      select max_in_flight from subscription where inventory_system_id = ${systemId}::uuid`;
    return row?.['maxInFlight'];
  };
  expect(await read()).toBe(20);
  await post('manage', { url: RECEIVER_URL, max_in_flight: 7 });
  await post('manage', { url: RECEIVER_URL });
  expect(await read()).toBe(7);
  for (const max_in_flight of [0, 201]) {
    expect(await post('manage', { url: RECEIVER_URL, max_in_flight })).toMatchObject({
      status: 422,
      json: { max_in_flight: ['The selected max in flight is invalid.'] },
    });
  }
});

test('another URL clears what was known about the receiver, the same one does not', async () => {
  await post('manage', { url: RECEIVER_URL });
  await api.sql`
    update subscription set consecutive_failures = 12, failing_since = now(), paused_until = now() + interval '1 min'
    where inventory_system_id = ${systemId}::uuid`;
  const failures = async () => {
    const [row] = await api.sql`
      select consecutive_failures, paused_until from subscription
      where inventory_system_id = ${systemId}::uuid`;
    return row;
  };
  await post('manage', { url: RECEIVER_URL, max_in_flight: 3 });
  expect(await failures()).toMatchObject({ consecutiveFailures: 12 });
  await post('manage', { url: `${RECEIVER_URL}/moved` });
  expect(await failures()).toEqual({ consecutiveFailures: 0, pausedUntil: null });
});

test.each([
  ['http://10.0.0.1/hook'],
  ['https://user:password@example.com/hook'],
  ['https://example.com/hook#part'],
  ['ftp://example.com/hook'],
  ['https://169.254.169.254/latest'],
  ['https://[::1]/hook'],
])('the URL %s is not allowed', async (url) => {
  expect(await post('manage', { url })).toMatchObject({
    status: 422,
    json: { url: ['The url is not allowed.'] },
  });
});

test('plain http is refused unless the operator allows it', async () => {
  const strict = await startTestApi({ WEBHOOK_ALLOW_HTTP: 'false' });
  try {
    const user = await strict.user('inventory:create');
    const system = await createSystem(user, 'Strict');
    await expect(manageWebhook(user, system, 1)).rejects.toThrow('The url is not allowed.');
    await manageWebhook(user, system, 1, 'https://127.0.0.1:9/hook');
  } finally {
    await strict.stop();
  }
});

test('type, system and url each have their sentence', async () => {
  expect(await post('manage', { type: 3, url: 'nowhere' })).toMatchObject({
    status: 422,
    json: { type: ['The selected type is invalid.'], url: ['The url format is invalid.'] },
  });
  const stranger = await api.user('inventory:create');
  const foreign = await createSystem(stranger, `Foreign ${made}`);
  expect(
    await post('manage', { inventory_system_id: foreign, url: RECEIVER_URL }),
  ).toMatchObject({
    status: 422,
    json: { inventory_system_id: ['The selected inventory system id is invalid.'] },
  });
});

test('a rotated secret is shown, and the one before signs until its grace ends', async () => {
  const old = await manageWebhook(owner, systemId, 2);
  const before = Date.now();
  const { status, json } = await post('secret/rotate', { grace_seconds: 60 });
  expect(status).toBe(200);
  expect(isSecret(json.data.secret)).toBe(true);
  expect(json.data.secret).not.toBe(old);
  const until = Date.parse(json.data.previous_valid_until) - before;
  expect(until).toBeGreaterThan(55_000);
  expect(until).toBeLessThan(65_000);
});

test('a day is the grace unless said, and none means at once', async () => {
  await manageWebhook(owner, systemId, 2);
  const { json } = await post('secret/rotate');
  const hours = (Date.parse(json.data.previous_valid_until) - Date.now()) / 3_600_000;
  expect(Math.round(hours)).toBe(24);
  expect((await post('secret/rotate', { grace_seconds: 0 })).json.data.previous_valid_until).toBe(
    null,
  );
  expect(await post('secret/rotate', { grace_seconds: 604_801 })).toMatchObject({
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
  await post('secret/rotate');
  const between = await sealed();
  await post('secret/rotate');
  expect((await sealed())?.['previousSecretEncrypted']).toEqual(between?.['secretEncrypted']);
});

test('a retry of a rotation after a crash does not rotate once more', async () => {
  await manageWebhook(owner, systemId, 2);
  const key = { 'idempotency-key': 'rotate-1' };
  const first = await post('secret/rotate', {}, key);
  await crashBeforeAnswer();
  expect((await post('secret/rotate', {}, key)).json).toEqual(first.json);
});

test('disabling and enabling answer the subscription, with the reason', async () => {
  await manageWebhook(owner, systemId, 2);
  const subscription = { type: 2, inventory_system_id: systemId, url: RECEIVER_URL };
  expect(await post('disable')).toMatchObject({
    status: 200,
    json: { data: { ...subscription, state: 'disabled', disabled_reason: 'manual' } },
  });
  expect((await post('manage', { url: RECEIVER_URL })).json.data.state).toBe('disabled');
  expect(await post('enable')).toMatchObject({
    status: 200,
    json: { data: { ...subscription, state: 'enabled', disabled_reason: null } },
  });
});

test('what disabled a webhook first stays the reason until it is enabled', async () => {
  await manageWebhook(owner, systemId, 2);
  await api.sql`
    update subscription set state = 'disabled', disabled_reason = 'gone'
    where inventory_system_id = ${systemId}::uuid`;
  expect((await post('disable')).json.data.disabled_reason).toBe('gone');
});

test('enabling makes what waits for a retry due by its age and forgets the failures', async () => {
  await manageWebhook(owner, systemId, 2);
  await post('disable');
  await post('test');
  await api.sql`update delivery set due_at = now() + interval '6 h'`;
  await api.sql`update subscription set consecutive_failures = 9, failing_since = now()`;
  await post('enable');
  const [row] = await api.sql`
    select d.due_at = d.created_at as by_age, s.consecutive_failures, s.failing_since
    from delivery d join subscription s using (subscription_id)
    where s.inventory_system_id = ${systemId}::uuid`;
  expect(row).toEqual({ byAge: true, consecutiveFailures: 0, failingSince: null });
});

test.each(['enable', 'disable', 'secret/rotate', 'test'])(
  '%s of a webhook that is not registered is 404',
  async (verb) => {
    expect(await post(verb)).toMatchObject({
      status: 404,
      json: { message: ['The webhook was not found.'], data: null },
    });
  },
);

test('a test goes the normal way, with zero quantities, and answers its delivery', async () => {
  await manageWebhook(owner, systemId, 2);
  const answer = post('test');
  const deliveryId = await nextPending(api.sql, systemId);
  await endDelivery(api.sql, deliveryId, { state: 'acknowledged', status: 204 });
  const { status, json } = await answer;
  expect(status).toBe(200);
  expect(json.data).toMatchObject({
    delivery_id: deliveryId,
    inventory_system_id: systemId,
    type: 2,
    store_id: null,
    state: 'acknowledged',
    attempts_made: 1,
    next_attempt_at: null,
    receiver_status: 204,
    attempts: [{ number: 1, duration_ms: 12, status: 204, error: null, response: null }],
  });
  const [row] = await api.sql<{ payload: object }[]>`
    select payload from delivery where delivery_id = ${deliveryId}`;
  expect(row?.payload).toMatchObject({ current_stock: '0', quantity: '0' });
});

test('a test of type 1 has empty lists, and is answered pending when nobody answers in time', async () => {
  await manageWebhook(owner, systemId, 1);
  const { status, json } = await post('test', { type: 1 });
  expect(status).toBe(200);
  expect(json.data).toMatchObject({ type: 1, state: 'pending', attempts: [] });
  const [row] = await api.sql<{ payload: object }[]>`
    select payload from delivery where delivery_id = ${json.data.delivery_id}`;
  expect(row?.payload).toEqual({
    inventory_system_id: systemId,
    units: [],
    items: [],
    suppliers: [],
    store_id: 'test',
  });
});
