import { ROW_DONE } from '../../src/platform/db/row-done';
import { startTestApi, type TestApi } from '../support/api';
import {
  createLinkedStore,
  createSystem,
  endDelivery,
  ITEMS_EVENT,
  linkStore,
  type LinkedStore,
  manageWebhook,
  nextPending,
  payloadsFor,
  sendEvent,
  STOCK_EVENT,
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

test('an acknowledged stock update is 200 as soon as the receiver has answered', async () => {
  const answer = sendEvent(linked, 'stock', STOCK_EVENT);
  const deliveryId = await nextPending(api.sql, linked.systemId);
  await endDelivery(api.sql, deliveryId, { state: 'acknowledged', status: 204 });
  expect(await answer).toMatchObject({
    status: 200,
    json: {
      message: 'Stock update acknowledged.',
      data: {
        deliveries: [
          {
            delivery_id: deliveryId,
            inventory_system_id: linked.systemId,
            state: 'acknowledged',
            receiver_status: 204,
            message: null,
          },
        ],
      },
    },
  });
});

test('an acknowledgement carried by the notice needs no query', async () => {
  const answer = sendEvent(linked, 'stock', STOCK_EVENT);
  const deliveryId = await nextPending(api.sql, linked.systemId);
  // The row stays pending, so a look at it would leave the caller waiting.
  await api.sql`select pg_notify(${ROW_DONE}, ${`dlv_other,${deliveryId}:204`})`;
  const { status, json } = await answer;
  expect(status).toBe(200);
  expect(json.data.deliveries[0]).toMatchObject({ state: 'acknowledged', receiver_status: 204 });
});

test('a caller who prefers so does not wait for the outcome', async () => {
  const startedAt = performance.now();
  const { status, json } = await sendEvent(linked, 'stock', STOCK_EVENT, {
    prefer: 'respond-async',
  });
  expect(performance.now() - startedAt).toBeLessThan(900);
  expect([status, json.message]).toEqual([202, 'Stock update pending.']);
  expect(json.data.deliveries[0]).toMatchObject({ state: 'pending' });
});

test('a refused stock update is 409 with the receiver’s message and the deliveries', async () => {
  const answer = sendEvent(linked, 'stock', STOCK_EVENT);
  const deliveryId = await nextPending(api.sql, linked.systemId);
  await endDelivery(api.sql, deliveryId, {
    state: 'refused',
    status: 422,
    message: 'No such item.',
  });
  const { status, json } = await answer;
  expect(status).toBe(409);
  expect(json.message).toEqual(['No such item.']);
  expect(json.data.deliveries).toEqual([
    {
      delivery_id: deliveryId,
      inventory_system_id: linked.systemId,
      state: 'refused',
      receiver_status: 422,
      message: 'No such item.',
    },
  ]);
});

test('one refusal among several systems refuses, after all of them have answered', async () => {
  const other = await createSystem(linked.owner, `Other ${made}`);
  await manageWebhook(linked.owner, other, 2);
  await linkStore(linked.owner, other, linked.storeId, 'other-1');
  const answer = sendEvent(linked, 'stock', STOCK_EVENT);
  await endDelivery(api.sql, await nextPending(api.sql, linked.systemId), {
    state: 'refused',
    status: 409,
    message: 'Closed for counting.',
  });
  await endDelivery(api.sql, await nextPending(api.sql, other), {
    state: 'acknowledged',
    status: 204,
  });
  const { status, json } = await answer;
  expect(status).toBe(409);
  expect(json.message).toEqual(['Closed for counting.']);
  expect(json.data.deliveries.map((each: { state: string }) => each.state)).toEqual([
    'refused',
    'acknowledged',
  ]);
});

test('an event that is not decided in time is 202, with the receiver’s latest message', async () => {
  const answer = sendEvent(linked, 'stock', STOCK_EVENT);
  const deliveryId = await nextPending(api.sql, linked.systemId);
  await api.sql`
    update delivery set receiver_status = 503, message = 'Come back later.'
    where delivery_id = ${deliveryId}`;
  const { status, json } = await answer;
  expect(status).toBe(202);
  expect(json.message).toBe('Stock update pending.');
  expect(json.data.deliveries[0]).toMatchObject({
    state: 'pending',
    receiver_status: 503,
    message: 'Come back later.',
  });
});

test('the payload has the documented keys, strings as they were sent, and the store’s id in the system', async () => {
  await sendEvent(linked, 'stock', { ...STOCK_EVENT, movement_type: '2' });
  expect(await payloadsFor(api.sql, linked)).toEqual([
    `{"inventory_system_id":"${linked.systemId}","external_id":"item-1","current_stock":"10.50",` +
      `"quantity":"-1","date":"2026-11-21","movement_type":2,"store_id":"ext-1"}`,
  ]);
});

/** Item data with this many values: its three members, and the records of one list. */
function withValues(values: number): string {
  return `{"units":[],"suppliers":[],"items":[${Array.from({ length: values - 3 }, () => 0).join()}]}`;
}

test('item data may have as many records as a body may have values, and no more', async () => {
  const path = `/pos/store/${linked.storeId}/inventory/items`;
  const most = withValues(500_000);
  expect((await linked.owner.postRaw(path, most)).status).toBe(202);
  const [payload] = await payloadsFor(api.sql, linked);
  expect(payload).toContain(most.slice(most.indexOf('[0,'), -1));
  expect(await linked.owner.postRaw(path, withValues(500_001))).toMatchObject({
    status: 400,
    json: { message: ['The request body has too many values.'], data: null },
  });
});

test('item data is queued at once, and its records are stored byte for byte', async () => {
  const records = '[ {"id":1.0,"big":12345678901234567890, "é":"\\u00e9"} ]';
  const answer = await linked.owner.postRaw(
    `/pos/store/${linked.storeId}/inventory/items`,
    `{"suppliers":[],"items":${records},"units":[1e2]}`,
  );
  expect(answer.status).toBe(202);
  expect(answer.json).toEqual({
    message: 'Inventory data queued.',
    data: {
      deliveries: [
        {
          delivery_id: expect.stringMatching(/^dlv_[0-9a-f]{32}$/),
          inventory_system_id: linked.systemId,
          state: 'pending',
        },
      ],
    },
  });
  expect(await payloadsFor(api.sql, linked)).toEqual([
    `{"inventory_system_id":"${linked.systemId}","units":[1e2],"items":${records},` +
      `"suppliers":[],"store_id":"ext-1"}`,
  ]);
});

test('item data of megabytes is taken', async () => {
  const items = Array.from({ length: 20_000 }, (_, id) => ({ id, name: 'x'.repeat(100) }));
  const answer = await sendEvent(linked, 'items', { ...ITEMS_EVENT, items });
  expect(answer.status).toBe(202);
});

test.each(['items', 'stock'] as const)(
  'a store without linked systems gets an empty list for %s',
  async (kind) => {
    const storeId = await api.store(linked.owner);
    const body = kind === 'items' ? ITEMS_EVENT : STOCK_EVENT;
    const answer = await linked.owner.post(`/pos/store/${storeId}/inventory/${kind}`, body);
    expect(answer).toMatchObject({
      status: 200,
      json: {
        message: 'No inventory system is linked to this store.',
        data: { deliveries: [] },
      },
    });
  },
);

test('a disabled webhook keeps its deliveries, and callers do not wait for them', async () => {
  await linked.owner.post('/inventory/system/webhook/disable', {
    type: 2,
    inventory_system_id: linked.systemId,
  });
  const before = Date.now();
  const { status, json } = await sendEvent(linked, 'stock', STOCK_EVENT);
  expect(Date.now() - before).toBeLessThan(900);
  expect(status).toBe(202);
  expect(json.data.deliveries[0].state).toBe('pending');
});

test('sequence numbers of a subscription grow in the order of its events', async () => {
  for (let i = 0; i < 3; i += 1) await sendEvent(linked, 'items', { ...ITEMS_EVENT, units: [i] });
  const inOrder = await payloadsFor(api.sql, linked);
  expect(inOrder.map((each) => JSON.parse(each).units[0])).toEqual([0, 1, 2]);
});

test('an event needs the permission, then the store; an operator needs neither', async () => {
  const path = `/pos/store/${linked.storeId}/inventory/stock`;
  const nobody = await api.user();
  expect(await nobody.post(path, STOCK_EVENT)).toMatchObject({
    status: 403,
    json: { message: ['You do not have the permissions to access this resource.'], data: null },
  });
  const stranger = await api.user('pos:events');
  expect(await stranger.post(path, STOCK_EVENT)).toMatchObject({
    status: 409,
    json: { message: ["You don't have this store available."] },
  });
  for (const unknown of ['99999999', 'abc', '1.0', '%201']) {
    expect(await stranger.post(`/pos/store/${unknown}/inventory/stock`, STOCK_EVENT)).toMatchObject(
      { status: 404, json: { message: ['The store was not found.'] } },
    );
  }
  const operator = await api.user('operator');
  expect((await operator.post(path.replace('stock', 'items'), ITEMS_EVENT)).status).toBe(202);
});

test('each missing or wrong field has its message', async () => {
  expect(await sendEvent(linked, 'items', { items: {} })).toMatchObject({
    status: 422,
    json: {
      units: ['The units field is required.'],
      items: ['The items must be an array.'],
      suppliers: ['The suppliers field is required.'],
    },
  });
  expect(
    await sendEvent(linked, 'stock', {
      external_id: 7,
      current_stock: 1.5,
      quantity: '1e3',
      movement_type: 3,
    }),
  ).toMatchObject({
    status: 422,
    json: {
      external_id: ['The external id must be a string.'],
      current_stock: ['The current stock must be a string.'],
      quantity: ['The quantity format is invalid.'],
      date: ['The date field is required.'],
      movement_type: ['The selected movement type is invalid.'],
    },
  });
});
