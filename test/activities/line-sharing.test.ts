import { deferred } from '../support/deferred';
import { createDrainBench, type DrainBench } from '../support/drain-bench';
import { until } from '../support/until';
import type { TestSubscription } from '../support/webhook-rows';
import type { Drains } from '../../src/webhooks/drain/drains';

let bench: DrainBench;
beforeEach(async () => {
  bench = await createDrainBench();
});
afterEach(() => bench.close());

/** With lines that stay, and receivers that may take their time, for as long as a test does. */
const startWorker = (): Drains => bench.startWorker({ lingerMs: 60_000, timeoutMs: 60_000 });

/** Drains the line again and again, as its workflow does, each time in the next of these processes. */
function keepDraining(workers: readonly Drains[], of: TestSubscription): () => Promise<void> {
  const stop = new AbortController();
  const ended = (async () => {
    for (let nth = 0; !stop.signal.aborted; nth += 1) {
      await workers[nth % workers.length]?.drainLine(of.line, stop.signal);
    }
  })();
  return () => {
    stop.abort();
    return ended;
  };
}

/** How many lines each process has, most first. */
async function countLines(): Promise<number[]> {
  const rows = await bench.database.sql<{ lines: number }[]>`
    select count(*)::int as lines from webhook_line where alive_until > now()
    group by worker order by lines desc`;
  return rows.map(({ lines }) => lines);
}

/** Until when the processes count, the last of them: it changes whenever one has looked how many there are. */
async function countedUntil(): Promise<number | undefined> {
  const [row] = await bench.database.sql<{ at: Date | null }[]>`
    select max(polls_until) as at from webhook_worker where polls_until < now() + interval '1 min'`;
  return row?.at?.getTime();
}

async function untilCounted(): Promise<void> {
  const before = await countedUntil();
  await until(async () => (await countedUntil()) !== before);
}

async function listEpochs(): Promise<number[]> {
  const rows = await bench.database.sql<{ epoch: number }[]>`
    select epoch from webhook_line where worker is not null order by line`;
  return rows.map(({ epoch }) => epoch);
}

test('a second process gets half of the lines while all have traffic, and nothing is sent twice or lost', async () => {
  const { rows, receiver } = bench;
  receiver.answer(
    '/shared',
    (response) => void setTimeout(() => response.writeHead(204).end(), 20),
  );
  const subscriptions: TestSubscription[] = [];
  for (let n = 0; n < 4; n += 1) {
    subscriptions.push(await rows.subscribe({ url: `${receiver.url}/shared`, maxInFlight: 2 }));
  }
  const workers = [startWorker(), startWorker()] as const;
  const pumping = new AbortController();
  let put = 0;
  const pump = (async () => {
    while (!pumping.signal.aborted) {
      for (const each of subscriptions) {
        await rows.put(each, 3);
        put += 3;
        for (const worker of workers) worker.wake(each);
      }
    }
  })();
  workers[0].setPolling(true);
  const drains = subscriptions.map((each) => keepDraining(workers, each));
  await until(async () => (await listEpochs()).length === 4);
  workers[1].setPolling(true);
  await until(async () => (await countLines()).join() === '2,2');
  const epochs = await listEpochs();
  const received = receiver.receivedAt('/shared').length;
  await until(() => receiver.receivedAt('/shared').length > received + 200);
  // Once they are shared they stay where they are.
  expect(await listEpochs()).toEqual(epochs);
  pumping.abort();
  await pump;
  await until(async () => {
    const pending = await Promise.all(subscriptions.map((each) => rows.countPending(each)));
    return pending.every((each) => each === 0);
  }, 30_000);
  await Promise.all(drains.map((stop) => stop()));
  const ids = receiver.receivedAt('/shared').map(({ id }) => id);
  expect(ids).toHaveLength(put);
  expect(new Set(ids).size).toBe(put);
});

test('a line with a slow receiver stays with its requests in flight, while a quick one is handed over', async () => {
  const { rows, receiver, database } = bench;
  const answered = deferred();
  receiver.answer('/slow', (response) => {
    void answered.promise.then(() => response.writeHead(204).end());
  });
  const slow = await rows.subscribe({ url: `${receiver.url}/slow` });
  const quick = await rows.subscribe({ url: `${receiver.url}/quick` });
  await rows.put(slow);
  await rows.put(quick);
  const [first, second] = [startWorker(), startWorker()];
  const drains = [slow, quick].map((each) => keepDraining([first, second], each));
  first.setPolling(true);
  await until(() => receiver.received.length === 2);
  const ownerOf = async ({ line }: TestSubscription) => {
    const [row] = await database.sql<{ worker: string }[]>`
      select worker from webhook_line where line = ${line}::smallint`;
    return row?.worker;
  };
  const owner = await ownerOf(slow);
  second.setPolling(true);
  await until(async () => (await ownerOf(quick)) !== owner);
  expect(await ownerOf(slow)).toBe(owner);
  expect(receiver.receivedAt('/slow')).toHaveLength(1);
  answered.resolve();
  await Promise.all(drains.map((stop) => stop()));
});

test('a handed-over line waits for a process with fewer lines, but not for ever', async () => {
  const { rows, receiver, database } = bench;
  const [mine, offered] = [
    await rows.subscribe({ url: `${receiver.url}/mine` }),
    await rows.subscribe({ url: `${receiver.url}/offered` }),
  ];
  const worker = startWorker();
  worker.setPolling(true);
  await database.sql`
    insert into webhook_worker (worker, polls_until, looks_until)
    values (gen_random_uuid(), now() + interval '1 hour', now())`;
  await database.sql`
    update webhook_line set offered_until = now() + interval '1 hour' where line = ${offered.line}::smallint`;
  const stop = keepDraining([worker], mine);
  await rows.put(mine);
  await until(() => receiver.receivedAt('/mine').length === 1);
  await untilCounted();
  await untilCounted();
  await rows.put(offered);
  expect(await bench.startDrain(worker, offered).report).toMatchObject({ attempts: 0 });
  expect(receiver.receivedAt('/offered')).toHaveLength(0);
  await database.sql`update webhook_line set offered_until = now() where line = ${offered.line}::smallint`;
  const last = bench.startDrain(worker, offered);
  await until(() => receiver.receivedAt('/offered').length === 1);
  await Promise.all([stop(), last.cancel()]);
});
