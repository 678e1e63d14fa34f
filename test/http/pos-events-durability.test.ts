import { startTestApi, type TestApi } from '../support/api';
import {
  createLinkedStore,
  endDelivery,
  ITEMS_EVENT,
  type LinkedStore,
  payloadsFor,
  sendEvent,
  STOCK_EVENT,
} from '../support/inventory';
import { until } from '../support/until';

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

test('a repeat with the same idempotency key makes no second delivery and gets the same answer', async () => {
  const key = { 'idempotency-key': 'event-1' };
  const first = await sendEvent(linked, 'items', ITEMS_EVENT, key);
  const again = await sendEvent(linked, 'items', ITEMS_EVENT, key);
  expect(again.text).toBe(first.text);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect(await payloadsFor(api.sql, linked)).toHaveLength(1);
});

test('a retry after a crash continues with the deliveries of its first try', async () => {
  const key = { 'idempotency-key': 'event-2' };
  const { json } = await sendEvent(linked, 'stock', STOCK_EVENT, key);
  const [{ delivery_id: deliveryId }] = json.data.deliveries;
  // As if the process had died between writing the rows and keeping the answer.
  await api.sql`
    update idempotency_key set status = null, answer_encrypted = null, lease_until = now()
    where key = 'event-2'`;
  await endDelivery(api.sql, deliveryId, { state: 'acknowledged', status: 204 });
  const again = await sendEvent(linked, 'stock', STOCK_EVENT, key);
  expect(again.status).toBe(200);
  expect(again.json.data.deliveries[0].delivery_id).toBe(deliveryId);
  expect(await payloadsFor(api.sql, linked)).toHaveLength(1);
});

async function isOut(): Promise<boolean | undefined> {
  const [level] = await api.sql<{ isOut: boolean }[]>`
    select is_out from stock_level where store_id = ${linked.storeId}::bigint`;
  return level?.isOut;
}
async function isSettled(): Promise<boolean> {
  const waiting = await api.sql`
    select from stock_movement where store_id = ${linked.storeId}::bigint`;
  return waiting.length === 0;
}

describe.each([
  ['', true],
  [' without systems', false],
])('in a store%s whose stock decides what is on sale', (_, hasSystem) => {
  test('a retry after a crash does not count as a later movement', async () => {
    const { owner, storeId, systemId } = linked;
    await owner.patch(`/store/${storeId}`, { availability_from_stock: 'on' });
    if (!hasSystem) await owner.remove(`/inventory/system/${systemId}`);
    const key = { 'idempotency-key': `movement-${storeId}` };
    const out = { ...STOCK_EVENT, current_stock: '0' };
    const first = await sendEvent(linked, 'stock', out, key);
    await until(async () => (await isOut()) === true && (await isSettled()));
    await api.sql`
      update idempotency_key set status = null, answer_encrypted = null, lease_until = now()
      where key = ${`movement-${storeId}`}`;
    await sendEvent(linked, 'stock', STOCK_EVENT);
    await until(async () => (await isOut()) === false && (await isSettled()));
    const again = await sendEvent(linked, 'stock', out, key);
    expect([again.status, again.text]).toEqual([first.status, first.text]);
    await until(isSettled);
    expect(await isOut()).toBe(false);
  });
});

test('while Temporal is away an event is accepted, and its caller need not wait for it', async () => {
  const alone = await startTestApi({ ACK_WAIT: '20s', TEMPORAL_ADDRESS: '127.0.0.1:1' });
  try {
    const { owner, storeId } = await createLinkedStore(alone, 'Alone');
    const before = Date.now();
    const { status, json } = await owner.post(`/pos/store/${storeId}/inventory/stock`, STOCK_EVENT);
    expect(status).toBe(202);
    expect(Date.now() - before).toBeLessThan(10_000);
    expect(json.data.deliveries[0].state).toBe('pending');
  } finally {
    await alone.stop();
  }
});
