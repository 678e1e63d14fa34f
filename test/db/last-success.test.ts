import { newId } from '../../src/platform/ids';
import { listSubscriptionHealth } from '../../src/webhooks/sql/subscription-health';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { readingEnded } from '../support/rows-read';
import {
  createWebhookRows,
  type TestSubscription,
  type WebhookRows,
} from '../support/webhook-rows';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let database: TestDatabase;
let rows: WebhookRows;
let subscription: TestSubscription;

beforeAll(async () => {
  database = await createTestDatabase();
  rows = await createWebhookRows(database.sql);
});
beforeEach(async () => {
  subscription = await rows.subscribe({ url: 'https://health.example/' });
});
afterAll(() => database.drop());

/** Puts `count` ended deliveries, each made a second before the one before it. */
async function putEnded(given: {
  readonly state?: 'acknowledged' | 'exhausted';
  readonly madeAgo: number;
  readonly endedAgo: number;
  readonly count?: number;
}): Promise<void> {
  const { state = 'acknowledged', madeAgo, endedAgo, count = 1 } = given;
  const ids = Array.from({ length: count }, (_, n) =>
    newId('dlv', Date.now() - madeAgo - n * 1_000),
  );
  await database.sql`
    insert into ended_delivery (delivery_id, subscription_id, inventory_system_id, type, sequence, payload, state,
      attempts_made, attempts_before_resend, request_id, user_id, created_at, finished_at, attempts)
    select id, ${subscription.subscriptionId}, ${subscription.inventorySystemId}::uuid, 2, 1, '{}', ${state}, 1, 0, 'r',
      'u', now() - (${madeAgo}::float8 + n * 1000) * interval '1 ms', now() - (${endedAgo}::float8 + n * 1000) * interval '1 ms', '{}'
    from unnest(${ids}::text[]) with ordinality as each (id, n)`;
}

/** How many minutes ago the last success was, and how many rows that took. */
async function lastSuccess() {
  const { value, rows: read } = await readingEnded(database.sql, (sql) =>
    listSubscriptionHealth(sql, [subscription.inventorySystemId]),
  );
  const at = value.find((each) => each.subscriptionId === subscription.subscriptionId);
  const last = at?.lastSuccessAt;
  return { minutes: last ? Math.round((Date.now() - last.getTime()) / MINUTE) : null, read };
}

test('the last success of a quiet webhook is found without reading what arrived before it', async () => {
  await putEnded({ madeAgo: 2 * HOUR, endedAgo: 2 * HOUR, count: 500 });
  await database.sql`analyze ended_delivery`;
  const { minutes, read } = await lastSuccess();
  expect(minutes).toBe(120);
  expect(read).toBeLessThanOrEqual(10);
});

test('the last success is the one that came last, also of a delivery that is older than the hour', async () => {
  await putEnded({ madeAgo: 30 * MINUTE, endedAgo: 30 * MINUTE });
  expect(await lastSuccess()).toMatchObject({ minutes: 30 });
  await putEnded({ madeAgo: 5 * HOUR, endedAgo: 10 * MINUTE });
  expect(await lastSuccess()).toMatchObject({ minutes: 10 });
  await putEnded({ madeAgo: 50 * MINUTE, endedAgo: 5 * MINUTE });
  expect(await lastSuccess()).toMatchObject({ minutes: 5 });
});

test('the last success is found behind failures, of the hour and before', async () => {
  await putEnded({ madeAgo: 3 * HOUR, endedAgo: 3 * HOUR });
  await putEnded({ state: 'exhausted', madeAgo: 2 * HOUR, endedAgo: 2 * MINUTE, count: 100 });
  await putEnded({ state: 'exhausted', madeAgo: MINUTE, endedAgo: MINUTE, count: 20 });
  expect(await lastSuccess()).toMatchObject({ minutes: 180 });
});

test('a webhook that never succeeded has no last success', async () => {
  await putEnded({ state: 'exhausted', madeAgo: 2 * HOUR, endedAgo: MINUTE, count: 3 });
  expect(await lastSuccess()).toMatchObject({ minutes: null });
});
