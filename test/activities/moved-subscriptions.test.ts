import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../support/until';
import { assignLines } from '../../src/webhooks/sql/webhook-lines';
import { createDrainBench, type DrainBench } from '../support/drain-bench';
import type { WebhookType } from '../../src/webhooks/payload';
import type { TestSubscription } from '../support/webhook-rows';

const LINES = 256;
/** Longer than a drain waits between two looks at what the former line has in flight. */
const SEVERAL_LOOKS_MS = 500;

let bench: DrainBench;
beforeAll(async () => {
  bench = await createDrainBench();
});
afterAll(() => bench.close());

interface Moved {
  /** As it stands in its new line. */
  readonly subscription: TestSubscription;
  /** Unanswered requests, sent by the drain of the former line. */
  readonly held: ServerResponse[];
  readonly arrived: () => number;
  readonly health: () => Promise<Record<string, unknown> | undefined>;
}

/**
 * A subscription that was moved to another line, which has a drain too, while it had `inFlight` requests in flight and
 * one more delivery waiting. Requests are answered by 204 from then on.
 */
async function moveWhileInFlight(
  path: string,
  inFlight: number,
  type: WebhookType = 2,
): Promise<Moved> {
  const { rows, receiver, database } = bench;
  const held: ServerResponse[] = [];
  receiver.answer(path, (response) => void held.push(response));
  const made = await rows.subscribe({ url: receiver.url + path, maxInFlight: inFlight, type });
  const { subscriptionId } = made;
  // A line that differs from the one to which `assignLines` moves it.
  const [row] = await database.sql<{ line: number }[]>`
    update subscription set line = mod(get_byte(decode(md5(subscription_id), 'hex'), 0) + 1, ${LINES}::int)
    where subscription_id = ${subscriptionId} returning line`;
  const former = { ...made, line: row?.line ?? NaN };
  const subscription = { ...made, line: (former.line + LINES - 1) % LINES };
  await rows.put(former, inFlight + 1);
  const [old, next] = [0, 1].map(() => bench.startWorker({ timeoutMs: 8_000 }));
  if (!old || !next) throw new Error('no workers');
  bench.startDrain(old, former);
  await until(() => held.length === inFlight);
  bench.startDrain(next, subscription);
  await assignLines(database.sql, LINES);
  receiver.answer(path, (response) => void response.writeHead(204).end());
  next.wake(subscription);
  return {
    subscription,
    held,
    arrived: () => receiver.receivedAt(path).length,
    health: async () => {
      const [found] = await database.sql`
        select consecutive_failures, disabled_reason from subscription where subscription_id = ${subscriptionId}`;
      return found;
    },
  };
}

test('a subscription that was moved sends nothing in its new line while the former one has requests in flight', async () => {
  const { subscription, held, arrived } = await moveWhileInFlight('/moved', 2);
  await sleep(SEVERAL_LOOKS_MS);
  expect(arrived()).toBe(2);
  held[0]?.writeHead(204).end();
  await sleep(SEVERAL_LOOKS_MS);
  expect(arrived()).toBe(2);
  held[1]?.writeHead(204).end();
  await until(() => arrived() === 3, 1_000);
  await until(async () => (await bench.rows.countPending(subscription)) === 0);
});

test('an answer to the former line that the receiver is gone disables a subscription that was moved', async () => {
  const { subscription, held, arrived, health } = await moveWhileInFlight('/moved-and-gone', 1);
  held[0]?.writeHead(410).end();
  await until(async () => (await bench.rows.countPending(subscription)) === 1);
  expect(await health()).toEqual({ consecutiveFailures: 0, disabledReason: 'gone' });
  await sleep(SEVERAL_LOOKS_MS);
  expect(arrived()).toBe(1);
});

test('failures of the former line count for a subscription that was moved, and a success in its new line ends them', async () => {
  const { subscription, held, arrived, health } = await moveWhileInFlight('/moved-and-failing', 2);
  held[0]?.writeHead(500).end();
  await until(async () => (await health())?.['consecutiveFailures'] === 1);
  expect(arrived()).toBe(2);
  held[1]?.writeHead(500).end();
  await until(async () => (await bench.rows.countPending(subscription)) === 0);
  expect(await health()).toEqual({ consecutiveFailures: 0, disabledReason: null });
});

test('item data waits for the former line no longer than a slow answer takes a place', async () => {
  const { subscription, held, arrived } = await moveWhileInFlight('/moved-item-data', 1, 1);
  // Its claim holds until the answer, for 26 s at most.
  await until(() => arrived() === 2, 6_000);
  expect(held).toHaveLength(1);
  held[0]?.writeHead(204).end();
  await until(async () => (await bench.rows.countPending(subscription)) === 0);
});
