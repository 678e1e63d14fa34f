import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from '../../src/platform/db/client';
import { createDrainBench, type DrainBench } from '../support/drain-bench';
import { type Deferred, deferred } from '../support/deferred';
import { until } from '../support/until';

let bench: DrainBench;
beforeAll(async () => {
  bench = await createDrainBench();
});
/** Also when a test fails: a worker waits for its last statement. */
const silences: Deferred[] = [];
afterAll(async () => {
  for (const { resolve } of silences) resolve();
  await bench.close();
});

function beginSilence(): Deferred {
  const silence = deferred();
  silences.push(silence);
  return silence;
}

/** As `sql`, but the answers to statements with these words come after a wait. */
function waitingSql(sql: Sql, words: string, wait: () => Promise<unknown>): Sql {
  return new Proxy(sql, {
    apply(target, self, args: unknown[]) {
      const answer: unknown = Reflect.apply(target, self, args);
      if (!String(args[0]).includes(words)) return answer;
      return Promise.resolve(answer).then((rows) => wait().then(() => rows));
    },
  });
}

// Both times are within the two seconds for which a claim may wait for its request.
test.each([
  { beginsAfterMs: 0, frozenMs: 1_600 },
  { beginsAfterMs: 1_000, frozenMs: 700 },
])(
  'a drain that begins after $beginsAfterMs ms and freezes for $frozenMs ms after its claim leaves it to its successor',
  async ({ beginsAfterMs, frozenMs }) => {
    const { rows, receiver, database } = bench;
    const path = `/frozen-${frozenMs}`;
    const subscription = await rows.subscribe({ url: receiver.url + path });
    const { line, subscriptionId } = subscription;
    await rows.put(subscription);
    const silence = beginSilence();
    const woken = deferred();
    let frozen = false;
    const old = bench.startWorker({
      lingerMs: 5_000,
      sql: waitingSql(database.sql, 'set epoch = nextval', () => sleep(beginsAfterMs)),
      watchSql: (() => silence.promise.then(() => [])) as unknown as Sql,
      async atCheckpoint(checkpoint) {
        if (checkpoint !== 'consumer:claimed' || frozen) return;
        frozen = true;
        await sleep(frozenMs);
        woken.resolve();
      },
    });
    const drain = bench.startDrain(old, subscription);
    // It looks for nothing itself, with a connection that is silent.
    await until(() => {
      old.wake({ line, subscriptionId });
      return frozen;
    });
    await bench.lapse(subscription);
    await bench.drainAll(bench.startWorker(), subscription);
    expect(receiver.receivedAt(path)).toHaveLength(1);
    await woken.promise;
    await sleep(200);
    expect(receiver.receivedAt(path)).toHaveLength(1);
    await drain.cancel();
  },
);

test('a drain whose promise is not renewed in time claims nothing until it is, and then at once', async () => {
  const { rows, receiver, database } = bench;
  const subscription = await rows.subscribe({ url: `${receiver.url}/renewed` });
  const { line, subscriptionId } = subscription;
  const silence = beginSilence();
  let claims = 0;
  const sql = new Proxy(database.sql, {
    apply(target, self, args: unknown[]) {
      if (String(args[0]).includes('with asked as')) claims += 1;
      return Reflect.apply(target, self, args);
    },
  });
  const watchSql = waitingSql(database.sql, 'with unflushed', () => silence.promise);
  const worker = bench.startWorker({ lingerMs: 5_000, sql, watchSql });
  const drain = bench.startDrain(worker, subscription);
  await sleep(1_600);
  claims = 0;
  await rows.put(subscription);
  worker.wake({ line, subscriptionId });
  await sleep(300);
  expect([claims, receiver.receivedAt('/renewed').length]).toEqual([0, 0]);
  silence.resolve();
  await until(async () => (await rows.countPending(subscription)) === 0);
  expect(receiver.receivedAt('/renewed')).toHaveLength(1);
  expect(claims).toBeLessThan(4);
  await drain.cancel();
});
