import { Webhook } from 'standardwebhooks';
import { newId, type UserId } from '../../src/platform/ids';
import { generateSecret } from '../../src/platform/crypto/signing';
import { enableSubscription } from '../../src/webhooks/sql/subscription-state';
import { saveSubscription, subscriptionSecretContext } from '../../src/webhooks/sql/subscriptions';
import { type ConsumerBench, createConsumerBench } from '../support/consumer-bench';
import { until } from '../support/until';
import { status } from '../support/webhook-receiver';
import type { TestSubscription } from '../support/webhook-rows';

let bench: ConsumerBench;
beforeAll(async () => {
  bench = await createConsumerBench();
});
afterEach(() => bench.leaveAll());
afterAll(() => bench.close());

async function ownerOf({ inventorySystemId }: TestSubscription): Promise<UserId> {
  const [owner] = await bench.database.sql<{ userId: UserId }[]>`
    select created_by as user_id from inventory_system
    where inventory_system_id = ${inventorySystemId}::uuid`;
  if (!owner) throw new Error('the system has no owner');
  return owner.userId;
}

/** The webhook for events of the owner of `of`'s system. */
async function wantEvents(of: TestSubscription, path: string): Promise<TestSubscription> {
  const { sql } = bench.database;
  const userId = await ownerOf(of);
  const [subscriptionId, secret] = [newId('sub'), generateSecret()];
  const context = subscriptionSecretContext(subscriptionId);
  await saveSubscription(sql, {
    key: { userId, type: 3 },
    newId: subscriptionId,
    newSecretEncrypted: bench.rows.secrets.encrypt(secret, context),
    url: bench.receiver.url + path,
    maxInFlight: null,
    heldKey: null,
  });
  // It may have been there.
  const [made] = await sql<Pick<TestSubscription, 'subscriptionId' | 'shard'>[]>`
    select subscription_id, shard from subscription where type = 3`;
  if (!made) throw new Error('it was not made');
  return { ...of, ...made, secret };
}

async function isPaused({ subscriptionId }: TestSubscription): Promise<boolean> {
  const found = await bench.database.sql`
    select from subscription where subscription_id = ${subscriptionId} and paused_until > now()`;
  return found.length === 1;
}

test('the platform gets events about a failing receiver, signed, in order and once', async () => {
  const { rows, receiver, database } = bench;
  receiver.answer('/failing', status(500));
  const failing = await rows.subscribe({ url: `${receiver.url}/failing`, maxInFlight: 1 });
  const events = await wantEvents(failing, '/platform');
  const worker = await bench.startWorker({ retryTable: [600_000] });
  const ids = await rows.put(failing, 12);
  await until(() => isPaused(failing));
  receiver.answer('/failing', (response) => {
    response.writeHead(400, { 'content-type': 'application/json' });
    response.end('{"message":"No."}');
  });
  await database.sql`
    update subscription set paused_until = now() where subscription_id = ${failing.subscriptionId}`;
  worker.wake(failing);
  await until(async () => (await rows.countPending(failing)) === 10);
  await bench.untilSent(events);
  await worker.leave();

  const received = receiver.receivedAt('/platform');
  const told = received.map(({ body, headers }) =>
    new Webhook(events.secret).verify(body, headers as Record<string, string>),
  ) as { type: string; timestamp: string; data: Record<string, unknown> }[];
  expect(told[0]).toMatchObject({ type: 'webhook.paused', data: { type: 2, state: 'enabled' } });
  expect(new Set(told.map(({ type }) => type))).toEqual(
    new Set(['webhook.paused', 'delivery.failed', 'webhook.resumed']),
  );
  expect(told.filter(({ type }) => type === 'webhook.resumed')).toHaveLength(1);
  const failed = told.filter(({ type }) => type === 'delivery.failed');
  expect(failed.map(({ data }) => data['delivery_id'])).toEqual([ids[10], ids[11]]);
  expect(failed[0]?.data).toMatchObject({ state: 'refused', receiver_status: 400, message: 'No.' });
  for (const { headers } of received) expect(headers).not.toHaveProperty('x-signature-request');
  const sequences = received.map(({ sequence }) => sequence);
  expect(sequences).toEqual(sequences.toSorted((a, b) => a - b));
});

test('events are retried until a 2xx, the same to the last byte; a 410 disables their webhook without an event', async () => {
  const { rows, receiver, database } = bench;
  const { sql } = database;
  const subscription = await rows.subscribe({ url: `${receiver.url}/quiet` });
  const own = await wantEvents(subscription, '/again');
  const tell = (at: string) => sql`
    select write_event('webhook.disabled', ${at}::timestamptz, '{}',
      about_system => ${subscription.inventorySystemId}::uuid)`;
  let answers = [500, 404, 302, 201];
  receiver.answer('/again', (response) => response.writeHead(answers.shift() ?? 410).end());
  await bench.startWorker({ retryTable: [10, 10, 10, 10] });
  await tell('2026-11-22T10:00:00.123456Z');
  await bench.untilSent(own);
  const bodies = receiver.receivedAt('/again').map(({ body }) => body);
  expect(bodies).toHaveLength(4);
  expect(new Set(bodies)).toEqual(
    new Set(['{"type":"webhook.disabled","timestamp":"2026-11-22T10:00:00.123Z","data":{}}']),
  );
  answers = [];
  await tell('2026-11-22T10:00:01Z');
  await bench.untilSent(own);
  expect(
    await sql`select state, receiver_status from any_delivery
      where subscription_id = ${own.subscriptionId} order by sequence desc limit 1`,
  ).toEqual([{ state: 'refused', receiverStatus: 410 }]);
  expect(
    await sql`select state, disabled_reason from subscription where subscription_id = ${own.subscriptionId}`,
  ).toEqual([{ state: 'disabled', disabledReason: 'gone' }]);
  expect(await sql`select from delivery where type = 3`).toHaveLength(0);
});

test('an event that a trigger writes goes out at once, without a look for what is due', async () => {
  const { rows, receiver, database } = bench;
  const subscription = await rows.subscribe({ url: `${receiver.url}/none` });
  const events = await wantEvents(subscription, '/prompt');
  await enableSubscription(database.sql, { userId: await ownerOf(subscription), type: 3 });
  const worker = await bench.startWorker();
  await bench.untilOwned(worker, events);
  const startedAt = performance.now();
  for (let nth = 1; nth <= 6; nth += 1) {
    await database.sql`
      select write_event('webhook.disabled', now(), '{}', about_system => ${subscription.inventorySystemId}::uuid)`;
    await until(() => receiver.receivedAt('/prompt').length === nth);
  }
  // A look comes every second.
  expect(performance.now() - startedAt).toBeLessThan(3_000);
});
