import { setTimeout as sleep } from 'node:timers/promises';
import {
  type BenchWorker,
  type ConsumerBench,
  createConsumerBench,
} from '../support/consumer-bench';
import { deferred } from '../support/deferred';
import { until } from '../support/until';
import type { TestSubscription } from '../support/webhook-rows';

let bench: ConsumerBench;
beforeEach(async () => {
  bench = await createConsumerBench();
});
afterEach(() => bench.close());

const SHARDS = 16;
/** Those of each of two. */
const HALF = SHARDS / 2;

const ownersOf = () => bench.database.sql`
  select shard, worker, epoch from webhook_shard where worker is not null order by shard`;

/** One subscription in each shard. */
async function subscribeEverywhere(path: string): Promise<TestSubscription[]> {
  const found = new Map<number, TestSubscription>();
  while (found.size < SHARDS) {
    const made = await bench.rows.subscribe({ url: bench.receiver.url + path, maxInFlight: 2 });
    if (!found.has(made.shard)) found.set(made.shard, made);
  }
  return [...found.values()];
}

/** Two workers that share the shards. */
async function startTwo(): Promise<[BenchWorker, BenchWorker]> {
  const [first, second] = [await bench.startWorker(), await bench.startWorker()];
  await until(() => [first, second].every((each) => each.shards().length === HALF));
  return [first, second];
}

/** Puts deliveries for all of these until it is stopped; returns how many. */
function pump(to: readonly TestSubscription[], workers: readonly BenchWorker[]) {
  const stopping = new AbortController();
  let put = 0;
  const ended = (async () => {
    while (!stopping.signal.aborted) {
      for (const each of to) {
        await bench.rows.put(each, 2);
        put += 2;
        for (const worker of workers) worker.wake(each);
      }
    }
  })();
  return async (): Promise<number> => {
    stopping.abort();
    await ended;
    return put;
  };
}

test('a second worker gets half of the shards while all have traffic, and nothing is sent twice or lost', async () => {
  const { receiver } = bench;
  receiver.answer(
    '/shared',
    (response) => void setTimeout(() => response.writeHead(204).end(), 20),
  );
  const subscriptions = await subscribeEverywhere('/shared');
  const workers = [await bench.startWorker()];
  const stop = pump(subscriptions, workers);
  await until(() => receiver.receivedAt('/shared').length > 50);
  const second = await bench.startWorker();
  workers.push(second);
  await until(() => workers.every((each) => each.shards().length === HALF));
  const owners = await ownersOf();
  const received = receiver.receivedAt('/shared').length;
  await until(() => receiver.receivedAt('/shared').length > received + 300);
  // Once they are shared they stay where they are.
  expect(await ownersOf()).toEqual(owners);
  const put = await stop();
  await bench.untilSent(...subscriptions);
  const ids = receiver.receivedAt('/shared').map(({ id }) => id);
  expect(ids).toHaveLength(put);
  expect(new Set(ids).size).toBe(put);
});

test('a shard with a slow receiver stays with its requests in flight, while quick ones are handed over', async () => {
  const { rows, receiver } = bench;
  const answered = deferred();
  receiver.answer('/slow', (response) => {
    void answered.promise.then(() => response.writeHead(204).end());
  });
  const slow = await rows.subscribe({ url: `${receiver.url}/slow` });
  await rows.put(slow);
  const first = await bench.startWorker({ timeoutMs: 60_000 });
  await until(() => receiver.receivedAt('/slow').length === 1);
  await sleep(500);
  const second = await bench.startWorker({ timeoutMs: 60_000 });
  await until(() => [first, second].every((each) => each.shards().length === HALF));
  expect(first.shards()).toContain(slow.shard);
  answered.resolve();
  await bench.untilSent(slow);
  expect(receiver.receivedAt('/slow')).toHaveLength(1);
});

test('a worker that lost the session of its listener, and lives, goes on without a loss', async () => {
  const { receiver, database } = bench;
  const subscriptions = await subscribeEverywhere('/session');
  const workers = await startTwo();
  const stop = pump(subscriptions, workers);
  await until(() => receiver.receivedAt('/session').length > 50);
  const ended = await database.sql`
    select pg_terminate_backend(pid) from pg_locks
    where locktype = 'advisory' and ((classid::bigint << 32) | objid::bigint)
      = hashtextextended('webhook worker ' || ${workers[0].id}, 0)`;
  expect(ended).toHaveLength(1);
  const received = receiver.receivedAt('/session').length;
  await until(() => receiver.receivedAt('/session').length > received + 300);
  await until(() => workers.every((each) => each.shards().length === HALF));
  const put = await stop();
  await bench.untilSent(...subscriptions);
  expect(new Set(receiver.receivedAt('/session').map(({ id }) => id)).size).toBe(put);
});
