import { startTestApi, type TestApi } from '../support/api';
import {
  createLinkedStore,
  endDelivery,
  ITEMS_EVENT,
  type LinkedStore,
} from '../support/inventory';

let api: TestApi;
let linked: LinkedStore;

beforeAll(async () => {
  api = await startTestApi({ ACK_WAIT: '1s' });
});
afterAll(() => api.stop());

let made = 0;
beforeEach(async () => {
  linked = await createLinkedStore(api, `System ${(made += 1)}`);
});

const LIST = '/webhooks/deliveries';

async function deliver(times = 1): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < times; i += 1) {
    const { json } = await linked.owner.post(
      `/pos/store/${linked.storeId}/inventory/items`,
      ITEMS_EVENT,
    );
    ids.push(json.data.deliveries[0].delivery_id);
  }
  return ids;
}

async function stateOf(deliveryId: string) {
  const [row] = await api.sql`
    select state, attempts_made, attempts_before_resend, due_at <= now() as due, lease_until
    from any_delivery where delivery_id = ${deliveryId}`;
  return row;
}

test('a delivery is shown with its attempts', async () => {
  const [deliveryId = ''] = await deliver();
  await endDelivery(api.sql, deliveryId, { state: 'pending', status: 503, message: 'Busy.' });
  const { status, json } = await linked.owner.get(`${LIST}/${deliveryId}`);
  expect(status).toBe(200);
  const byMessage = await linked.owner.get(`${LIST}/${deliveryId.replace('dlv_', 'msg_')}`);
  expect(byMessage.json).toEqual(json);
  expect(json.data).toEqual({
    delivery_id: deliveryId,
    inventory_system_id: linked.systemId,
    type: 1,
    store_id: linked.storeId,
    state: 'pending',
    attempts_made: 1,
    next_attempt_at: expect.stringMatching(/^\d{4}-.*Z$/),
    waiting_for: expect.objectContaining({
      reason: 'receiver_failing',
      message: 'Busy.',
      attempts: 1,
    }),
    created_at: expect.stringMatching(/^\d{4}-.*Z$/),
    finished_at: null,
    receiver_status: 503,
    message: 'Busy.',
    attempts: [
      {
        number: 1,
        started_at: expect.stringMatching(/Z$/),
        duration_ms: 12,
        status: 503,
        error: null,
        detail: null,
        response: 'Busy.',
      },
    ],
    payload_url: null,
    payload: expect.objectContaining(ITEMS_EVENT),
  });
});

test('the list is newest first, in pages that neither repeat nor leave out', async () => {
  const ids = await deliver(5);
  const seen: string[] = [];
  for (let cursor = ''; ;) {
    const query = cursor ? `&cursor=${cursor}` : '';
    const { json } = await linked.owner.get(`${LIST}?limit=2${query}`);
    expect(json.data.length).toBeLessThanOrEqual(2);
    seen.push(...json.data.map((each: { delivery_id: string }) => each.delivery_id));
    if (json.next_cursor === null) break;
    cursor = json.next_cursor;
  }
  expect(seen).toEqual(ids.toReversed());
});

test('system, type and state narrow the list', async () => {
  const [first = '', second = ''] = await deliver(2);
  await endDelivery(api.sql, first, { state: 'delivered', status: 200 });
  const list = async (query: string) => {
    const { json } = await linked.owner.get(`${LIST}?${query}`);
    return json.data.map((each: { delivery_id: string }) => each.delivery_id);
  };
  expect(await list('state=delivered')).toEqual([first]);
  expect(await list('state=pending&type=1')).toEqual([second]);
  expect(await list('type=2')).toEqual([]);
  expect(await list(`inventory_system_id=${linked.systemId}`)).toEqual([second, first]);
  expect(await list('inventory_system_id=00000000-0000-0000-0000-000000000000')).toEqual([]);
});

test('a wrong query has its message', async () => {
  expect(await linked.owner.get(`${LIST}?state=lost&limit=0&type=3`)).toMatchObject({
    status: 422,
    json: {
      state: ['The selected state is invalid.'],
      limit: ['The selected limit is invalid.'],
      type: ['The selected type is invalid.'],
    },
  });
  expect(await linked.owner.get(`${LIST}?cursor=nonsense`)).toMatchObject({
    status: 422,
    json: { cursor: ['The selected cursor is invalid.'] },
  });
  expect(await linked.owner.get(`${LIST}?inventory_system_id=x`)).toMatchObject({
    status: 422,
    json: { inventory_system_id: ['The selected inventory system id is invalid.'] },
  });
});

test('the owner of the system, a user of the store and an operator see a delivery, others do not', async () => {
  const [deliveryId = ''] = await deliver();
  const storeUser = await api.user();
  await api.sql`
    insert into user_store (user_id, store_id) values (${storeUser.userId}, ${linked.storeId}::bigint)`;
  const operator = await api.user('operator');
  const stranger = await api.user('inventory:create', 'pos:events');
  for (const viewer of [linked.owner, storeUser, operator]) {
    expect((await viewer.get(`${LIST}/${deliveryId}`)).status).toBe(200);
    const { json } = await viewer.get(`${LIST}?limit=1`);
    expect(json.data[0].delivery_id).toBe(deliveryId);
  }
  expect(await stranger.get(`${LIST}/${deliveryId}`)).toMatchObject({
    status: 404,
    json: { message: ['The delivery was not found.'], data: null },
  });
  expect((await stranger.get(LIST)).json.data).toEqual([]);
  expect((await stranger.post(`${LIST}/${deliveryId}/resend`, {})).status).toBe(404);
  expect((await linked.owner.get(`${LIST}/dlv_nonsense`)).status).toBe(404);
});

test('a resent delivery is the same one, due now, with a new retry budget', async () => {
  const [deliveryId = ''] = await deliver();
  await endDelivery(api.sql, deliveryId, { state: 'exhausted', status: 500 });
  const answer = await linked.owner.post(`${LIST}/${deliveryId}/resend`, {});
  expect(answer).toMatchObject({ status: 202, json: { data: { delivery_id: deliveryId } } });
  expect(await stateOf(deliveryId)).toEqual({
    state: 'pending',
    attemptsMade: 1,
    attemptsBeforeResend: 1,
    due: true,
    leaseUntil: null,
  });
  const { json } = await linked.owner.get(`${LIST}/${deliveryId}`);
  expect(json.data).toMatchObject({ finished_at: null, receiver_status: 500 });
});

test('a resend needs no body, and under an idempotency key happens once', async () => {
  const [deliveryId = ''] = await deliver();
  await endDelivery(api.sql, deliveryId, { state: 'refused', status: 422, message: 'No.' });
  const key = { 'idempotency-key': 'resend-1' };
  const resend = () =>
    fetch(`${api.url}/api/v1${LIST}/${deliveryId}/resend`, {
      method: 'POST',
      headers: { authorization: `Bearer ${linked.owner.token}`, ...key },
    });
  expect((await resend()).status).toBe(202);
  await endDelivery(api.sql, deliveryId, { state: 'acknowledged', status: 204 });
  // The process of the first try died before it could keep the answer.
  await api.sql`
    update idempotency_key set status = null, answer_encrypted = null, lease_until = now()`;
  expect((await resend()).status).toBe(202);
  expect(await stateOf(deliveryId)).toMatchObject({ state: 'acknowledged' });
});

test('a resent pending delivery is tried now, and an attempt in progress keeps its lease', async () => {
  const [deliveryId = ''] = await deliver();
  await api.sql`
    update delivery set due_at = now() + interval '6 h', attempts_made = 7,
      lease_epoch = 1, lease_until = now() + interval '30 s'
    where delivery_id = ${deliveryId}`;
  await linked.owner.post(`${LIST}/${deliveryId}/resend`, {});
  expect(await stateOf(deliveryId)).toEqual({
    state: 'pending',
    attemptsMade: 7,
    attemptsBeforeResend: 7,
    due: true,
    leaseUntil: expect.any(Date),
  });
});

test('a dry run counts what a resend by filter would send, never pending deliveries', async () => {
  const [one = '', two = '', , four = ''] = await deliver(4);
  await endDelivery(api.sql, one, { state: 'exhausted', status: 500 });
  await endDelivery(api.sql, two, { state: 'exhausted', status: 500 });
  await endDelivery(api.sql, four, { state: 'delivered', status: 200 });
  const filter = { inventory_system_id: linked.systemId, type: '1', state: 'exhausted' };
  expect(await linked.owner.post(`${LIST}/resend`, { ...filter, dry_run: true })).toMatchObject({
    status: 200,
    json: { message: 'Success.', data: { count: 2 } },
  });
  expect(await stateOf(one)).toMatchObject({ state: 'exhausted' });
  expect(await linked.owner.post(`${LIST}/resend`, filter)).toMatchObject({
    status: 202,
    json: { message: 'Success.', data: { count: 2 } },
  });
  expect(await stateOf(one)).toMatchObject({ state: 'pending', due: true });
  expect(await stateOf(two)).toMatchObject({ state: 'pending' });
  expect(await stateOf(four)).toMatchObject({ state: 'delivered' });
  const pending = { ...filter, state: 'pending' };
  expect((await linked.owner.post(`${LIST}/resend`, pending)).json.data.count).toBe(0);
});

test('a resend by filter reaches the caller’s own systems only', async () => {
  const [deliveryId = ''] = await deliver();
  await endDelivery(api.sql, deliveryId, { state: 'exhausted', status: 500 });
  const storeUser = await api.user();
  await api.sql`
    insert into user_store (user_id, store_id) values (${storeUser.userId}, ${linked.storeId}::bigint)`;
  expect((await storeUser.post(`${LIST}/resend`, {})).json.data.count).toBe(0);
  expect(
    await storeUser.post(`${LIST}/resend`, { inventory_system_id: linked.systemId }),
  ).toMatchObject({
    status: 422,
    json: { inventory_system_id: ['The selected inventory system id is invalid.'] },
  });
  expect(await stateOf(deliveryId)).toMatchObject({ state: 'exhausted' });
});

/** The most rows of one insert: a busy machine must do it within the API's statement timeout. */
const CHUNK = 5_000;

/** Ended copies of a waiting delivery, by the digit that their ids begin with; those of these numbers acknowledged, others exhausted. */
async function addEnded(deliveryId: string, digit: number, count: number, acknowledged: number[]) {
  for (let first = 1; first <= count; first += CHUNK) {
    await api.sql`
      insert into ended_delivery (delivery_id, subscription_id, inventory_system_id, type, payload, sequence,
        state, request_id, user_id, created_at, finished_at, attempts_made, attempts_before_resend, attempts)
      select 'dlv_' || ${digit}::int || lpad(to_hex(n), 31, '0'), subscription_id, inventory_system_id, type,
        payload, n, case when n = any(${acknowledged}::int[]) then 'acknowledged' else 'exhausted' end, request_id,
        user_id, now(), now() - interval '1 s', 0, 0, '{}'
      from delivery, generate_series(${first}::int, ${Math.min(first + CHUNK - 1, count)}::int) as n
      where delivery_id = ${deliveryId}`;
  }
}

test('a resend by filter takes thousands, each once', async () => {
  const [deliveryId = ''] = await deliver();
  await addEnded(deliveryId, 0, 2_500, []);
  const filter = { inventory_system_id: linked.systemId, state: 'exhausted' };
  expect((await linked.owner.post(`${LIST}/resend`, filter)).json.data.count).toBe(2500);
  expect((await linked.owner.post(`${LIST}/resend`, filter)).json.data.count).toBe(0);
});

test('a resend by filter finds the few that match on both sides of many that do not', async () => {
  const [deliveryId = ''] = await deliver();
  await addEnded(deliveryId, 1, 41_000, [1, 2, 41_000]);
  const filter = { inventory_system_id: linked.systemId, state: 'acknowledged' };
  const dry = await linked.owner.post(`${LIST}/resend`, { ...filter, dry_run: true });
  expect(dry.json.data.count).toBe(3);
  expect((await linked.owner.post(`${LIST}/resend`, filter)).json.data.count).toBe(3);
  await api.sql`delete from ended_delivery where delivery_id like 'dlv_1000%'`;
});
