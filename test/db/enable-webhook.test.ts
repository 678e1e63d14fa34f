import { enableSubscription } from '../../src/webhooks/sql/subscription-state';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { readingOf } from '../support/rows-read';
import {
  createWebhookRows,
  type TestSubscription,
  type WebhookRows,
} from '../support/webhook-rows';

let database: TestDatabase;
let rows: WebhookRows;

beforeAll(async () => {
  database = await createTestDatabase();
  rows = await createWebhookRows(database.sql);
});
afterAll(() => database.drop());

/** `count` deliveries wait for a retry an hour from now. */
async function wait({ subscriptionId, inventorySystemId }: TestSubscription, count: number) {
  await database.sql`
    insert into delivery (delivery_id, message_id, subscription_id, inventory_system_id, type, store_id, payload,
      payload_bytes, request_id, user_id, created_at, due_at)
    select 'dlv_' || id, 'msg_' || id, ${subscriptionId}, ${inventorySystemId}::uuid, 2, 1, '{}', 2,
      'r', 'u', now() - interval '1 h', now() + interval '1 h'
    from generate_series(1, ${count}::int) n, lateral (select md5(${subscriptionId} || n) as id) as made`;
}

async function countLater({ subscriptionId }: TestSubscription): Promise<number | undefined> {
  const [row] = await database.sql<{ count: number }[]>`
    select count(*)::int as count from delivery
    where subscription_id = ${subscriptionId} and due_at > now()`;
  return row?.count;
}

test('an enabled webhook has all its retries due, however many waited, by statements of 10,000', async () => {
  const disabled = await rows.subscribe({ url: 'https://disabled.example/' });
  const another = await rows.subscribe({ url: 'https://another.example/' });
  await wait(disabled, 25_000);
  await wait(another, 100);
  expect(await enableSubscription(database.sql, disabled)).toMatchObject({
    subscriptionId: disabled.subscriptionId,
    state: 'enabled',
  });
  expect(await countLater(disabled)).toBe(0);
  expect(await countLater(another)).toBe(100);
  const [statements] = await database.sql<{ count: number; largest: number }[]>`
    select count(*)::int as count, max(changed)::int as largest from (
      select count(*) as changed from delivery
      where subscription_id = ${disabled.subscriptionId} group by xmin::text) as by_statement`;
  expect(statements).toEqual({ count: 3, largest: 10_000 });
});

test('each waiting delivery is read three times: to find it, to lock it and to change it', async () => {
  const MANY = 50_000;
  const disabled = await rows.subscribe({ url: 'https://many.example/' });
  await wait(disabled, MANY);
  await database.sql`analyze delivery`;
  const { rows: read } = await readingOf('delivery', database.sql, (sql) =>
    enableSubscription(sql, disabled),
  );
  expect(read).toBeLessThan(3.5 * MANY);
});

test('a retry that became due while its webhook was disabled goes out before younger deliveries', async () => {
  const disabled = await rows.subscribe({ url: 'https://order.example/' });
  const { subscriptionId, inventorySystemId } = disabled;
  // The second was tried, failed, and was to be tried again after the third was made.
  await database.sql`
    insert into delivery (delivery_id, message_id, subscription_id, inventory_system_id, type, store_id, payload,
      payload_bytes, request_id, user_id, created_at, due_at)
    select 'dlv_' || id, 'msg_' || id, ${subscriptionId}, ${inventorySystemId}::uuid, 2, 1, '{}', 2, 'r', 'u',
      now() - made * interval '1 min', now() - due * interval '1 min'
    from (values ('one', 50, 50), ('two', 40, 10), ('three', 30, 30)) as d (id, made, due)`;
  await enableSubscription(database.sql, disabled);
  const inOrder = await database.sql<{ messageId: string }[]>`
    select message_id from delivery where subscription_id = ${subscriptionId} order by due_at, sequence`;
  expect(inOrder.map(({ messageId }) => messageId)).toEqual(['msg_one', 'msg_two', 'msg_three']);
});

test('a retry of what was resent becomes due by its resend', async () => {
  const disabled = await rows.subscribe({ url: 'https://resent.example/' });
  const { subscriptionId, inventorySystemId } = disabled;
  await database.sql`
    insert into delivery (delivery_id, message_id, subscription_id, inventory_system_id, type, store_id, payload,
      payload_bytes, request_id, user_id, created_at, resent_at, due_at, attempts_made, attempts_before_resend)
    select 'dlv_' || id, 'msg_' || id, ${subscriptionId}, ${inventorySystemId}::uuid, 2, 1, '{}', 2, 'r', 'u',
      now() - interval '40 days', now() - resent * interval '1 day', now() - due * interval '1 day', 4, before
    from (values ('first', 20, 20, 4), ('again', 10, 5, 3), ('later', 3, -1, 3))
      as d (id, resent, due, before)`;
  await enableSubscription(database.sql, disabled);
  const due = await database.sql<{ id: string; days: number }[]>`
    select message_id as id, round(extract(epoch from now() - due_at) / 86400)::int as days
    from delivery where subscription_id = ${subscriptionId} order by due_at`;
  expect(Object.fromEntries(due.map(({ id, days }) => [id, days]))).toEqual({
    msg_first: 20,
    msg_again: 10,
    msg_later: 3,
  });
});
