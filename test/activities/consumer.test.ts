import { listenResiliently } from '../../src/platform/db/listen';
import type { ServerResponse } from 'node:http';
import { until } from '../support/until';
import { readRowsDone, ROW_DONE, type RowDone } from '../../src/platform/db/row-done';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { subscriptionSecretContext } from '../../src/webhooks/sql/subscriptions';
import { rotateSubscriptionSecret } from '../../src/webhooks/sql/subscription-secrets';
import { WEBHOOKS_DUE } from '../../src/webhooks/sql/announcements';
import { generateSecret } from '../../src/platform/crypto/signing';
import { type ConsumerBench, createConsumerBench } from '../support/consumer-bench';
import type { ReceivedWebhook } from '../support/webhook-receiver';

let bench: ConsumerBench;
beforeAll(async () => {
  bench = await createConsumerBench();
});
afterAll(() => bench.close());

function verify(webhook: ReceivedWebhook | undefined, secret: string): unknown {
  const headers = webhook?.headers as Record<string, string>;
  // The library compares with the clock; a test runs within its tolerance.
  return new Webhook(secret).verify(webhook?.body ?? '', headers);
}

test('due deliveries go out in order of creation, signed and recorded with their attempts, and nothing is left', async () => {
  const { rows, receiver } = bench;
  const subscription = await rows.subscribe({ url: `${receiver.url}/plain`, maxInFlight: 1 });
  const ids = await rows.put(subscription, 5);
  await bench.sendAll(subscription);
  const received = receiver.receivedAt('/plain');
  expect(received.map((each) => each.id)).toEqual(ids.map((id) => id.replace('dlv', 'msg')));
  expect(verify(received[0], subscription.secret)).toMatchObject({ store_id: 's1' });
  for (const id of ids) {
    expect(await rows.delivery(id)).toMatchObject({ state: 'acknowledged', receiverStatus: 204 });
    expect(await rows.attempts(id)).toMatchObject([{ number: 1, status: 204, error: null }]);
  }
});

test('deliveries of a subscription start in order of creation, as many at once as it allows', async () => {
  const { rows, receiver } = bench;
  let [open, most] = [0, 0];
  const held: ServerResponse[] = [];
  // Answers seven together, a little later than they are there: an eighth would show.
  receiver.answer('/capped', (response) => {
    held.push(response);
    open += 1;
    most = Math.max(most, open);
    if (open < 7) return;
    setTimeout(() => {
      open = 0;
      for (const each of held.splice(0)) each.writeHead(204).end();
    }, 20);
  });
  const subscription = await rows.subscribe({ url: `${receiver.url}/capped`, maxInFlight: 7 });
  const ids = await rows.put(subscription, 70);
  // Not in order of arrival: a request whose connection is slow to open is overtaken by those that follow.
  const started: unknown[] = [];
  await bench.sendAll(subscription, {
    onRequest: ({ headers }) => started.push(headers?.['webhook-id']),
  });
  expect(most).toBe(7);
  expect(started).toEqual(ids.map((id) => id.replace('dlv', 'msg')));
  expect(receiver.receivedAt('/capped')).toHaveLength(70);
});

test('a delivery announced while the subscription has nothing else goes out within milliseconds', async () => {
  const { rows, receiver } = bench;
  const subscription = await rows.subscribe({ url: `${receiver.url}/warm` });
  const worker = await bench.startWorker();
  await sleep(300);
  // The fastest of some: a busy machine delays any one of them, and without the announcement each waits for the next look.
  const latencies: number[] = [];
  for (let n = 1; n <= 5; n += 1) {
    await rows.put(subscription);
    const announcedAt = Date.now();
    worker.wake(subscription);
    await until(() => receiver.receivedAt('/warm').length === n);
    latencies.push(Date.now() - announcedAt);
  }
  expect(Math.min(...latencies)).toBeLessThan(150);
  await worker.leave();
});

test('a delivery whose announcement was lost still goes out', async () => {
  const { rows, receiver } = bench;
  const subscription = await rows.subscribe({ url: `${receiver.url}/unannounced` });
  const worker = await bench.startWorker();
  await sleep(300);
  await rows.put(subscription);
  await until(() => receiver.receivedAt('/unannounced').length > 0, 2_000);
  expect(receiver.receivedAt('/unannounced')).toHaveLength(1);
  await worker.leave();
});

test('an announcement that nobody can read breaks nothing, and announces nothing else', async () => {
  const { rows, receiver, database } = bench;
  const subscription = await rows.subscribe({ url: `${receiver.url}/unreadable` });
  const worker = await bench.startWorker();
  const { shard, subscriptionId } = subscription;
  const texts = ['', ' ', 'x', `${shard} sub_unknown`, `${shard} ${subscriptionId} x`];
  for (const text of texts) await database.sql`select pg_notify(${WEBHOOKS_DUE}, ${text})`;
  await rows.put(subscription);
  await until(async () => (await rows.countPending(subscription)) === 0);
  expect(receiver.receivedAt('/unreadable')).toHaveLength(1);
  await worker.leave();
});

test('a waiting caller gets a plain acknowledgement from the notice, and reads the row for every other end', async () => {
  const { rows, receiver, database } = bench;
  receiver.answer('/told', (response, _, nth) =>
    nth === 1 ? response.writeHead(204).end() : response.writeHead(422).end('{"message":"No."}'),
  );
  const told: RowDone[] = [];
  const listener = await listenResiliently(database.url, [ROW_DONE], {
    onNotify: (_channel, payload) => told.push(...readRowsDone(payload)),
    onListening: () => {},
  });
  const subscription = await rows.subscribe({ url: `${receiver.url}/told`, maxInFlight: 1 });
  const [first, second] = await rows.put(subscription, 2);
  await database.sql`
    update delivery set awaited_until = now() + interval '1 minute'
    where subscription_id = ${subscription.subscriptionId}`;
  await bench.sendAll(subscription);
  await until(() => told.length === 2);
  expect(told).toEqual([
    { id: first, notice: '204' },
    { id: second, notice: null },
  ]);
  await listener.stop();
});

test('a new secret and a new URL apply to the very next attempt of a running consumer', async () => {
  const { rows, receiver, database } = bench;
  const subscription = await rows.subscribe({ url: `${receiver.url}/before` });
  const { subscriptionId, secret } = subscription;
  const worker = await bench.startWorker();
  await rows.put(subscription);
  await until(() => receiver.receivedAt('/before').length === 1);
  const newSecret = generateSecret();
  await rotateSubscriptionSecret(database.sql, {
    subscriptionId,
    secretId: 'second',
    newSecretEncrypted: rows.secrets.encrypt(newSecret, subscriptionSecretContext(subscriptionId)),
    graceSeconds: 60,
    heldKey: null,
  });
  await database.sql`
    update subscription set url = ${`${receiver.url}/after`} where subscription_id = ${subscriptionId}`;
  await rows.put(subscription);
  worker.wake(subscription);
  await until(() => receiver.receivedAt('/after').length === 1);
  await worker.leave();
  const [webhook] = receiver.receivedAt('/after');
  for (const each of [secret, newSecret]) expect(verify(webhook, each)).toBeDefined();
  const [first, second] = String(webhook?.headers['webhook-signature']).split(' ');
  expect(first).not.toBe(second);
});

test('a receiver never gets more attempts a second than its limit, spread evenly, retries included', async () => {
  const { rows, receiver, database } = bench;
  receiver.answer('/paced', (response, _, nth) =>
    response.writeHead(nth % 4 === 0 ? 500 : 204).end(),
  );
  const subscription = await rows.subscribe({ url: `${receiver.url}/paced` });
  await database.sql`
    update subscription set max_per_second = 20 where subscription_id = ${subscription.subscriptionId}`;
  await rows.put(subscription, 30);
  await bench.sendAll(subscription, { retryTable: [10, 10, 10, 10] });
  const times = receiver.receivedAt('/paced').map((each) => each.at);
  const spanMs = (times.at(-1) ?? 0) - (times[0] ?? 0);
  expect(times.length).toBeGreaterThan(35);
  expect(times.length).toBeLessThanOrEqual((spanMs / 1_000) * 20 + 3);
  // It is not slower than that either.
  expect(spanMs).toBeLessThan(times.length * 50 + 1_500);
});

test('a payload too large for the shared claim arrives to the last byte', async () => {
  const { rows, receiver, database } = bench;
  const subscription = await rows.subscribe({ url: `${receiver.url}/large`, type: 1 });
  const [id] = await rows.put(subscription);
  const items = JSON.stringify([{ blob: randomBytes(200_000).toString('base64'), price: '1.50' }]);
  await database.sql`
    update delivery set payload = ${`{"items":${items}}`}::text::json where delivery_id = ${id ?? ''}`;
  await bench.sendAll(subscription);
  const [webhook] = receiver.receivedAt('/large');
  expect(webhook?.body.endsWith(`,"items":${items}}`)).toBe(true);
  expect(verify(webhook, subscription.secret)).toBeDefined();
});

test('a secret that cannot be opened uses up no attempt, delays no other subscription, and is retried', async () => {
  const { rows, receiver, database } = bench;
  const subscription = await rows.subscribe({ url: `${receiver.url}/sealed` });
  const neighbour = await rows.subscribe({
    url: `${receiver.url}/neighbour`,
    beside: subscription,
  });
  const [id] = await rows.put(subscription);
  await rows.put(neighbour);
  const [row] = await database.sql<{ secretEncrypted: Buffer }[]>`
    select secret_encrypted from subscription where subscription_id = ${subscription.subscriptionId}`;
  await database.sql`
    update subscription set secret_encrypted = ${randomBytes(80)}::bytea
    where subscription_id = ${subscription.subscriptionId}`;
  const worker = await bench.startWorker();
  await until(async () => (await rows.countPending(neighbour)) === 0);
  await sleep(500);
  expect(receiver.receivedAt('/sealed')).toEqual([]);
  expect(await rows.delivery(id as never)).toMatchObject({ state: 'pending', attemptsMade: 0 });
  await database.sql`
    update subscription set secret_encrypted = ${row?.secretEncrypted ?? null}::bytea
    where subscription_id = ${subscription.subscriptionId}`;
  await until(() => receiver.receivedAt('/sealed').length === 1);
  await worker.leave();
});
