import { newId } from '../../src/platform/ids';
import { startTestApi, type TestApi, type TestCaller } from '../support/api';
import {
  createLinkedStore,
  createSystem,
  endDelivery,
  ITEMS_EVENT,
  type LinkedStore,
  postWebhook,
  RECEIVER_URL,
  sendEvent,
} from '../support/inventory';
import { undescribed } from '../support/openapi-reader';

let api: TestApi;
let linked: LinkedStore;

beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());

let made = 0;
beforeEach(async () => {
  linked = await createLinkedStore(api, `System ${(made += 1)}`);
});

function list(caller: TestCaller = linked.owner, systemId: string = linked.systemId) {
  return caller.get(`/inventory/system/${systemId}/webhook`);
}

const healthOf = async (type: 1 | 2) => {
  const { json } = await list();
  return json.data.find((each: { type: number }) => each.type === type).health;
};

async function deliver(): Promise<string> {
  const { json } = await sendEvent(linked, 'items', ITEMS_EVENT);
  return json.data.deliveries[0].delivery_id;
}

const UNTRIED = {
  consecutive_failures: 0,
  failing_since: null,
  paused_until: null,
  pending: 0,
  oldest_pending_at: null,
  last_success_at: null,
  attempts_1h: 0,
  failures_1h: 0,
  p50_ms: null,
  p99_ms: null,
};

test('the webhooks of a system are shown with their settings, never with a secret', async () => {
  const { systemId, owner } = linked;
  const secret = 'a key of the receiver';
  await postWebhook(linked, 'manage', {
    url: `${RECEIVER_URL}/2`,
    max_in_flight: 7,
    headers: { 'X-Api-Key': secret },
  });
  const answer = await list();
  const settings = { state: 'enabled', disabled_reason: null, health: UNTRIED };
  expect(answer.json).toEqual({
    message: 'Success.',
    data: [
      {
        type: 1,
        url: RECEIVER_URL,
        max_in_flight: 20,
        max_per_second: null,
        header_names: [],
        ...settings,
      },
      {
        type: 2,
        url: `${RECEIVER_URL}/2`,
        max_in_flight: 7,
        max_per_second: null,
        header_names: ['X-Api-Key'],
        ...settings,
      },
    ],
    next_cursor: null,
  });
  expect(answer.text).not.toMatch(/whsec_|a key of/);
  expect(undescribed('listWebhooks', answer)).toEqual([]);
  const page = await owner.get(`/inventory/system/${systemId}/webhook?limit=1`);
  const rest = await owner.get(
    `/inventory/system/${systemId}/webhook?cursor=${page.json.next_cursor}`,
  );
  expect([...page.json.data, ...rest.json.data]).toEqual(answer.json.data);
});

test('webhooks are shown to the system’s owner and to operators', async () => {
  expect((await list(await api.user('operator'))).json.data).toHaveLength(2);
  expect(await list(await api.user('inventory:create'))).toMatchObject({
    status: 404,
    json: { message: ['The inventory system was not found.'] },
  });
  const none = await createSystem(linked.owner, `None ${made}`);
  expect((await list(linked.owner, none)).json.data).toEqual([]);
});

test('the health shows what waits, the last success, and the attempts of the last hour', async () => {
  const [sent, tried, refused, waiting] = [
    await deliver(),
    await deliver(),
    await deliver(),
    await deliver(),
  ];
  await endDelivery(api.sql, sent, { state: 'delivered', status: 200 });
  await endDelivery(api.sql, tried, { state: 'pending', status: 500 });
  await endDelivery(api.sql, tried, { state: 'pending', status: 503 });
  await endDelivery(api.sql, refused, { state: 'pending', status: 500 });
  await endDelivery(api.sql, refused, { state: 'exhausted', status: 500 });
  await api.sql`update attempt set duration_ms = 100 * number where delivery_id = ${tried}`;
  await api.sql`
    update subscription set consecutive_failures = 3, failing_since = '2026-01-01T00:00:00Z',
      paused_until = '2026-01-01T00:01:00Z'
    where inventory_system_id = ${linked.systemId}::uuid and type = 1`;
  const [oldest] = await api.sql<{ createdAt: Date }[]>`
    select created_at from delivery where delivery_id = ${tried}`;
  const [last] = await api.sql<{ finishedAt: Date }[]>`
    select finished_at from ended_delivery where delivery_id = ${sent}`;
  expect(waiting).toMatch(/^dlv_/);
  expect(await healthOf(1)).toEqual({
    consecutive_failures: 3,
    failing_since: '2026-01-01T00:00:00.000Z',
    paused_until: '2026-01-01T00:01:00.000Z',
    pending: 2,
    oldest_pending_at: oldest?.createdAt.toISOString(),
    last_success_at: last?.finishedAt.toISOString(),
    attempts_1h: 5,
    failures_1h: 4,
    p50_ms: 12,
    p99_ms: 200,
  });
  expect(await healthOf(2)).toEqual(UNTRIED);
});

test('attempts of the last hour count, including those of older waiting deliveries', async () => {
  const [old, waiting] = [await deliver(), await deliver()];
  await endDelivery(api.sql, old, { state: 'delivered', status: 200 });
  await endDelivery(api.sql, waiting, { state: 'pending', status: 500 });
  await endDelivery(api.sql, waiting, { state: 'pending', status: 500 });
  await api.sql`
    update ended_delivery set attempts[1].started_at = now() - interval '61 min' where delivery_id = ${old}`;
  await api.sql`
    update attempt set started_at = started_at - interval '61 min'
    where delivery_id = ${waiting} and number = 1`;
  // Two hours old: its id says so.
  const aged = newId('dlv', Date.now() - 2 * 3_600_000);
  await api.sql`update delivery set delivery_id = ${aged} where delivery_id = ${waiting}`;
  await api.sql`update attempt set delivery_id = ${aged} where delivery_id = ${waiting}`;
  expect(await healthOf(1)).toMatchObject({ pending: 1, attempts_1h: 1, failures_1h: 1 });
});

test('a delivery that succeeded and is sent again has not failed before', async () => {
  const id = await deliver();
  await endDelivery(api.sql, id, { state: 'delivered', status: 200 });
  await linked.owner.post(`/webhooks/deliveries/${id}/resend`, {});
  await endDelivery(api.sql, id, { state: 'delivered', status: 200 });
  expect(await healthOf(1)).toMatchObject({ attempts_1h: 2, failures_1h: 0 });
});

test('the attempts of a busy webhook are estimated from its newest thousand deliveries', async () => {
  const id = await deliver();
  await endDelivery(api.sql, id, { state: 'delivered', status: 200 });
  // 3,000 in the last half hour: a sample of 1,000 covers ten minutes of it.
  await api.sql`
    insert into ended_delivery (delivery_id, subscription_id, inventory_system_id, type, store_id, sequence,
      payload, state, attempts_made, attempts_before_resend, request_id, user_id, created_at, finished_at,
      attempts)
    select 'dlv_' || lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || lpad(n::text, 20, '0'),
      subscription_id, inventory_system_id, type, store_id, n, payload, 'delivered', 1, 0,
      request_id, user_id, at, at, array[(1, at, 10, 200, null, null, null)::ended_attempt]
    from (select * from ended_delivery where delivery_id = ${id}) as source, generate_series(1, 3000) n,
      lateral (select now() - n * interval '600 ms' as at) as times`;
  const { attempts_1h: attempts, failures_1h: failures, p50_ms: median } = await healthOf(1);
  expect(attempts).toBeGreaterThan(5_900);
  expect(attempts).toBeLessThan(6_100);
  expect([failures, median]).toEqual([0, 10]);
});

function manage(body: object) {
  return postWebhook(linked, 'manage', { url: RECEIVER_URL, ...body });
}

describe('headers of a receiver', () => {
  test('stay when they are not given, and are removed by null or an empty object', async () => {
    const given = await manage({ headers: { 'X-Api-Key': '1', Authorization: 'Basic eA==' } });
    expect(given.json.data.header_names).toEqual(['X-Api-Key', 'Authorization']);
    expect(undescribed('manageWebhook', given)).toEqual([]);
    const kept = await manage({ max_in_flight: 3 });
    expect(kept.json.data.header_names).toEqual(['X-Api-Key', 'Authorization']);
    for (const none of [null, {}]) {
      await manage({ headers: { 'X-Api-Key': '2' } });
      expect((await manage({ headers: none })).json.data.header_names).toEqual([]);
    }
    const [row] = await api.sql`
      select headers_encrypted from subscription
      where inventory_system_id = ${linked.systemId}::uuid and type = 2`;
    expect(row).toEqual({ headersEncrypted: null });
  });

  test('are not readable in the database, nor in any answer', async () => {
    const value = 'a very secret key';
    const systemId = await createSystem(linked.owner, `Sealed ${made}`);
    const answer = await postWebhook(
      { owner: linked.owner, systemId },
      'manage',
      { url: RECEIVER_URL, headers: { 'X-Api-Key': value } },
      { 'idempotency-key': 'sealed' },
    );
    expect(answer.json.data).toMatchObject({
      header_names: ['X-Api-Key'],
      secret: expect.any(String),
    });
    const rows = await api.sql<{ text: string }[]>`
      select s::text as text from subscription s
      where inventory_system_id = ${systemId}::uuid
      union all select k::text from idempotency_key k`;
    for (const { text } of [answer, await list(linked.owner, systemId), ...rows]) {
      expect(text).not.toContain(value);
      expect(text).not.toContain(Buffer.from(value).toString('hex'));
    }
  });

  test('that a receiver may not set change nothing', async () => {
    await manage({ headers: { 'X-Api-Key': '1' } });
    const refused = await manage({ max_in_flight: 9, headers: { Host: 'example.com' } });
    expect([refused.status, refused.json]).toEqual([
      422,
      { headers: ['The headers format is invalid.'] },
    ]);
    const { json } = await list();
    expect(json.data[1]).toMatchObject({ max_in_flight: 20, header_names: ['X-Api-Key'] });
  });
});
