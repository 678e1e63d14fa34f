import type { ServerResponse } from 'node:http';
import { until } from '../support/until';
import { enableSubscription } from '../../src/webhooks/sql/subscription-state';
import { saveSubscription } from '../../src/webhooks/sql/subscriptions';
import { type DeliveryId, newId } from '../../src/platform/ids';
import { type ConsumerBench, createConsumerBench } from '../support/consumer-bench';
import { status } from '../support/webhook-receiver';
import type { TestSubscription } from '../support/webhook-rows';

let bench: ConsumerBench;
beforeAll(async () => {
  bench = await createConsumerBench();
});
afterEach(() => bench.leaveAll());
afterAll(() => bench.close());

/** The receiver's health in its row. */
async function healthOf({ subscriptionId }: TestSubscription) {
  const [row] = await bench.database.sql`
    select disabled_reason, consecutive_failures, paused_until is not null as paused
    from subscription where subscription_id = ${subscriptionId}`;
  return row;
}

const UNKNOWN = { disabledReason: null, consecutiveFailures: 0, paused: false };

function changeUrl(of: TestSubscription, path: string): Promise<unknown> {
  return saveSubscription(bench.database.sql, {
    key: of,
    newId: newId('sub'),
    newSecretEncrypted: Buffer.alloc(0),
    url: bench.receiver.url + path,
    maxInFlight: null,
    heldKey: null,
  });
}

/** Webhooks to `path` get no answer until one is set. */
function hold(path: string): { answerAll: (code: number) => void } {
  const held: ServerResponse[] = [];
  bench.receiver.answer(path, (response) => void held.push(response));
  return { answerAll: (code) => held.forEach((response) => response.writeHead(code).end()) };
}

/** A worker with `count` unanswered requests to `path`. */
async function sendHeld(path: string, count: number) {
  const { rows, receiver } = bench;
  const old = hold(path);
  const subscription = await rows.subscribe({ url: receiver.url + path });
  const ids = await rows.put(subscription, count);
  const worker = await bench.startWorker({ timeoutMs: 8_000, retryTable: [600_000] });
  await until(() => receiver.receivedAt(path).length === count);
  return { ...old, subscription, ids, worker };
}

/** Whether an attempt of each delivery is recorded. */
async function wereTried(ids: readonly DeliveryId[]): Promise<boolean> {
  const attempts = await Promise.all(ids.map((id) => bench.rows.attempts(id)));
  return attempts.every((each) => each.length === 1);
}

test('a 410 from an earlier URL ends its delivery and leaves the subscription enabled', async () => {
  const { answerAll, subscription, ids, worker } = await sendHeld('/gone-before', 1);
  await changeUrl(subscription, '/present');
  answerAll(410);
  await until(async () => (await bench.rows.countPending(subscription)) === 0);
  await worker.leave();
  expect(await bench.rows.delivery(ids[0] as never)).toMatchObject({ state: 'refused' });
  expect(await healthOf(subscription)).toEqual(UNKNOWN);
});

test('failures of an earlier URL neither pause the current one nor count', async () => {
  const { answerAll, subscription, ids, worker } = await sendHeld('/failed-before', 12);
  await changeUrl(subscription, '/sound-now');
  answerAll(500);
  await until(() => wereTried(ids));
  await worker.leave();
  expect(await healthOf(subscription)).toEqual(UNKNOWN);
  await bench.rows.put(subscription);
  const next = await bench.startWorker();
  await until(() => bench.receiver.receivedAt('/sound-now').length === 1);
  await next.leave();
  expect(await healthOf(subscription)).toEqual(UNKNOWN);
});

test('a success of an earlier URL clears no failures of the current one', async () => {
  const { answerAll, subscription, worker } = await sendHeld('/slow-before', 1);
  bench.receiver.answer('/failing-now', status(500));
  await changeUrl(subscription, '/failing-now');
  await bench.rows.put(subscription, 3);
  worker.wake(subscription);
  await until(async () => (await healthOf(subscription))?.['consecutiveFailures'] === 3);
  answerAll(204);
  await until(async () => (await bench.rows.countPending(subscription)) === 3);
  await worker.leave();
  expect(await healthOf(subscription)).toMatchObject({ consecutiveFailures: 3 });
});

test('a URL that was changed and changed back starts with a clean record: earlier requests do not count', async () => {
  const { answerAll, subscription, ids, worker } = await sendHeld('/there-and-back', 12);
  await changeUrl(subscription, '/elsewhere');
  await changeUrl(subscription, '/there-and-back');
  answerAll(500);
  await until(() => wereTried(ids));
  await worker.leave();
  expect(await healthOf(subscription)).toEqual(UNKNOWN);
});

test('a success of the current URL clears its failures', async () => {
  const { subscription, answerAll, worker } = await sendHeld('/old-and-slow', 1);
  bench.receiver.answer('/recovers', (response, _, nth) =>
    response.writeHead(nth < 4 ? 500 : 204).end(),
  );
  await changeUrl(subscription, '/recovers');
  await bench.rows.put(subscription, 3);
  worker.wake(subscription);
  await until(async () => (await healthOf(subscription))?.['consecutiveFailures'] === 3);
  answerAll(500);
  await bench.rows.put(subscription);
  worker.wake(subscription);
  await until(async () => (await healthOf(subscription))?.['consecutiveFailures'] === 0);
  await worker.leave();
  expect(await healthOf(subscription)).toEqual(UNKNOWN);
});

test('enabling also resets the record of a running consumer: the tenth failure overall counts as the first', async () => {
  const { answerAll, subscription, worker } = await sendHeld('/enabled', 9);
  answerAll(500);
  await until(async () => (await healthOf(subscription))?.['consecutiveFailures'] === 9);
  bench.receiver.answer('/enabled', status(500));
  await enableSubscription(bench.database.sql, subscription);
  await bench.database.sql`
    update delivery set due_at = now() + interval '1 h'
    where subscription_id = ${subscription.subscriptionId}`;
  await bench.rows.put(subscription);
  worker.wake(subscription);
  await until(() => bench.receiver.receivedAt('/enabled').length === 10);
  await until(async () => (await healthOf(subscription))?.['consecutiveFailures'] !== 0);
  await worker.leave();
  expect(await healthOf(subscription)).toMatchObject({ consecutiveFailures: 1, paused: false });
});
