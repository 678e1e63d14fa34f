import { startWorld, type World, type WorldIds } from '../api-contract/world';
import { HEALTHY } from '../../src/webhooks/attempt/circuit-breaker';
import { discardExpiredDeliveries } from '../../src/webhooks/sql/delivery-retention';
import { recordOutcomes } from '../../src/webhooks/sql/delivery-outcomes';
import type { SubscriptionId } from '../../src/platform/ids';
import type { TestCaller } from '../support/api';
import { eventsOf, wantEvents, type WrittenEvent } from '../support/events';
import { wrongMessage } from '../support/openapi-reader';
import { endDelivery, ITEMS_EVENT, manageWebhook, RECEIVER_URL } from '../support/inventory';

let world: World;
let owner: TestCaller;
let ids: WorldIds;

beforeAll(async () => {
  world = await startWorld();
  owner = world.owner;
  await wantEvents(owner);
});
afterAll(() => world.stop());
beforeEach(async () => {
  ids = await world.spare();
  await manageWebhook(owner, ids.systemId, 1);
  await sql()`delete from delivery where type = 3`;
});

const sql = () => world.api.sql;
/** The events written for the user, which must match their description. */
async function written(user: TestCaller = owner): Promise<WrittenEvent[]> {
  const events = await eventsOf(sql(), user);
  expect(events.map((event) => wrongMessage(event.type, event)).filter(Boolean)).toEqual([]);
  return events;
}
const types = async (user: TestCaller = owner) => (await written(user)).map(({ type }) => type);
const select = () => ({ type: 1, inventory_system_id: ids.systemId });

async function deliver(): Promise<string> {
  const { json } = await owner.post(`/pos/store/${ids.storeId}/inventory/items`, ITEMS_EVENT);
  return json.data.deliveries[0].delivery_id;
}

describe('delivery.failed', () => {
  test.each(['refused', 'exhausted'] as const)(
    'a delivery that ends %s is reported as the API shows it, without attempts and what it waits for',
    async (state) => {
      const deliveryId = await deliver();
      await endDelivery(sql(), deliveryId, { state, status: 400, message: 'No.' });
      const { json } = await owner.get(`/webhooks/deliveries/${deliveryId}`);
      // It waits for nothing any more, so its event does not say for what; nor does it have what was sent.
      const { attempts, waiting_for: waitingFor, payload, payload_url, ...shown } = json.data;
      expect([typeof payload, payload_url]).toEqual(['object', null]);
      expect([attempts.length, waitingFor]).toEqual([1, null]);
      expect(await written()).toEqual([
        { type: 'delivery.failed', timestamp: shown.finished_at, data: shown },
      ]);
    },
  );

  test('one that arrived is not reported, one that waited too long is, and one that a DELETE discards is not', async () => {
    await endDelivery(sql(), await deliver(), { state: 'delivered', status: 200 });
    expect(await types()).toEqual([]);
    const old = await deliver();
    await sql()`update subscription set state = 'disabled', disabled_reason = 'manual' where inventory_system_id = ${ids.systemId}::uuid`;
    await sql()`update delivery set due_at = now() - interval '40 days' where delivery_id = ${old}`;
    await sql()`delete from delivery where type = 3`;
    await discardExpiredDeliveries(sql(), 30, 100);
    expect(await written()).toMatchObject([
      { type: 'delivery.failed', data: { delivery_id: old, state: 'discarded' } },
    ]);
    await deliver();
    await owner.remove(`/inventory/system/${ids.systemId}/webhook/1`);
    await deliver().catch(() => {});
    expect(await types()).toEqual(['delivery.failed']);
  });
});

describe('webhook.*', () => {
  let subscriptionId: SubscriptionId;
  beforeEach(async () => {
    const [row] = await sql()<{ subscriptionId: SubscriptionId }[]>`
      select subscription_id from subscription
      where inventory_system_id = ${ids.systemId}::uuid and type = 1`;
    if (row) ({ subscriptionId } = row);
  });

  async function learn(
    health: Partial<typeof HEALTHY>,
    disable: 'gone' | 'failing' | null = null,
  ): Promise<void> {
    const [row] = await sql()<{ epoch: number; healthVersion: number }[]>`
      select w.epoch, s.health_version from subscription s join webhook_shard w using (shard)
      where subscription_id = ${subscriptionId}`;
    if (!row) throw new Error('no shard');
    const change = { ...row, subscriptionId, health: { ...HEALTHY, ...health }, disable };
    await recordOutcomes(sql(), { attempts: [], released: [], health: [change] });
  }

  test('a failing receiver is reported once when it is paused, and once when it works again', async () => {
    const pausedUntil = Date.now() + 30_000;
    await learn({ consecutiveFailures: 9, failingSince: Date.now() });
    expect(await types()).toEqual([]);
    await learn({ consecutiveFailures: 10, failingSince: Date.now(), pausedUntil });
    await learn({
      consecutiveFailures: 11,
      failingSince: Date.now(),
      pausedUntil: pausedUntil + 1,
    });
    expect(await written()).toEqual([
      {
        type: 'webhook.paused',
        timestamp: expect.stringMatching(/Z$/),
        data: {
          ...select(),
          url: RECEIVER_URL,
          state: 'enabled',
          disabled_reason: null,
          paused_until: new Date(pausedUntil).toISOString(),
        },
      },
    ]);
    await learn({});
    await learn({});
    expect(await types()).toEqual(['webhook.paused', 'webhook.resumed']);
  });

  test('a new URL ends a pause; enabling does not, but the first success after it does', async () => {
    const paused = { consecutiveFailures: 10, failingSince: 1, pausedUntil: Date.now() + 30_000 };
    await learn(paused);
    await owner.post('/inventory/system/webhook/manage', { ...select(), url: `${RECEIVER_URL}/2` });
    expect(await types()).toEqual(['webhook.paused', 'webhook.resumed']);
    await learn(paused);
    await owner.post('/inventory/system/webhook/enable', select());
    expect(await types()).toHaveLength(3);
    await learn({});
    expect((await types()).at(-1)).toBe('webhook.resumed');
  });

  test('disabling by the owner, by a 410 and by days of failures is reported once each; deletion is not', async () => {
    await owner.post('/inventory/system/webhook/disable', select());
    await owner.post('/inventory/system/webhook/disable', select());
    await owner.post('/inventory/system/webhook/enable', select());
    await learn({ disabledReason: 'gone' }, 'gone');
    await owner.post('/inventory/system/webhook/enable', select());
    await learn({ disabledReason: 'failing' }, 'failing');
    const events = await written();
    expect(events.map(({ type, data }) => [type, data.state, data.disabled_reason])).toEqual([
      ['webhook.disabled', 'disabled', 'manual'],
      ['webhook.disabled', 'disabled', 'gone'],
      ['webhook.disabled', 'disabled', 'failing'],
    ]);
    await owner.post('/inventory/system/webhook/enable', select());
    await owner.remove(`/inventory/system/${ids.systemId}/webhook/1`);
    await manageWebhook(owner, ids.systemId, 1);
    expect(await types()).toHaveLength(3);
  });

  test('only the system’s creator gets the event, not users of a linked store', async () => {
    const other = await world.api.user();
    await sql()`insert into user_store values (${other.userId}, ${ids.storeId}::bigint)`;
    await wantEvents(other);
    await owner.post('/inventory/system/webhook/disable', select());
    expect(await types()).toEqual(['webhook.disabled']);
    expect(await types(other)).toEqual([]);
  });
});
