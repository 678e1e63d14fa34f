import { Webhook } from 'standardwebhooks';
import { newId, type UserId } from '../../src/platform/ids';
import { generateSecret } from '../../src/platform/crypto/signing';
import { saveSubscription, subscriptionSecretContext } from '../../src/webhooks/sql/subscriptions';
import { createDrainBench, type DrainBench } from '../support/drain-bench';
import { status } from '../support/webhook-receiver';
import type { TestSubscription } from '../support/webhook-rows';

let bench: DrainBench;
beforeAll(async () => {
  bench = await createDrainBench();
});
afterAll(() => bench.close());

/** The webhook for events of the owner of `of`'s system, in a separate line. */
async function wantEvents(of: TestSubscription, path: string): Promise<TestSubscription> {
  const { sql } = bench.database;
  const [owner] = await sql<{ userId: UserId }[]>`
    select created_by as user_id from inventory_system
    where inventory_system_id = ${of.inventorySystemId}::uuid`;
  if (!owner) throw new Error('the system has no owner');
  const [subscriptionId, secret] = [newId('sub'), generateSecret()];
  const context = subscriptionSecretContext(subscriptionId);
  await saveSubscription(sql, {
    key: { userId: owner.userId, type: 3 },
    newId: subscriptionId,
    newSecretEncrypted: bench.rows.secrets.encrypt(secret, context),
    url: bench.receiver.url + path,
    maxInFlight: null,
    heldKey: null,
  });
  const line = 200;
  await sql`
    update subscription set line = ${line}::smallint where subscription_id = ${subscriptionId}`;
  return { ...of, subscriptionId, secret, line };
}

test('the platform gets events about a failing receiver, signed, in order and once', async () => {
  const { rows, receiver, database } = bench;
  receiver.answer('/failing', status(500));
  const failing = await rows.subscribe({ url: `${receiver.url}/failing`, maxInFlight: 1 });
  const events = await wantEvents(failing, '/platform');
  const worker = bench.startWorker({ retryTable: [600_000] });
  const ids = await rows.put(failing, 12);
  await bench.startDrain(worker, failing).report;
  receiver.answer('/failing', (response) => {
    response.writeHead(400, { 'content-type': 'application/json' });
    response.end('{"message":"No."}');
  });
  await database.sql`
    update subscription set paused_until = now() where subscription_id = ${failing.subscriptionId}`;
  await bench.startDrain(worker, failing).report;
  await bench.drainAll(worker, events);

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
  const events = await wantEvents(subscription, '/again');
  const [row] = await sql<{ subscriptionId: string }[]>`
    select subscription_id from subscription where type = 3 and url = ${`${receiver.url}/again`}`;
  const own = { ...events, subscriptionId: row?.subscriptionId as typeof events.subscriptionId };
  const tell = (at: string) => sql`
    select write_event('webhook.disabled', ${at}::timestamptz, '{}',
      about_system => ${subscription.inventorySystemId}::uuid)`;
  let answers = [500, 404, 302, 201];
  receiver.answer('/again', (response) => response.writeHead(answers.shift() ?? 410).end());
  const worker = bench.startWorker({ retryTable: [10, 10, 10, 10] });
  await tell('2026-11-22T10:00:00.123456Z');
  await bench.drainAll(worker, own);
  const bodies = receiver.receivedAt('/again').map(({ body }) => body);
  expect(bodies).toHaveLength(4);
  expect(new Set(bodies)).toEqual(
    new Set(['{"type":"webhook.disabled","timestamp":"2026-11-22T10:00:00.123Z","data":{}}']),
  );
  answers = [];
  await tell('2026-11-22T10:00:01Z');
  await bench.drainAll(worker, own);
  expect(
    await sql`select state, receiver_status from any_delivery
      where subscription_id = ${own.subscriptionId} order by sequence desc limit 1`,
  ).toEqual([{ state: 'refused', receiverStatus: 410 }]);
  expect(
    await sql`select state, disabled_reason from subscription where subscription_id = ${own.subscriptionId}`,
  ).toEqual([{ state: 'disabled', disabledReason: 'gone' }]);
  expect(await sql`select from delivery where type = 3`).toHaveLength(0);
});
