import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from '../../src/platform/db/client';
import { type ConsumerBench, createConsumerBench } from '../support/consumer-bench';
import { type Deferred, deferred } from '../support/deferred';

let bench: ConsumerBench;
beforeAll(async () => {
  bench = await createConsumerBench();
});
/** Also when a test fails: a worker waits for its last statement. */
const silences: Deferred[] = [];
afterEach(async () => {
  for (const { resolve } of silences) resolve();
  await bench.leaveAll();
});
afterAll(() => bench.close());

function beginSilence(): Deferred {
  const silence = deferred();
  silences.push(silence);
  return silence;
}

/** As `sql`, but of a lease that is renewed once, with an answer that takes so long; later renewals wait for the end of `silence`. */
function renewingOnce(sql: Sql, firstTakesMs: number, silence: Deferred): Sql {
  let renewals = 0;
  return new Proxy(sql, {
    apply(target, self, args: unknown[]) {
      const query = (): unknown => Reflect.apply(target, self, args);
      if (!String(args[0]).includes('with unflushed')) return query();
      renewals += 1;
      if (renewals > 1) return silence.promise.then(query);
      return Promise.resolve(query()).then((rows) => sleep(firstTakesMs).then(() => rows));
    },
  });
}

// Both times are within the two seconds for which a claim may wait for its request.
test.each([
  { answeredAfterMs: 0, frozenMs: 1_600 },
  { answeredAfterMs: 1_000, frozenMs: 700 },
])(
  'a worker whose lease is answered after $answeredAfterMs ms and that freezes for $frozenMs ms after its claim leaves it to its successor',
  async ({ answeredAfterMs, frozenMs }) => {
    const { rows, receiver, database } = bench;
    const path = `/frozen-${frozenMs}`;
    const subscription = await rows.subscribe({ url: receiver.url + path });
    await rows.put(subscription);
    const [frozen, woken] = [deferred(), deferred()];
    let requests = 0;
    await bench.startWorker({
      leaseSql: renewingOnce(database.sql, answeredAfterMs, beginSilence()),
      async atCheckpoint(checkpoint) {
        if (checkpoint !== 'consumer:claimed') return;
        frozen.resolve();
        await sleep(frozenMs);
        woken.resolve();
      },
      onRequest: () => void (requests += 1),
    });
    await frozen.promise;
    await bench.startWorker();
    await bench.untilSent(subscription);
    await woken.promise;
    await sleep(200);
    expect([requests, receiver.receivedAt(path).length]).toEqual([0, 1]);
  },
);

test('a worker whose lease is not renewed in time claims nothing until it is, and then at once', async () => {
  const { rows, receiver, database } = bench;
  const subscription = await rows.subscribe({ url: `${receiver.url}/renewed` });
  const silence = beginSilence();
  let claims = 0;
  const sql = new Proxy(database.sql, {
    apply(target, self, args: unknown[]) {
      if (String(args[0]).includes('with asked as')) claims += 1;
      return Reflect.apply(target, self, args);
    },
  });
  const leaseSql = renewingOnce(database.sql, 0, silence);
  const worker = await bench.startWorker({ sql, leaseSql });
  await bench.untilOwned(worker, subscription);
  await sleep(1_600);
  await rows.put(subscription);
  worker.wake(subscription);
  await sleep(300);
  expect([claims, receiver.receivedAt('/renewed').length]).toEqual([0, 0]);
  silence.resolve();
  await bench.untilSent(subscription);
  expect(receiver.receivedAt('/renewed')).toHaveLength(1);
  expect(claims).toBeLessThan(4);
});
