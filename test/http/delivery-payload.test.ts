import { startTestApi, type TestApi } from '../support/api';
import {
  createLinkedStore,
  endDelivery,
  type LinkedStore,
  STOCK_EVENT,
} from '../support/inventory';
import { undescribed } from '../support/openapi-reader';

let api: TestApi;
let linked: LinkedStore;
beforeAll(async () => {
  api = await startTestApi({ ACK_WAIT: '100ms' });
  linked = await createLinkedStore(api, 'Sent');
});
afterAll(() => api.stop());

const DELIVERIES = '/webhooks/deliveries';

/** Sends item data with this JSON as its items; the id of the delivery. */
async function sendItems(items: string): Promise<string> {
  const path = `/pos/store/${linked.storeId}/inventory/items`;
  const body = `{"units":[],"suppliers":[],"items":${items}}`;
  const { json } = await linked.owner.postRaw(path, body, { 'content-type': 'application/json' });
  return json.data.deliveries[0].delivery_id;
}

async function attempted(deliveryId: string, state: 'pending' | 'delivered' = 'delivered') {
  await endDelivery(api.sql, deliveryId, { state, status: 200 });
  const { json } = await linked.owner.get(`${DELIVERIES}/${deliveryId}`);
  const last: string = json.data.attempts.at(-1).started_at;
  return { json, now: `${last.slice(0, 19)}.000Z` };
}

test('nothing was sent before the first attempt', async () => {
  const deliveryId = await sendItems('[]');
  const answer = await linked.owner.get(`${DELIVERIES}/${deliveryId}`);
  expect(answer.json.data).toMatchObject({ payload: null, payload_url: null });
  expect(undescribed('getDelivery', answer)).toEqual([]);
  expect(await linked.owner.get(`${DELIVERIES}/${deliveryId}/payload`)).toMatchObject({
    status: 404,
    json: { message: ['The delivery has no payload.'], data: null },
  });
});

test('what was sent last is answered to the last digit, with the now of that attempt', async () => {
  const items = '[{"price":1.50,"code":12345678901234567890,"name":"Ñ"}]';
  const deliveryId = await sendItems(items);
  for (const state of ['pending', 'delivered'] as const) {
    const { now } = await attempted(deliveryId, state);
    const sent =
      `{"now":"${now}","inventory_system_id":"${linked.systemId}","units":[],"items":${items},` +
      '"suppliers":[],"store_id":"ext-1"}';
    const whole = await linked.owner.get(`${DELIVERIES}/${deliveryId}`);
    expect(whole.text).toContain(`"payload_url":null,"payload":${sent}}`);
    expect(undescribed('getDelivery', whole)).toEqual([]);
    const { status, text } = await linked.owner.get(`${DELIVERIES}/${deliveryId}/payload`);
    expect(status).toBe(200);
    expect(text).toBe(`{"message":"Success.","data":${sent}}`);
    const byMessage = deliveryId.replace('dlv_', 'msg_');
    expect((await linked.owner.get(`${DELIVERIES}/${byMessage}/payload`)).text).toBe(text);
  }
});

test('a stock movement is shown too', async () => {
  const path = `/pos/store/${linked.storeId}/inventory/stock`;
  const { json } = await linked.owner.post(path, STOCK_EVENT);
  const sent = await attempted(json.data.deliveries[0].delivery_id, 'pending');
  expect(sent.json.data.payload).toEqual({
    now: sent.now,
    inventory_system_id: linked.systemId,
    ...STOCK_EVENT,
    store_id: 'ext-1',
  });
});

test('one over 256 KB has a URL of its own', async () => {
  const around = `{"now":"2026-11-21T12:40:37.000Z","inventory_system_id":"${linked.systemId}","units":[],"items":[""],"suppliers":[],"store_id":"ext-1"}`;
  const most = 'x'.repeat(256 * 1024 - around.length);
  const small = await attempted(await sendItems(`["${most}"]`));
  expect(small.json.data.payload.items).toEqual([most]);
  const deliveryId = await sendItems(`["${most}x"]`);
  const { json } = await attempted(deliveryId);
  expect(json.data).toMatchObject({
    payload: null,
    payload_url: `/api/v1/webhooks/deliveries/${deliveryId}/payload`,
  });
  const { json: large } = await linked.owner.get(json.data.payload_url.replace('/api/v1', ''));
  expect(large.data.items).toEqual([`${most}x`]);
});

test('who does not see the delivery does not see its payload', async () => {
  const deliveryId = await sendItems('[]');
  await attempted(deliveryId);
  const stranger = await api.user();
  const missing = {
    status: 404,
    json: { message: ['The delivery was not found.'], data: null },
  };
  expect(await stranger.get(`${DELIVERIES}/${deliveryId}/payload`)).toMatchObject(missing);
  expect(await stranger.get(`${DELIVERIES}/dlv_1/payload`)).toMatchObject(missing);
  const operator = await api.user('operator');
  expect(await operator.get(`${DELIVERIES}/${deliveryId}/payload`)).toMatchObject({ status: 200 });
});
