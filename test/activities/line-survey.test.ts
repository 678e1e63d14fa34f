import { surveyLines } from '../../src/webhooks/sql/webhook-lines';
import { createDrainBench, type DrainBench } from '../support/drain-bench';
import { until } from '../support/until';
import type { TestSubscription } from '../support/webhook-rows';

let bench: DrainBench;
beforeAll(async () => {
  bench = await createDrainBench();
});
afterAll(() => bench.close());

/** Paused subscriptions of one line with so many waiting deliveries each. */
async function pausedInOneLine(counts: readonly number[]): Promise<TestSubscription> {
  const { rows, receiver, database } = bench;
  const made = await Promise.all(counts.map(() => rows.subscribe({ url: `${receiver.url}/held` })));
  const [first] = made;
  if (!first) throw new Error('no subscription');
  for (const [at, { subscriptionId, inventorySystemId, type }] of made.entries()) {
    await database.sql`
      update subscription set line = ${first.line}::smallint, paused_until = now() + interval '1 h'
      where subscription_id = ${subscriptionId}`;
    await database.sql`
      insert into delivery (delivery_id, message_id, subscription_id, inventory_system_id, type, payload, payload_bytes,
        request_id, user_id)
      select 'dlv_' || md5(${subscriptionId} || n), 'msg_' || n, ${subscriptionId}, ${inventorySystemId}::uuid,
        ${type}::smallint, '{}', 2, 'r', 'u'
      from generate_series(1, ${counts[at] ?? 0}::int) n`;
  }
  return first;
}

test('what a line holds is exact unless a subscription has more than are counted', async () => {
  const [few, many] = [await pausedInOneLine([400, 400, 400]), await pausedInOneLine([3, 1_001])];
  const surveyed = await surveyLines(bench.database.sql, [few.line, many.line]);
  expect(surveyed.find(({ line }) => line === few.line)).toMatchObject({
    deliveries: 1_200,
    hasMore: false,
    paused: 3,
  });
  expect(surveyed.find(({ line }) => line === many.line)).toMatchObject({
    deliveries: 1_003,
    hasMore: true,
  });
});

test('a line at work says what it holds', async () => {
  const held = await pausedInOneLine([5, 7]);
  const worker = bench.startWorker({ lingerMs: 10_000 });
  const drain = bench.startDrain(worker, held);
  await until(() => worker.holdingOf(held.line) !== null, 5_000);
  expect(worker.holdingOf(held.line)).toMatchObject({
    deliveries: 12,
    subscriptions: 2,
    paused: 2,
  });
  await drain.cancel();
});
