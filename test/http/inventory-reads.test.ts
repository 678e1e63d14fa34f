import { randomUUID } from 'node:crypto';
import { discardOrdered, removeDoneDiscards } from '../../src/webhooks/sql/discards';
import { startTestApi, type TestApi, type TestCaller } from '../support/api';
import {
  createLinkedStore,
  createSystem,
  endDelivery,
  ITEMS_EVENT,
  linkStore,
  sendEvent,
  STOCK_EVENT,
} from '../support/inventory';
import { undescribed } from '../support/openapi-reader';

let api: TestApi;
let owner: TestCaller;
let stranger: TestCaller;
let operator: TestCaller;

beforeAll(async () => {
  api = await startTestApi({ ACK_WAIT: '10s' });
});
afterAll(() => api.stop());
beforeEach(async () => {
  owner = await api.user('inventory:create', 'pos:events');
  stranger = await api.user('inventory:create');
  operator = await api.user('operator');
});

const SYSTEM = '/inventory/system';
const newName = () => `System ${randomUUID()}`;
const NO_SYSTEM = {
  status: 404,
  json: { message: ['The inventory system was not found.'], data: null },
};
const NO_LINK = { status: 404, json: { message: ['The link was not found.'], data: null } };

type Entry = Readonly<Record<string, unknown>>;

async function pages(caller: TestCaller, path: string, limit: number): Promise<Entry[][]> {
  const found: Entry[][] = [];
  for (let cursor = ''; ;) {
    const { json } = await caller.get(`${path}?limit=${limit}${cursor}`);
    found.push(json.data);
    if (json.next_cursor === null) return found;
    cursor = `&cursor=${json.next_cursor}`;
  }
}

describe('inventory systems', () => {
  test('are listed newest first to their creator, each on one page', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 4; n += 1) ids.unshift(await createSystem(owner, newName()));
    // Made in one moment, as by many requests at once.
    await api.sql`
      update inventory_system set created_at = '2026-01-01T00:00:00.123456Z'
      where inventory_system_id = any(${ids.slice(1, 3)}::uuid[])`;
    const expected = new Set(ids);
    for (const limit of [1, 3, 4, 100]) {
      const found = await pages(owner, SYSTEM, limit);
      expect(found).toHaveLength(Math.ceil(4 / limit));
      expect(found.flat()).toHaveLength(4);
      expect(new Set(found.flat().map((each) => each['inventory_system_id']))).toEqual(expected);
      expect(found[0]?.[0]?.['inventory_system_id']).toBe(ids[0]);
    }
    expect(await pages(stranger, SYSTEM, 10)).toEqual([[]]);
    const all = (await pages(operator, SYSTEM, 2)).flat();
    expect(all.map((each) => each['inventory_system_id'])).toEqual(expect.arrayContaining(ids));
    expect(undescribed('listInventorySystems', await owner.get(SYSTEM))).toEqual([]);
  });

  test('can be read and renamed by their creator and by operators', async () => {
    const name = newName();
    const id = await createSystem(owner, name);
    const expected = { inventory_system_id: id, inventory_system_details: { name } };
    for (const caller of [owner, operator]) {
      expect((await caller.get(`${SYSTEM}/${id.toUpperCase()}`)).json).toEqual({
        message: 'Success.',
        data: expected,
      });
    }
    const renamed = newName();
    const changed = await owner.patch(`${SYSTEM}/${id}`, { name: ` ${renamed} ` });
    expect([changed.status, changed.json.data.inventory_system_details]).toEqual([
      200,
      { name: renamed },
    ]);
    expect(undescribed('changeInventorySystem', changed)).toEqual([]);
    expect((await owner.patch(`${SYSTEM}/${id}`, {})).json).toEqual(changed.json);
    expect((await owner.get(`${SYSTEM}/${id}`)).json.data).toEqual(changed.json.data);
    // Its previous name is free again.
    await createSystem(stranger, name);
  });

  test('have unique names in the whole deployment, also when renamed', async () => {
    const taken = newName();
    await createSystem(stranger, taken);
    const id = await createSystem(owner, newName());
    expect(await owner.patch(`${SYSTEM}/${id}`, { name: taken.toUpperCase() })).toMatchObject({
      status: 409,
      json: { message: ['The Inventory System already exists.'], data: null },
    });
  });

  test('that are unknown look like another user’s', async () => {
    const foreign = await createSystem(stranger, newName());
    for (const id of [foreign, randomUUID(), 'abc', '1', '{}', '%00'.slice(1)]) {
      expect(await owner.get(`${SYSTEM}/${id}`)).toMatchObject(NO_SYSTEM);
      expect(await owner.patch(`${SYSTEM}/${id}`, { name: newName() })).toMatchObject(NO_SYSTEM);
      expect(await owner.get(`${SYSTEM}/${id}/store/link`)).toMatchObject(NO_SYSTEM);
      expect(await owner.get(`${SYSTEM}/${id}/store/link/1`)).toMatchObject(NO_SYSTEM);
      expect(await owner.remove(`${SYSTEM}/${id}/store/link/1`)).toMatchObject(NO_SYSTEM);
    }
  });
});

async function stateOf(deliveryId: string): Promise<string> {
  return (await operator.get(`/webhooks/deliveries/${deliveryId}`)).json.data.state;
}

describe('links', () => {
  test('are listed by system, newest store first, and can be read one by one', async () => {
    const id = await createSystem(owner, newName());
    const stores: number[] = [];
    for (let n = 0; n < 3; n += 1) stores.unshift(await api.store(owner));
    for (const store of stores) await linkStore(owner, id, store, `ext-${store}`);
    const expected = stores.map((store) => ({
      inventory_system_id: id,
      store_id: store,
      external_store_id: `ext-${store}`,
    }));
    for (const limit of [1, 2, 3]) {
      expect((await pages(owner, `${SYSTEM}/${id}/store/link`, limit)).flat()).toEqual(expected);
    }
    const one = await owner.get(`${SYSTEM}/${id}/store/link/${stores[0]}`);
    expect(one.json).toEqual({ message: 'Success.', data: expected[0] });
    expect(undescribed('getStoreLink', one)).toEqual([]);
    expect(undescribed('listStoreLinks', await owner.get(`${SYSTEM}/${id}/store/link`))).toEqual(
      [],
    );
    for (const store of [await api.store(owner), 999_999, 'abc']) {
      expect(await owner.get(`${SYSTEM}/${id}/store/link/${store}`)).toMatchObject(NO_LINK);
      expect(await owner.remove(`${SYSTEM}/${id}/store/link/${store}`)).toMatchObject(NO_LINK);
    }
  });

  test('can be read and ended by users of the store or the system, and by nobody else', async () => {
    const { systemId, storeId } = await createLinkedStore(api, newName());
    await api.sql`
      insert into user_store (user_id, store_id) values (${stranger.userId}, ${storeId}::bigint)`;
    const path = `${SYSTEM}/${systemId}/store/link/${storeId}`;
    expect(await owner.get(path)).toMatchObject(NO_SYSTEM);
    expect(await owner.remove(path)).toMatchObject(NO_SYSTEM);
    expect((await stranger.get(path)).status).toBe(200);
    const ended = await stranger.remove(path);
    expect([ended.status, ended.json]).toEqual([200, { message: 'Success.', data: null }]);
    expect(undescribed('unlinkStore', ended)).toEqual([]);
    // Without the link the system is one that they have nothing to do with.
    expect(await stranger.remove(path)).toMatchObject(NO_SYSTEM);
    expect(await operator.remove(path)).toMatchObject(NO_LINK);
  });

  test('that end discard what waits, notify its callers, and leave what was sent', async () => {
    const linked = await createLinkedStore(api, newName());
    const path = `${SYSTEM}/${linked.systemId}/store/link/${linked.storeId}`;
    const send = async () =>
      (await sendEvent(linked, 'items', ITEMS_EVENT)).json.data.deliveries[0].delivery_id;
    const sent = await send();
    await endDelivery(api.sql, sent, { state: 'delivered', status: 200 });
    const waiting = await send();
    // Another store of the same system is not affected.
    const other = await api.store(linked.owner);
    await linkStore(linked.owner, linked.systemId, other);
    const event = await sendEvent({ ...linked, storeId: other }, 'items', ITEMS_EVENT);
    const others = event.json.data.deliveries[0].delivery_id;
    const begun = Date.now();
    const stock = sendEvent(linked, 'stock', STOCK_EVENT);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect((await linked.owner.remove(path)).status).toBe(200);
    const told = await stock;
    expect(told).toMatchObject({
      status: 202,
      json: { data: { deliveries: [{ state: 'discarded' }] } },
    });
    expect(Date.now() - begun).toBeLessThan(8_000);
    expect([await stateOf(sent), await stateOf(waiting), await stateOf(others)]).toEqual([
      'delivered',
      'discarded',
      'pending',
    ]);
    expect((await sendEvent(linked, 'items', ITEMS_EVENT)).json.message).toBe(
      'No inventory system is linked to this store.',
    );
    expect(await linked.owner.remove(path)).toMatchObject(NO_LINK);
  });

  test('that are created again carry later events', async () => {
    const linked = await createLinkedStore(api, newName());
    await linked.owner.remove(`${SYSTEM}/${linked.systemId}/store/link/${linked.storeId}`);
    await linkStore(linked.owner, linked.systemId, linked.storeId, 'again');
    const event = await sendEvent(linked, 'items', ITEMS_EVENT);
    const [{ delivery_id: id }] = event.json.data.deliveries;
    await discardOrdered(api.sql, 100);
    expect(await stateOf(id)).toBe('pending');
  });

  test('orders to discard are removed once they are a minute old and done, not earlier', async () => {
    await api.sql`delete from discard_order`;
    const linked = await createLinkedStore(api, newName());
    const event = await sendEvent(linked, 'items', ITEMS_EVENT);
    const [{ delivery_id: id }] = event.json.data.deliveries;
    await api.sql`
      insert into discard_order (subscription_id, store_id, ordered_at)
      select subscription_id, store_id, created_at from delivery where delivery_id = ${id}`;
    const orders = async () => (await api.sql`select from discard_order`).length;
    await api.sql`
      update delivery set created_at = created_at - interval '2 min' where delivery_id = ${id}`;
    await api.sql`update discard_order set ordered_at = ordered_at - interval '61 s'`;
    await removeDoneDiscards(api.sql, 100);
    expect(await orders()).toBe(1);
    expect(await discardOrdered(api.sql, 1)).toBe(1);
    await removeDoneDiscards(api.sql, 100);
    expect(await orders()).toBe(0);
    expect(await stateOf(id)).toBe('discarded');
  });
});
