import { listenResiliently } from '../../src/platform/db/listen';
import { until } from '../support/until';
import { readRowsDone, ROW_DONE, type RowDone } from '../../src/platform/db/row-done';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { subscriptionSecretContext } from '../../src/webhooks/sql/subscriptions';
import { rotateSubscriptionSecret } from '../../src/webhooks/sql/subscription-secrets';
import { readAnnouncement } from '../../src/webhooks/sql/announcements';
import { generateSecret } from '../../src/platform/crypto/signing';
import { createDrainBench, type DrainBench } from '../support/drain-bench';
import type { ReceivedWebhook } from '../support/webhook-receiver';

let bench: DrainBench;
beforeAll(async () => {
  bench = await createDrainBench();
});
afterAll(() => bench.close());

function verify(webhook: ReceivedWebhook | undefined, secret: string): unknown {
  const headers = webhook?.headers as Record<string, string>;
  // The library compares with the clock; a test runs within its tolerance.
  return new Webhook(secret).verify(webhook?.body ?? '', headers);
}

test('due deliveries go out in order of creation, signed and recorded with their attempts, and then the drain ends', async () => {
  const { rows, receiver } = bench;
  const subscription = await rows.subscribe({ url: `${receiver.url}/plain`, maxInFlight: 1 });
  const ids = await rows.put(subscription, 5);
  const report = await bench.startDrain(bench.startWorker(), subscription).report;
  expect(report).toEqual({ next: { kind: 'idle' }, attempts: 5, holding: null });
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
  receiver.answer('/capped', (response) => {
    open += 1;
    most = Math.max(most, open);
    setTimeout(() => {
      open -= 1;
      response.writeHead(204).end();
    }, 20);
  });
  const subscription = await rows.subscribe({ url: `${receiver.url}/capped`, maxInFlight: 7 });
  const ids = await rows.put(subscription, 70);
  // Not in order of arrival: a request whose connection is slow to open is overtaken by those that follow.
  const started: unknown[] = [];
  const worker = bench.startWorker({
    onRequest: ({ headers }) => started.push(headers?.['webhook-id']),
  });
  await bench.drainAll(worker, subscription);
  expect(most).toBe(7);
  expect(started).toEqual(ids.map((id) => id.replace('dlv', 'msg')));
  expect(receiver.receivedAt('/capped')).toHaveLength(70);
});

test('a delivery announced while the drain lingers goes out within milliseconds', async () => {
  const { rows, receiver } = bench;
  const subscription = await rows.subscribe({ url: `${receiver.url}/warm` });
  const worker = bench.startWorker();
  const drain = bench.startDrain(worker, subscription);
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
  await drain.cancel();
});

test('a delivery whose announcement was lost still goes out', async () => {
  const { rows, receiver } = bench;
  const subscription = await rows.subscribe({ url: `${receiver.url}/unannounced` });
  const drain = bench.startDrain(bench.startWorker({ lingerMs: 5_000 }), subscription);
  await sleep(300);
  await rows.put(subscription);
  await until(() => receiver.receivedAt('/unannounced').length === 1, 2_000);
  expect(await drain.cancel()).toMatchObject({ attempts: 1 });
});

test('an announcement that nobody can read breaks nothing, and announces nothing else', async () => {
  const { rows, receiver } = bench;
  const subscription = await rows.subscribe({ url: `${receiver.url}/unreadable` });
  const worker = bench.startWorker({ lingerMs: 5_000 });
  const drain = bench.startDrain(worker, subscription);
  const { line, subscriptionId } = subscription;
  for (const text of [
    '',
    ' ',
    'x',
    `${line}`,
    `${line} sub_unknown`,
    `${line} ${subscriptionId} x`,
  ])
    worker.wake(readAnnouncement(text));
  await rows.put(subscription);
  await until(async () => (await rows.countPending(subscription)) === 0);
  expect(receiver.receivedAt('/unreadable')).toHaveLength(1);
  await drain.cancel();
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
  await bench.drainAll(bench.startWorker(), subscription);
  await until(() => told.length === 2);
  expect(told).toEqual([
    { id: first, notice: '204' },
    { id: second, notice: null },
  ]);
  await listener.stop();
});

test('a new secret and a new URL apply to the very next attempt of a running drain', async () => {
  const { rows, receiver, database } = bench;
  const subscription = await rows.subscribe({ url: `${receiver.url}/before` });
  const { subscriptionId, secret } = subscription;
  const worker = bench.startWorker();
  const drain = bench.startDrain(worker, subscription);
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
  await drain.cancel();
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
  await bench.drainAll(bench.startWorker({ retryTable: [10, 10, 10, 10] }), subscription);
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
  await bench.drainAll(bench.startWorker(), subscription);
  const [webhook] = receiver.receivedAt('/large');
  expect(webhook?.body.endsWith(`,"items":${items}}`)).toBe(true);
  expect(verify(webhook, subscription.secret)).toBeDefined();
});

test('a secret that cannot be opened uses up no attempt, delays no other subscription, and is retried', async () => {
  const { rows, receiver, database } = bench;
  const subscription = await rows.subscribe({ url: `${receiver.url}/sealed` });
  const neighbour = await rows.subscribe({ url: `${receiver.url}/neighbour` });
  const [id] = await rows.put(subscription);
  await rows.put(neighbour);
  const [row] = await database.sql<{ secretEncrypted: Buffer }[]>`
    select secret_encrypted from subscription where subscription_id = ${subscription.subscriptionId}`;
  await database.sql`
    update subscription set secret_encrypted = ${randomBytes(80)}::bytea, line = ${neighbour.line}::smallint
    where subscription_id = ${subscription.subscriptionId}`;
  const drain = bench.startDrain(bench.startWorker({ lingerMs: 20_000 }), neighbour);
  await until(async () => (await rows.countPending(neighbour)) === 0);
  await sleep(500);
  expect(receiver.receivedAt('/sealed')).toEqual([]);
  expect(await rows.delivery(id as never)).toMatchObject({ state: 'pending', attemptsMade: 0 });
  await database.sql`
    update subscription set secret_encrypted = ${row?.secretEncrypted ?? null}::bytea
    where subscription_id = ${subscription.subscriptionId}`;
  await until(() => receiver.receivedAt('/sealed').length === 1);
  await drain.cancel();
});
