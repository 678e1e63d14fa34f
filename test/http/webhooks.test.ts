import { startTestApi, type TestApi, type TestCaller } from '../support/api';
import {
  createSystem,
  endDelivery,
  manageWebhook,
  nextPending,
  postWebhook,
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

async function maxInFlight(): Promise<unknown> {
  const [row] = await api.sql`
    select max_in_flight from subscription where inventory_system_id = ${systemId}::uuid`;
  return row?.['maxInFlight'];
}

test('max_in_flight is 20 by default, and stays when omitted', async () => {
  await postWebhook({ owner, systemId }, 'manage', { url: RECEIVER_URL });
  expect(await maxInFlight()).toBe(20);
  await postWebhook({ owner, systemId }, 'manage', { url: RECEIVER_URL, max_in_flight: 7 });
  await postWebhook({ owner, systemId }, 'manage', { url: RECEIVER_URL });
  expect(await maxInFlight()).toBe(7);
  for (const max_in_flight of [0, 201]) {
    expect(
      await postWebhook({ owner, systemId }, 'manage', { url: RECEIVER_URL, max_in_flight }),
    ).toMatchObject({
      status: 422,
      json: { max_in_flight: ['The selected max in flight is invalid.'] },
    });
  }
});

/** What the answer says of `max_per_second`. */
async function managedPace(settings: object): Promise<unknown> {
  const { json } = await postWebhook({ owner, systemId }, 'manage', {
    url: RECEIVER_URL,
    ...settings,
  });
  return json.data.max_per_second;
}

test('max_per_second is unlimited by default, stays when omitted, and is removed by null', async () => {
  expect(await managedPace({})).toBeNull();
  expect(await managedPace({ max_per_second: 1_000 })).toBe(1_000);
  expect(await managedPace({})).toBe(1_000);
  expect(await managedPace({ max_per_second: 1 })).toBe(1);
  expect(await managedPace({ max_per_second: null })).toBeNull();
});

test('a new URL clears the receiver’s record, the same one does not', async () => {
  await postWebhook({ owner, systemId }, 'manage', { url: RECEIVER_URL });
  await api.sql`
    update subscription set consecutive_failures = 12, failing_since = now(), paused_until = now() + interval '1 min'
    where inventory_system_id = ${systemId}::uuid`;
  const failures = async () => {
    const [row] = await api.sql`
      select consecutive_failures, paused_until from subscription
      where inventory_system_id = ${systemId}::uuid`;
    return row;
  };
  await postWebhook({ owner, systemId }, 'manage', { url: RECEIVER_URL, max_in_flight: 3 });
  expect(await failures()).toMatchObject({ consecutiveFailures: 12 });
  await postWebhook({ owner, systemId }, 'manage', { url: `${RECEIVER_URL}/moved` });
  expect(await failures()).toEqual({ consecutiveFailures: 0, pausedUntil: null });
});

test.each([
  ['http://10.0.0.1/hook', 'The address 10.0.0.1 is not public.'],
  [
    'https://user:password@example.com/hook',
    'User and password do not belong in a url: send them in headers, as "authorization".',
  ],
  [
    'https://example.com/hook#part',
    'A fragment is never sent: leave out "#" and what is behind it.',
  ],
  ['ftp://example.com/hook', 'It must begin with https://.'],
  ['https://169.254.169.254/latest', 'The address 169.254.169.254 is not public.'],
  ['https://[::1]/hook', 'The address ::1 is not public.'],
])('the URL %s is not allowed, and a program is told why', async (url, hint) => {
  const detail = 'The url is not allowed.';
  expect(await postWebhook({ owner, systemId }, 'manage', { url })).toMatchObject({
    status: 422,
    json: { url: [detail] },
  });
  const problem = { accept: 'application/problem+json' };
  expect(await postWebhook({ owner, systemId }, 'manage', { url }, problem)).toMatchObject({
    json: { errors: [{ pointer: '/url', detail, hint }] },
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

test('type, system and url each have their message', async () => {
  expect(
    await postWebhook({ owner, systemId }, 'manage', { type: 3, url: 'nowhere' }),
  ).toMatchObject({
    status: 422,
    json: { type: ['The selected type is invalid.'], url: ['The url format is invalid.'] },
  });
  const stranger = await api.user('inventory:create');
  const foreign = await createSystem(stranger, `Foreign ${made}`);
  expect(
    await postWebhook({ owner, systemId }, 'manage', {
      inventory_system_id: foreign,
      url: RECEIVER_URL,
    }),
  ).toMatchObject({
    status: 422,
    json: { inventory_system_id: ['The selected inventory system id is invalid.'] },
  });
});

test('disabling and enabling answer the subscription, with the reason', async () => {
  await manageWebhook(owner, systemId, 2);
  const subscription = { type: 2, inventory_system_id: systemId, url: RECEIVER_URL };
  expect(await postWebhook({ owner, systemId }, 'disable')).toMatchObject({
    status: 200,
    json: { data: { ...subscription, state: 'disabled', disabled_reason: 'manual' } },
  });
  expect(
    (await postWebhook({ owner, systemId }, 'manage', { url: RECEIVER_URL })).json.data.state,
  ).toBe('disabled');
  expect(await postWebhook({ owner, systemId }, 'enable')).toMatchObject({
    status: 200,
    json: { data: { ...subscription, state: 'enabled', disabled_reason: null } },
  });
});

test('the first reason for disabling a webhook stays until it is enabled', async () => {
  await manageWebhook(owner, systemId, 2);
  await api.sql`
    update subscription set state = 'disabled', disabled_reason = 'gone'
    where inventory_system_id = ${systemId}::uuid`;
  expect((await postWebhook({ owner, systemId }, 'disable')).json.data.disabled_reason).toBe(
    'gone',
  );
});

test('enabling makes waiting retries due by their age and clears the failures', async () => {
  await manageWebhook(owner, systemId, 2);
  await postWebhook({ owner, systemId }, 'disable');
  await postWebhook({ owner, systemId }, 'test');
  await api.sql`update delivery set due_at = now() + interval '6 h'`;
  await api.sql`update subscription set consecutive_failures = 9, failing_since = now()`;
  await postWebhook({ owner, systemId }, 'enable');
  const [row] = await api.sql`
    select d.due_at = d.created_at as by_age, s.consecutive_failures, s.failing_since
    from delivery d join subscription s using (subscription_id)
    where s.inventory_system_id = ${systemId}::uuid`;
  expect(row).toEqual({ byAge: true, consecutiveFailures: 0, failingSince: null });
});

test.each(['enable', 'disable', 'secret/rotate', 'test'])(
  '%s of a webhook that is not registered is 404',
  async (verb) => {
    expect(await postWebhook({ owner, systemId }, verb)).toMatchObject({
      status: 404,
      json: { message: ['The webhook was not found.'], data: null },
    });
  },
);

test('a test goes the normal way, with zero quantities, and returns its delivery', async () => {
  await manageWebhook(owner, systemId, 2);
  const answer = postWebhook({ owner, systemId }, 'test');
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
    select payload from any_delivery where delivery_id = ${deliveryId}`;
  expect(row?.payload).toMatchObject({ current_stock: '0', quantity: '0' });
});

test('a test of type 1 has empty lists, and is returned pending without a timely answer', async () => {
  await manageWebhook(owner, systemId, 1);
  const { status, json } = await postWebhook({ owner, systemId }, 'test', { type: 1 });
  expect(status).toBe(200);
  expect(json.data).toMatchObject({ type: 1, state: 'pending', attempts: [] });
  const [row] = await api.sql<{ payload: object }[]>`
    select payload from any_delivery where delivery_id = ${json.data.delivery_id}`;
  expect(row?.payload).toEqual({
    inventory_system_id: systemId,
    units: [],
    items: [],
    suppliers: [],
    store_id: 'test',
  });
});
