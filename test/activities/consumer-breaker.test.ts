import { setTimeout as sleep } from 'node:timers/promises';
import { disableSubscription, enableSubscription } from '../../src/webhooks/sql/subscription-state';
import { saveSubscription } from '../../src/webhooks/sql/subscriptions';
import { whyDeliveryWaits } from '../../src/contract/why-it-waits';
import type { DeliveryId } from '../../src/platform/ids';
import { findDeliveryWaits } from '../../src/webhooks/sql/delivery-wait-facts';
import { until } from '../support/until';
import { type ConsumerBench, createConsumerBench } from '../support/consumer-bench';
import { status } from '../support/webhook-receiver';
import type { TestSubscription } from '../support/webhook-rows';

let bench: ConsumerBench;
beforeAll(async () => {
  bench = await createConsumerBench();
});
afterEach(() => bench.leaveAll());
afterAll(() => bench.close());

interface Health {
  readonly state: string;
  readonly disabledReason: string | null;
  readonly consecutiveFailures: number;
  readonly failingSince: Date | null;
  readonly pausedMs: number | null;
}

async function healthOf({ subscriptionId }: TestSubscription): Promise<Health> {
  const [row] = await bench.database.sql<Health[]>`
    select state, disabled_reason, consecutive_failures, failing_since,
      (extract(epoch from paused_until - now()) * 1000)::float8 as paused_ms
    from subscription where subscription_id = ${subscriptionId}`;
  if (!row) throw new Error('no such subscription');
  return row;
}

async function waitsOf(ids: readonly DeliveryId[]): Promise<readonly unknown[]> {
  const facts = await findDeliveryWaits(bench.database.sql, ids);
  return facts.map((each) => whyDeliveryWaits(each)?.reason);
}

function endPause({ subscriptionId }: TestSubscription): PromiseLike<unknown> {
  return bench.database.sql`
    update subscription set paused_until = now() where subscription_id = ${subscriptionId}`;
}

/** Until it is paused for at least so long. */
function untilPaused(subscription: TestSubscription, ms = 20_000): Promise<void> {
  return until(async () => ((await healthOf(subscription)).pausedMs ?? 0) > ms);
}

function untilDisabled(subscription: TestSubscription): Promise<void> {
  return until(async () => (await healthOf(subscription)).state === 'disabled');
}

test('ten failures in a row pause a receiver for 30 s; the pause uses up no attempt', async () => {
  const { rows, receiver } = bench;
  receiver.answer('/ten', status(500));
  const subscription = await rows.subscribe({ url: `${receiver.url}/ten`, maxInFlight: 1 });
  const ids = await rows.put(subscription, 20);
  const worker = await bench.startWorker({ retryTable: [600_000] });
  await untilPaused(subscription);
  const { pausedMs, consecutiveFailures } = await healthOf(subscription);
  expect(pausedMs).toBeGreaterThan(25_000);
  expect(pausedMs).toBeLessThanOrEqual(30_000);
  expect(consecutiveFailures).toBe(10);
  worker.wake(subscription);
  await sleep(300);
  expect(receiver.receivedAt('/ten')).toHaveLength(10);
  expect(await rows.delivery(ids[15] as never)).toMatchObject({
    state: 'pending',
    attemptsMade: 0,
  });
});

test('with many in flight the first pause is not longer, and failures during it do not count', async () => {
  const { rows, receiver } = bench;
  receiver.answer('/burst', (response) => void setTimeout(() => response.writeHead(500).end(), 30));
  const subscription = await rows.subscribe({ url: `${receiver.url}/burst`, maxInFlight: 40 });
  await rows.put(subscription, 60);
  const worker = await bench.startWorker({ retryTable: [600_000] });
  await untilPaused(subscription);
  await worker.leave();
  expect((await healthOf(subscription)).consecutiveFailures).toBe(10);
  expect(receiver.receivedAt('/burst').length).toBeLessThanOrEqual(50);
  expect((await healthOf(subscription)).pausedMs).toBeLessThanOrEqual(30_000);
});

test('after a pause one delivery goes out as a probe; if it fails the pause doubles', async () => {
  const { rows, receiver } = bench;
  receiver.answer('/probe', status(500));
  const subscription = await rows.subscribe({ url: `${receiver.url}/probe`, maxInFlight: 10 });
  await rows.put(subscription, 30);
  const worker = await bench.startWorker({ retryTable: [600_000] });
  await untilPaused(subscription);
  await worker.leave();
  const before = receiver.receivedAt('/probe').length;
  await endPause(subscription);
  await bench.startWorker({ retryTable: [600_000] });
  await untilPaused(subscription, 50_000);
  expect((await healthOf(subscription)).consecutiveFailures).toBe(11);
  expect(receiver.receivedAt('/probe')).toHaveLength(before + 1);
  const { pausedMs } = await healthOf(subscription);
  expect(pausedMs).toBeGreaterThan(50_000);
  expect(pausedMs).toBeLessThanOrEqual(60_000);
});

test('Retry-After of one answer keeps everything from the receiver, resends too; then one probe, whose success ends it', async () => {
  const { rows, receiver, database } = bench;
  const answer = { code: 429 };
  receiver.answer('/asks', (...args) => status(answer.code, '', { 'retry-after': '60' })(...args));
  const subscription = await rows.subscribe({ url: `${receiver.url}/asks`, maxInFlight: 1 });
  const ids = await rows.put(subscription, 14);
  const worker = await bench.startWorker({ retryTable: [20, 20] });
  await untilPaused(subscription);
  expect(receiver.receivedAt('/asks')).toHaveLength(1);
  const { pausedMs, consecutiveFailures } = await healthOf(subscription);
  expect(pausedMs).toBeGreaterThan(50_000);
  expect(pausedMs).toBeLessThanOrEqual(60_000);
  expect(consecutiveFailures).toBe(1);
  expect(await waitsOf(ids)).toEqual(Array.from({ length: 14 }, () => 'receiver_busy'));
  // Another delivery, and one that is sent again, as the others wait for the receiver and not for themselves.
  await rows.put(subscription, 1);
  await database.sql`update delivery set due_at = now() where subscription_id = ${subscription.subscriptionId}`;
  worker.wake(subscription);
  await sleep(300);
  expect(receiver.receivedAt('/asks')).toHaveLength(1);

  await endPause(subscription);
  worker.wake(subscription);
  await untilPaused(subscription);
  expect(receiver.receivedAt('/asks')).toHaveLength(2);

  answer.code = 204;
  await endPause(subscription);
  await database.sql`update delivery set due_at = now() where subscription_id = ${subscription.subscriptionId}`;
  worker.wake(subscription);
  await bench.untilSent(subscription);
  expect(receiver.receivedAt('/asks')).toHaveLength(17);
});

test('one success clears the record, and all waiting deliveries go out', async () => {
  const { rows, receiver } = bench;
  receiver.answer('/healed', status(500));
  const subscription = await rows.subscribe({ url: `${receiver.url}/healed`, maxInFlight: 5 });
  await rows.put(subscription, 40);
  const worker = await bench.startWorker({ retryTable: [100, 100, 100] });
  await untilPaused(subscription);
  receiver.answer('/healed', status(204));
  await endPause(subscription);
  worker.wake(subscription);
  await bench.untilSent(subscription);
  expect(await healthOf(subscription)).toMatchObject({
    state: 'enabled',
    consecutiveFailures: 0,
    failingSince: null,
    pausedMs: null,
  });
});

test.each([
  { type: 1, state: 'pending', waiting: 2 },
  { type: 2, state: 'refused', waiting: 1 },
] as const)(
  '410 makes a type $type delivery $state and disables the subscription; what waits goes out when it is enabled',
  async ({ type, state, waiting }) => {
    const { rows, receiver } = bench;
    const path = `/gone-${type}`;
    receiver.answer(path, status(410));
    const subscription = await rows.subscribe({ url: receiver.url + path, type, maxInFlight: 1 });
    const [first, second] = await rows.put(subscription, 2);
    const worker = await bench.startWorker();
    await untilDisabled(subscription);
    expect(await rows.countPending(subscription)).toBe(waiting);
    expect(await healthOf(subscription)).toMatchObject({
      state: 'disabled',
      disabledReason: 'gone',
    });
    expect(await rows.delivery(first as never)).toMatchObject({ state, receiverStatus: 410 });
    expect(await rows.delivery(second as never)).toMatchObject({
      state: 'pending',
      attemptsMade: 0,
    });
    receiver.answer(path, status(204));
    await enableSubscription(bench.database.sql, subscription);
    worker.wake(subscription);
    await bench.untilSent(subscription);
    expect(await rows.delivery(first as never)).toMatchObject(
      type === 1
        ? { state: 'delivered', receiverStatus: 204, attemptsMade: 2 }
        : { state: 'refused', attemptsMade: 1 },
    );
  },
);

test('five days without a success disable a subscription, and its deliveries stay', async () => {
  const { rows, receiver, database } = bench;
  receiver.answer('/five-days', status(500));
  const subscription = await rows.subscribe({ url: `${receiver.url}/five-days`, maxInFlight: 1 });
  await rows.put(subscription, 3);
  await database.sql`
    update subscription set consecutive_failures = 25, paused_until = now() - interval '1 s',
      failing_since = now() - interval '5 days' where subscription_id = ${subscription.subscriptionId}`;
  const worker = await bench.startWorker({ retryTable: [600_000] });
  await untilDisabled(subscription);
  await worker.leave();
  expect(receiver.receivedAt('/five-days')).toHaveLength(1);
  expect(await rows.countPending(subscription)).toBe(3);
  expect(await healthOf(subscription)).toMatchObject({ disabledReason: 'failing' });
});

test('a subscription that its owner disables while it is sent to gets nothing more; after it is enabled, the oldest delivery goes first', async () => {
  const { rows, receiver, database } = bench;
  receiver.answer('/held', (response) => void setTimeout(() => response.writeHead(204).end(), 20));
  const subscription = await rows.subscribe({ url: `${receiver.url}/held`, maxInFlight: 1 });
  await rows.put(subscription, 30);
  const worker = await bench.startWorker();
  await until(() => receiver.receivedAt('/held').length >= 3);
  await disableSubscription(database.sql, subscription);
  await until(
    async () =>
      30 - (await rows.countPending(subscription)) === receiver.receivedAt('/held').length,
  );
  expect((await healthOf(subscription)).disabledReason).toBe('manual');
  const before = receiver.receivedAt('/held').length;
  worker.wake(subscription);
  await sleep(300);
  expect(receiver.receivedAt('/held').length).toBe(before);
  await enableSubscription(database.sql, subscription);
  worker.wake(subscription);
  await bench.untilSent(subscription);
  const sequences = receiver.receivedAt('/held').map((each) => each.sequence);
  expect(sequences).toHaveLength(30);
  expect(sequences).toEqual(sequences.toSorted((a, b) => a - b));
});

test('a new URL is a new receiver: failures of the old one do not pause it', async () => {
  const { rows, receiver, database } = bench;
  receiver.answer('/old-url', status(500));
  receiver.answer('/new-url', (response, _, nth) =>
    response.writeHead(nth === 1 ? 500 : 204).end(),
  );
  const subscription = await rows.subscribe({ url: `${receiver.url}/old-url`, maxInFlight: 1 });
  const { subscriptionId } = subscription;
  await rows.put(subscription, 9);
  await database.sql`
    update delivery set attempts_made = 1 where subscription_id = ${subscriptionId}`;
  const worker = await bench.startWorker({ retryTable: [50] });
  await until(() => receiver.receivedAt('/old-url').length === 9);
  await saveSubscription(database.sql, {
    key: subscription,
    newId: subscriptionId,
    newSecretEncrypted: Buffer.alloc(0),
    url: `${receiver.url}/new-url`,
    maxInFlight: null,
    heldKey: null,
  });
  await rows.put(subscription, 3);
  worker.wake(subscription);
  await bench.untilSent(subscription);
  await worker.leave();
  expect((await healthOf(subscription)).pausedMs).toBeNull();
});
