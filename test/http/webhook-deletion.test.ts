import type { Sql } from '../../src/platform/db/client';
import type { DeliveryId, SubscriptionId } from '../../src/platform/ids';
import { claimDeliveries } from '../../src/webhooks/sql/delivery-claims';
import { deleteSubscription, discardOrdered } from '../../src/webhooks/sql/discards';
import { resendDelivery } from '../../src/webhooks/sql/resends';
import { startWorld, type World, type WorldIds } from '../api-contract/world';
import type { TestCaller } from '../support/api';
import { endDelivery, ITEMS_EVENT, manageWebhook, RECEIVER_URL } from '../support/inventory';
import { undescribed } from '../support/openapi-reader';

let world: World;
let owner: TestCaller;
let ids: WorldIds;

beforeAll(async () => {
  world = await startWorld();
  owner = world.owner;
});
afterAll(() => world.stop());
beforeEach(async () => {
  ids = await world.spare();
  await manageWebhook(owner, ids.systemId, 1);
});

const GONE = (what: string) => ({
  status: 404,
  json: { message: [`The ${what} was not found.`], data: null },
});
const SUCCESS = { message: 'Success.', data: null };

const system = () => `/inventory/system/${ids.systemId}`;

async function deliver(): Promise<string> {
  const { json } = await owner.post(`/pos/store/${ids.storeId}/inventory/items`, ITEMS_EVENT);
  return json.data.deliveries[0].delivery_id;
}

const deliveryState = async (id: string) =>
  (await owner.get(`/webhooks/deliveries/${id}`)).json.data.state;

function manage(body: object = {}) {
  return owner.post('/inventory/system/webhook/manage', {
    type: 1,
    inventory_system_id: ids.systemId,
    url: RECEIVER_URL,
    ...body,
  });
}

/** The deliveries that the owner of the webhook's shard gets now. */
async function claimAll(): Promise<(string | null)[]> {
  const { sql } = world.api;
  const shards = await sql<{ subscriptionId: SubscriptionId; shard: number; epoch: number }[]>`
    select s.subscription_id, s.shard, w.epoch from subscription s join webhook_shard w using (shard)
    where s.inventory_system_id = ${ids.systemId}::uuid and s.type = 1`;
  const requests = shards.map((each) => ({ ...each, most: 10, healthVersion: null }));
  const claimed = await claimDeliveries(sql, requests, 60_000);
  return claimed.map(({ deliveryId }) => deliveryId);
}

/** What is accepted by a statement that still sees the webhook, between its deletion and the commit of that. */
async function deliverMeanwhile(): Promise<string> {
  const key = { inventorySystemId: ids.systemId, type: 1 } as const;
  return world.api.sql.begin(async (tx) => {
    expect(await deleteSubscription(tx as Sql, key)).toBe(true);
    return deliver();
  });
}

describe('a webhook that is deleted', () => {
  test('discards what waits, gets nothing more, and does not affect the other type', async () => {
    const waiting = await deliver();
    const answer = await owner.remove(`${system()}/webhook/1`);
    expect([answer.status, answer.json]).toEqual([200, SUCCESS]);
    expect(undescribed('deleteWebhook', answer)).toEqual([]);
    expect(await deliveryState(waiting)).toBe('discarded');
    for (const type of ['1', '0', '3', 'x', '01']) {
      expect(await owner.remove(`${system()}/webhook/${type}`)).toMatchObject(GONE('webhook'));
    }
    const { json } = await owner.get(`${system()}/webhook`);
    expect(json.data.map(({ type }: { type: number }) => type)).toEqual([2]);
    const select = { type: 1, inventory_system_id: ids.systemId };
    for (const verb of ['enable', 'disable', 'test', 'secret/rotate']) {
      expect(await owner.post(`/inventory/system/webhook/${verb}`, select)).toMatchObject(
        GONE('webhook'),
      );
    }
    const event = await owner.post(`/pos/store/${ids.storeId}/inventory/items`, ITEMS_EVENT);
    expect(event.status).toBe(200);
  });

  test('discards what was accepted before its deletion was committed, and tells nobody of it', async () => {
    const { sql } = world.api;
    const { status } = await owner.post('/events/webhook/manage', { url: RECEIVER_URL });
    expect(status).toBe(200);
    const meanwhile = await deliverMeanwhile();
    expect(await deliveryState(meanwhile)).toBe('pending');
    await discardOrdered(sql, 100);
    expect(await deliveryState(meanwhile)).toBe('discarded');
    expect(await sql`select from delivery where event_type = 'delivery.failed'`).toEqual([]);
    await owner.remove('/events/webhook');
  });

  test('discards the same when it is registered again at once, and nothing that comes later', async () => {
    const { sql } = world.api;
    const meanwhile = await deliverMeanwhile();
    expect((await manage()).json.data.secret).toMatch(/^whsec_/);
    const later = await deliver();
    expect(await claimAll()).toEqual([later]);
    await discardOrdered(sql, 100);
    expect(await deliveryState(meanwhile)).toBe('discarded');
    expect(await deliveryState(later)).toBe('pending');
  });

  test('gets what it discarded once it is registered again and that is resent', async () => {
    const { sql } = world.api;
    const discarded = [await deliver(), await deliver()];
    await owner.remove(`${system()}/webhook/1`);
    expect((await manage()).status).toBe(200);
    const filter = { inventory_system_id: ids.systemId, type: 1, state: 'discarded' };
    const resent = await owner.post('/webhooks/deliveries/resend', filter);
    expect(resent).toMatchObject({ status: 202, json: { data: { count: 2 } } });
    await discardOrdered(sql, 100);
    expect(new Set(await claimAll())).toEqual(new Set(discarded));
  });

  test('gets what still waits to be discarded once that is resent, too', async () => {
    const { sql } = world.api;
    const waiting = await deliverMeanwhile();
    await manage();
    expect(await claimAll()).toEqual([null]);
    expect((await owner.post(`/webhooks/deliveries/${waiting}/resend`, {})).status).toBe(202);
    await discardOrdered(sql, 100);
    expect(await claimAll()).toEqual([waiting]);
  });

  test('gets nothing that is resent while its deletion is under way, or right after it', async () => {
    const { sql } = world.api;
    const ended = await deliver();
    await endDelivery(sql, ended, { state: 'exhausted', status: 503 });
    const key = { inventorySystemId: ids.systemId, type: 1 } as const;
    await sql.begin(async (tx) => {
      await deleteSubscription(tx as Sql, key);
      expect((await owner.post(`/webhooks/deliveries/${ended}/resend`, {})).status).toBe(202);
    });
    expect(await deliveryState(ended)).toBe('pending');
    await discardOrdered(sql, 100);
    expect(await deliveryState(ended)).toBe('discarded');
    // Its request had looked before the deletion.
    expect(await resendDelivery(sql, ended as DeliveryId, null)).toBe(true);
    expect(await deliveryState(ended)).toBe('discarded');
  });

  test('is new when it is registered again: another secret, default settings, a continuing sequence', async () => {
    const { sql } = world.api;
    const first = await manage({ max_in_flight: 3, headers: { 'X-Api-Key': '1' } });
    expect(first.json.data.secret).toBeUndefined();
    const before = await deliver();
    await sql`
      update subscription set consecutive_failures = 5, failing_since = now()
      where inventory_system_id = ${ids.systemId}::uuid and type = 1`;
    await owner.remove(`${system()}/webhook/1`);
    const key = { 'idempotency-key': `again-${ids.storeId}` };
    const body = { type: 1, inventory_system_id: ids.systemId, url: RECEIVER_URL };
    const again = await owner.post('/inventory/system/webhook/manage', body, key);
    expect(again.json.data).toMatchObject({ state: 'enabled', header_names: [] });
    expect(again.json.data.secret).toMatch(/^whsec_/);
    await sql`
      update idempotency_key set status = null, answer_encrypted = null, lease_until = now()
      where key = ${key['idempotency-key']}`;
    const retried = await owner.post('/inventory/system/webhook/manage', body, key);
    expect(retried.json).toEqual(again.json);
    const [shown] = (await owner.get(`${system()}/webhook`)).json.data;
    expect(shown).toMatchObject({
      max_in_flight: 20,
      header_names: [],
      health: { consecutive_failures: 0, failing_since: null, pending: 0 },
    });
    const after = await deliver();
    const rows = await sql<{ deliveryId: string; sequence: number; state: string }[]>`
      select delivery_id, sequence, state from any_delivery
      where delivery_id = any(${[before, after]}::text[]) order by sequence`;
    expect(rows.map(({ deliveryId, state }) => [deliveryId, state])).toEqual([
      [before, 'discarded'],
      [after, 'pending'],
    ]);
    expect((await manage()).json.data.secret).toBeUndefined();
  });
});
