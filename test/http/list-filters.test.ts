import { startTestApi, type TestApi, type TestCaller } from '../support/api';
import {
  createLinkedStore,
  endDelivery,
  ITEMS_EVENT,
  type LinkedStore,
  linkStore,
  STOCK_EVENT,
} from '../support/inventory';
import { prepareUploadRows } from '../support/upload-rows';

let api: TestApi;
let operator: TestCaller;
beforeAll(async () => {
  api = await startTestApi({ ACK_WAIT: '100ms' });
  operator = await api.user('operator');
});
afterAll(() => api.stop());

async function idsOf(caller: TestCaller, path: string): Promise<string[]> {
  const { status, json, text } = await caller.get(path);
  if (status !== 200) throw new Error(text);
  return json.data.map((row: Record<string, string>) => row['delivery_id'] ?? row['upload_id']);
}

describe('deliveries', () => {
  let linked: LinkedStore;
  let secondStore: number;
  let items: string;
  let stock: string;
  let otherStock: string;
  let stranger: TestCaller;

  async function send(storeId: number, kind: 'items' | 'stock', body: unknown, requestId: string) {
    const path = `/pos/store/${storeId}/inventory/${kind}`;
    const { json } = await linked.owner.post(path, body, { 'x-request-id': requestId });
    return json.data.deliveries[0].delivery_id as string;
  }
  const list = (query: string, caller = linked.owner) =>
    idsOf(caller, `/webhooks/deliveries?${query}`);

  beforeAll(async () => {
    linked = await createLinkedStore(api, 'Filtered');
    stranger = await api.user();
    secondStore = await api.store(linked.owner);
    await linkStore(linked.owner, linked.systemId, secondStore, 'ext-2');
    items = await send(linked.storeId, 'items', ITEMS_EVENT, 'made-items');
    stock = await send(linked.storeId, 'stock', STOCK_EVENT, 'made-stock');
    const other = { ...STOCK_EVENT, external_id: 'Ñ 2' };
    otherStock = await send(secondStore, 'stock', other, 'made-stock');
    await endDelivery(api.sql, stock, { state: 'refused', status: 422, message: 'No.' });
  });

  test('of one request, whether they wait or have ended', async () => {
    expect(await list('request_id=made-items')).toEqual([items]);
    expect(await list('request_id=made-stock')).toEqual([otherStock, stock]);
    expect(await list('request_id=made-stock&state=pending')).toEqual([otherStock]);
    expect(await list('request_id=made-stock&state=refused')).toEqual([stock]);
    expect(await list('request_id=made')).toEqual([]);
    expect(await list('request_id=')).toEqual([]);
    expect(await list('request_id=made-stock', operator)).toEqual([otherStock, stock]);
    expect(await list('request_id=made-stock', stranger)).toEqual([]);
  });

  test('of one store', async () => {
    expect(await list(`store_id=${linked.storeId}`)).toEqual([stock, items]);
    expect(await list(`store_id=${secondStore}`)).toEqual([otherStock]);
    expect(await list(`store_id=${secondStore}&type=1`)).toEqual([]);
    expect(await list(`store_id=${linked.storeId}&state=refused`, operator)).toEqual([stock]);
    expect(await list(`store_id=${linked.storeId}`, stranger)).toEqual([]);
    expect(await list('store_id=999999999')).toEqual([]);
  });

  test('of one store for the owner of the system, who has the store no more', async () => {
    await api.sql`
      delete from user_store where user_id = ${linked.owner.userId} and store_id = ${secondStore}`;
    expect(await list(`store_id=${secondStore}`)).toEqual([otherStock]);
    await api.sql`
      insert into user_store (user_id, store_id) values (${linked.owner.userId}, ${secondStore})`;
  });

  test('of one item, which only stock movements have', async () => {
    expect(await list('external_id=item-1')).toEqual([stock]);
    expect(await list(`external_id=${encodeURIComponent('Ñ 2')}`)).toEqual([otherStock]);
    expect(await list('external_id=item-1&state=pending')).toEqual([]);
    expect(await list('external_id=item', operator)).toEqual([]);
  });

  test('to which the receiver answered so', async () => {
    expect(await list('receiver_status=422')).toEqual([stock]);
    expect(await list('receiver_status=422', operator)).toEqual([stock]);
    expect(await list('receiver_status=204')).toEqual([]);
  });

  test('of a time: from since on, before until', async () => {
    const { json } = await linked.owner.get(`/webhooks/deliveries/${stock}`);
    const at: string = json.data.created_at;
    const next = new Date(Date.parse(at) + 1).toISOString();
    // The database knows microseconds, of which an answer shows no part.
    await api.sql`update ended_delivery set created_at = ${at}::timestamptz where delivery_id = ${stock}`;
    for (const caller of [linked.owner, operator]) {
      const of = (query: string) => list(`request_id=made-stock&state=refused&${query}`, caller);
      expect(await of(`since=${at}`)).toEqual([stock]);
      expect(await of(`since=${next}`)).toEqual([]);
      expect(await of(`until=${at}`)).toEqual([]);
      expect(await of(`until=${next}`)).toEqual([stock]);
    }
    expect(await list(`since=${at}&until=${next}`)).toEqual([stock]);
    expect(await list(`until=${at}`)).toEqual([items]);
    const inOtherZone = encodeURIComponent(at.replace('Z', '+00:00'));
    expect(await list(`since=${inOtherZone}`)).toEqual([otherStock, stock]);
    expect(await list(`since=${next}&until=${at}`)).toEqual([]);
    for (const query of ['until=0000-01-01T00:00:00Z', 'since=9999-12-31T23:59:59-23:00']) {
      expect(await list(query)).toEqual([]);
    }
    expect(await list('since=0000-01-01T00:00:00Z&until=9999-12-31T23:59:59-23:00')).toHaveLength(
      3,
    );
  });

  test('the pages of a filter continue where the last one ended', async () => {
    const first = await linked.owner.get('/webhooks/deliveries?request_id=made-stock&limit=1');
    expect(first.json.data.map(({ delivery_id: id }: { delivery_id: string }) => id)).toEqual([
      otherStock,
    ]);
    const cursor: string = first.json.next_cursor;
    expect(await list(`request_id=made-stock&limit=1&cursor=${cursor}`)).toEqual([stock]);
  });

  test('a resend sends what its filter lists, and no more', async () => {
    const at: string = (await linked.owner.get(`/webhooks/deliveries/${stock}`)).json.data
      .created_at;
    const next = new Date(Date.parse(at) + 1).toISOString();
    const count = async (filter: object) => {
      const body = { ...filter, dry_run: true };
      const { status, json } = await linked.owner.post('/webhooks/deliveries/resend', body);
      return status === 200 ? json.data.count : json;
    };
    expect(await count({})).toBe(1);
    for (const [one, none] of [
      [{ store_id: linked.storeId }, { store_id: String(secondStore) }],
      [{ external_id: 'item-1' }, { external_id: 'item-2' }],
      [{ receiver_status: 422 }, { receiver_status: '503' }],
      [{ request_id: 'made-stock' }, { request_id: 'made-items' }],
      [{ since: at, until: next }, { since: next }],
      [{ until: next, state: 'refused' }, { until: at }],
      [
        { store_id: null, since: null, until: null },
        { state: 'exhausted', since: at },
      ],
    ]) {
      expect(await count(one ?? {})).toBe(1);
      expect(await count(none ?? {})).toBe(0);
      const sent = await linked.owner.post('/webhooks/deliveries/resend', none);
      expect(sent).toMatchObject({ status: 202, json: { data: { count: 0 } } });
    }
    expect(await count({ since: 'today' })).toEqual({ since: ['The since format is invalid.'] });
    // As a body has it, where no + is escaped.
    const problem = await linked.owner.post(
      '/webhooks/deliveries/resend',
      { since: 'today' },
      { accept: 'application/problem+json' },
    );
    expect(problem.json.errors[0].hint).toContain('10:00:00+01:00');
    expect(await count({ store_id: 'x' })).toEqual({
      store_id: ['The selected store id is invalid.'],
    });
    for (const status of [99, 600, 204.5, '20', 'x']) {
      expect(await count({ receiver_status: status })).toEqual({
        receiver_status: ['The selected receiver status is invalid.'],
      });
    }
    const sent = await linked.owner.post('/webhooks/deliveries/resend', { external_id: 'item-1' });
    expect(sent.json.data.count).toBe(1);
    expect(await list('state=pending')).toEqual([otherStock, stock, items]);
  });

  test('events are found by their store and their request, by their user only', async () => {
    const [made] = await api.sql<{ deliveryId: string }[]>`
      insert into delivery (delivery_id, message_id, subscription_id, type, event_type, store_id, payload,
        payload_bytes, request_id, user_id)
      select replace(${stock}, right(${stock}, 4), 'ffff'), 'msg_1', subscription_id, 3, 'upload.ended',
        ${linked.storeId}::bigint, '{"type":"upload.ended"}', 2, 'made-event', ${stranger.userId}
      from any_delivery where delivery_id = ${stock} returning delivery_id`;
    const event = made?.deliveryId;
    for (const query of ['request_id=made-event', `store_id=${linked.storeId}`]) {
      expect(await list(`events=true&${query}`, stranger)).toEqual([event]);
      expect(await list(`events=true&${query}`, operator)).toEqual([event]);
      expect(await list(`events=true&${query}`)).toEqual([]);
      expect(await list(query, stranger)).toEqual([]);
    }
    await api.sql`delete from delivery where delivery_id = ${event ?? ''}`;
  });
});

function listUploads(query: string, caller = operator): Promise<string[]> {
  return idsOf(caller, `/menus/uploads?${query}`);
}

describe('uploads', () => {
  test('of one request, a store, a time', async () => {
    const rows = await prepareUploadRows(api.sql);
    const made: string[] = [];
    for (const requestId of ['up-1', 'up-2', 'up-2']) {
      const { uploadId } = await rows.insertRunning();
      await api.sql`
        update menu_upload set request_id = ${requestId}, created_at = date_trunc('ms', created_at)
        where upload_id = ${uploadId}`;
      made.unshift(uploadId);
    }
    const [third, second, first] = made;
    const [row] = await api.sql<{ at: Date; storeId: number }[]>`
      select created_at as at, store_id from menu_upload where upload_id = ${second ?? ''}`;
    const at = row?.at.toISOString() ?? '';
    const next = new Date(Date.parse(at) + 1).toISOString();
    expect(await listUploads('request_id=up-2')).toEqual([third, second]);
    expect(await listUploads(`request_id=up-2&store_id=${row?.storeId}&state=superseded`)).toEqual([
      second,
    ]);
    expect(await listUploads(`request_id=up-2&store_id=${row?.storeId}`)).toEqual([third, second]);
    expect(await listUploads('request_id=up-2&store_id=999999999')).toEqual([]);
    expect(await listUploads('request_id=up-2&state=failed')).toEqual([]);
    expect(await listUploads('request_id=up-3')).toEqual([]);
    expect(await listUploads('request_id=up-2', await api.user())).toEqual([]);
    for (const filter of [
      '',
      'state=superseded&',
      `store_id=${row?.storeId}&`,
      'request_id=up-2&',
    ]) {
      expect(await listUploads(`${filter}since=${at}&until=${next}`)).toContain(second);
      expect(await listUploads(`${filter}since=${next}`)).not.toContain(second);
      expect(await listUploads(`${filter}until=${at}`)).not.toContain(second);
    }
    expect(await listUploads(`until=${at}&store_id=${row?.storeId}`)).toEqual([first]);
  });
});
