import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../support/until';
import {
  type BenchWorker,
  type ConsumerBench,
  createConsumerBench,
} from '../support/consumer-bench';

let bench: ConsumerBench;
beforeAll(async () => {
  bench = await createConsumerBench();
});
afterAll(() => bench.close());

afterEach(() => bench.leaveAll());

test.each([
  { outageMs: 1_000, asIf: '0 s' },
  // When the row of a worker that is gone would be removed.
  { outageMs: 2_000, asIf: '61 s' },
])(
  'after an outage of Postgres of $outageMs ms and $asIf living workers keep their shards, whoever comes back first',
  async ({ outageMs, asIf }) => {
    const { rows, receiver, database } = bench;
    const ways = [
      await bench.connectThroughProxy({ statementTimeoutMs: 1_000 }),
      await bench.connectThroughProxy({ statementTimeoutMs: 1_000 }),
    ] as const;
    const workers: BenchWorker[] = [];
    for (const { sql, url } of ways) workers.push(await bench.startWorker({ sql, listenUrl: url }));
    await until(() => workers.every((each) => each.shards().length === 8));
    const before = await listOwners();
    const subscription = await rows.subscribe({ url: `${receiver.url}/back-${outageMs}` });
    for (const { proxy } of ways) {
      proxy.mode = 'refuse';
      proxy.cut();
    }
    await sleep(outageMs);
    await database.sql`update webhook_worker set lease_until = lease_until - ${asIf}::interval`;
    await rows.put(subscription);
    ways[0].proxy.mode = 'pass';
    await sleep(600);
    ways[1].proxy.mode = 'pass';
    await until(() => receiver.receivedAt(`/back-${outageMs}`).length === 1, 5_000);
    // As long as a worker would wait before it takes them, and longer.
    await sleep(3_500);
    expect(await listOwners()).toEqual(before);
  },
);

function listOwners(): PromiseLike<unknown> {
  return bench.database.sql`select shard, worker, epoch from webhook_shard order by shard`;
}
