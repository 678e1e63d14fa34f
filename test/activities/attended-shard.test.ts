import { createWebhookActivities } from '../../activities/webhook-activities';
import { listenResiliently } from '../../src/platform/db/listen';
import { readAnnouncement, WEBHOOKS_DUE } from '../../src/webhooks/sql/announcements';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { until } from '../support/until';
import {
  createWebhookRows,
  type TestSubscription,
  type WebhookRows,
} from '../support/webhook-rows';

let database: TestDatabase;
let rows: WebhookRows;
beforeEach(async () => {
  database = await createTestDatabase();
  rows = await createWebhookRows(database.sql);
});
afterEach(() => database.drop());

const url = 'https://stock.example/';

/** The subscription, in a shard that has so many waiting deliveries of paused subscriptions each. */
async function pausedInOneShard(counts: readonly number[]): Promise<TestSubscription> {
  const first = await rows.subscribe({ url });
  for (const [nth, count] of counts.entries()) {
    const each = nth === 0 ? first : await rows.subscribe({ url, beside: first });
    const { subscriptionId, inventorySystemId, type } = each;
    await database.sql`
      update subscription set paused_until = now() + interval '1 h' where subscription_id = ${subscriptionId}`;
    await database.sql`
      insert into delivery (delivery_id, message_id, subscription_id, inventory_system_id, type, payload, payload_bytes,
        request_id, user_id)
      select 'dlv_' || md5(${subscriptionId} || n), 'msg_' || n, ${subscriptionId}, ${inventorySystemId}::uuid,
        ${type}::smallint, '{}', 2, 'r', 'u'
      from generate_series(1, ${count}::int) n`;
  }
  return first;
}

test('what waits in a shard is exact unless a subscription has more than are counted', async () => {
  const activities = createWebhookActivities({ sql: database.sql });
  const few = await pausedInOneShard([400, 400, 400]);
  const held = { deliveries: 1_200, hasMore: false, subscriptions: 3, paused: 3, disabled: 0 };
  expect(await activities.attendShard(few.shard)).toMatchObject({ worker: null, holding: held });
  await database.sql`delete from delivery`;
  const many = await pausedInOneShard([3, 1_001]);
  const more = { deliveries: 1_003, hasMore: true, subscriptions: 2, paused: 2 };
  expect((await activities.attendShard(many.shard)).holding).toMatchObject(more);
});

test('the owner of a shard is named while it lives', async () => {
  const activities = createWebhookActivities({ sql: database.sql });
  const worker = '00000000-0000-4000-8000-000000000001';
  await database.sql`
    insert into webhook_worker (worker, name, lease_until) values (${worker}::uuid, '7@host', now() + interval '1 min')`;
  await database.sql`update webhook_shard set worker = ${worker}::uuid where shard = 3`;
  expect(await activities.attendShard(3)).toEqual({ worker: '7@host', holding: null, dueMs: null });
  expect(await activities.attendShard(4)).toMatchObject({ worker: null });
  await database.sql`update webhook_worker set lease_until = now()`;
  expect(await activities.attendShard(3)).toMatchObject({ worker: null });
});

test('the owner of a shard is woken when something of it is due, not before', async () => {
  const activities = createWebhookActivities({ sql: database.sql });
  const heard: number[] = [];
  const listener = await listenResiliently(database.url, [WEBHOOKS_DUE], {
    onNotify: (_, text) => void heard.push(readAnnouncement(text).shard),
    onListening: () => {},
  });
  try {
    const subscription = await rows.subscribe({ url });
    await rows.put(subscription);
    heard.length = 0;
    await database.sql`update delivery set due_at = now() + interval '1 min'`;
    const later = await activities.attendShard(subscription.shard);
    expect(later.dueMs).toBeGreaterThan(50_000);
    await database.sql`update delivery set due_at = now()`;
    expect((await activities.attendShard(subscription.shard)).dueMs).toBeLessThanOrEqual(0);
    await until(() => heard.length > 0);
    expect(heard).toEqual([subscription.shard]);
  } finally {
    await listener.stop();
  }
});
