import { setTimeout as sleep } from 'node:timers/promises';
import { loadConfig } from '../../src/platform/config/config';
import { noCheckpoints } from '../../src/platform/checkpoint';
import { connect, type Sql } from '../../src/platform/db/client';
import { createDatabaseClock } from '../../src/platform/db/database-clock';
import { createOwnFaults } from '../../src/platform/outbound/own-faults';
import { createLog } from '../../src/platform/observe/log';
import { startDrains } from '../../src/webhooks/drain/start-drains';
import { type LineEpoch, lookQuietly, renewLines } from '../../src/webhooks/sql/line-promises';
import { deferred } from '../support/deferred';
import { createDrainBench, type DrainBench } from '../support/drain-bench';
import { startPostgresProxy } from '../support/fault-proxy';
import { until } from '../support/until';

let bench: DrainBench;
let sql: Sql;
beforeAll(async () => {
  bench = await createDrainBench();
  ({ sql } = bench.database);
});
afterAll(() => bench.close());

const [OURS, THEIRS] = [
  { line: 200, epoch: 71 },
  { line: 201, epoch: 72 },
] as const;

/** As a worker does that takes no lines for now. */
const renew = (...drains: LineEpoch[]) =>
  renewLines(sql, drains, { worker: '00000000-0000-4000-8000-000000000000', polling: false });

/** The promises of both drains have expired this long ago. */
async function expire(seconds: number): Promise<void> {
  for (const { line, epoch } of [OURS, THEIRS]) {
    await sql`
      update webhook_line set epoch = ${epoch}::bigint,
        alive_until = now() - ${seconds}::int * interval '1 s'
      where line = ${line}::smallint`;
  }
}

async function isAlive(line: number): Promise<boolean> {
  const rows = await sql`
    select from webhook_line where line = ${line}::smallint and alive_until > now()`;
  return rows.length > 0;
}

const [OUR_WORKER, THEIR_WORKER] = [
  '00000000-0000-4000-8000-000000000001',
  '00000000-0000-4000-8000-000000000002',
];
/** As a worker does that takes lines and has none. */
const renewAs = (worker: string) => renewLines(sql, [], { worker, polling: true });

async function ageWorkers(seconds: number): Promise<void> {
  await sql`
    update webhook_worker set polls_until = polls_until - ${seconds}::int * interval '1 s',
      looks_until = looks_until - ${seconds}::int * interval '1 s'`;
}

async function readWorker() {
  const [row] = await sql`select worker, polls_until, looks_until, xmin from webhook_worker`;
  return row;
}

test('after an outage of more than a minute each worker can renew its promises, whoever is first', async () => {
  await expire(61);
  expect(await renew(OURS)).toMatchObject({ kept: [OURS.line], renewed: [OURS.line] });
  expect(await renew(THEIRS)).toMatchObject({ kept: [THEIRS.line], renewed: [THEIRS.line] });
  expect(await isAlive(OURS.line)).toBe(true);
  expect(await isAlive(THEIRS.line)).toBe(true);
});

test('a promise that nobody renews for a minute is forgotten: its line counts no more as one that needs a drain', async () => {
  await expire(59);
  await renew(OURS);
  expect(await renew(OURS)).toMatchObject({ lapsed: [THEIRS], lines: 2 });
  await expire(61);
  await renew(OURS);
  expect(await renew(OURS)).toMatchObject({ lapsed: [], lines: 1 });
});

test('a withdrawn promise is not renewed, and the worker hears so', async () => {
  await expire(1);
  await sql`update webhook_line set alive_until = null where line = ${OURS.line}::smallint`;
  expect(await renew(OURS)).toMatchObject({ kept: [OURS.line], renewed: [] });
  expect(await isAlive(OURS.line)).toBe(false);
});

describe('while no line has a drain', () => {
  beforeEach(async () => {
    await sql`update webhook_line set alive_until = null`;
    await sql`delete from webhook_worker`;
  });

  test('a worker that writes its row only now and then is no stranger to the others', async () => {
    await renewAs(THEIR_WORKER);
    expect(await renew()).toMatchObject({ others: 1, isAlone: false });
    await ageWorkers(31);
    expect(await renew()).toMatchObject({ others: 0, isAlone: false });
    await ageWorkers(2);
    expect(await renew()).toMatchObject({ others: 0, isAlone: true });
  });

  test('a worker that is lost while lines are at work is a stranger after its next renewal would have been', async () => {
    await expire(0);
    await renewAs(THEIR_WORKER);
    await ageWorkers(3);
    expect(await renew()).toMatchObject({ others: 0, isAlone: false });
    await ageWorkers(1);
    expect(await renew()).toMatchObject({ others: 0, isAlone: true });
  });

  test('it looks without writing, until its row is old', async () => {
    await renewAs(OUR_WORKER);
    const written = await readWorker();
    expect(await lookQuietly(sql, OUR_WORKER)).toMatchObject({ isQuiet: true, isAlone: true });
    expect(await readWorker()).toEqual(written);
    await ageWorkers(30);
    expect(await lookQuietly(sql, OUR_WORKER)).toMatchObject({ isQuiet: false, isAlone: true });
  });

  test('it sees a line that has or needs a drain, one that is handed over, and another worker', async () => {
    await renewAs(OUR_WORKER);
    await expire(1);
    expect(await lookQuietly(sql, OUR_WORKER)).toMatchObject({ isQuiet: false });
    await sql`update webhook_line set alive_until = '-infinity'`;
    expect(await lookQuietly(sql, OUR_WORKER)).toMatchObject({ isQuiet: true });
    await sql`
      update webhook_line set offered_until = now() + interval '2 s' where line = ${OURS.line}::smallint`;
    expect(await lookQuietly(sql, OUR_WORKER)).toMatchObject({ isQuiet: false });
    await sql`update webhook_line set offered_until = null`;
    await renewAs(THEIR_WORKER);
    expect(await lookQuietly(sql, OUR_WORKER)).toMatchObject({ isQuiet: true, isAlone: false });
  });

  test('a worker at rest writes nothing, takes a line at once, and its row goes when it takes none', async () => {
    const { rows, receiver } = bench;
    const target = await rows.subscribe({ url: `${receiver.url}/rest` });
    const worker = bench.startWorker({ lingerMs: 100 });
    worker.setPolling(true);
    await until(async () => (await readWorker()) !== undefined);
    const written = await readWorker();
    await sleep(5_000);
    expect(await readWorker()).toEqual(written);
    const drain = bench.startDrain(worker, target);
    await rows.put(target);
    worker.wake(target);
    await until(() => receiver.receivedAt('/rest').length === 1);
    await until(async () => (await readWorker())?.['xmin'] !== written?.['xmin']);
    await drain.cancel();
    worker.setPolling(false);
    await until(async () => (await readWorker()) === undefined);
  });
});

test('a renewal does not wait for the promises of another worker, which may wait for ours', async () => {
  await expire(61);
  await sql`
    insert into webhook_worker (worker, polls_until, looks_until)
    values (gen_random_uuid(), now() - interval '61 s', now())`;
  await sql.begin(async (other) => {
    await other`select from webhook_line where line = ${THEIRS.line}::smallint for no key update`;
    await other`select from webhook_worker for update`;
    const found = await renew(OURS);
    expect(found.renewed).toEqual([OURS.line]);
  });
  expect(await isAlive(OURS.line)).toBe(true);
});

test('a drain whose worker comes back last from an outage of more than a minute goes on', async () => {
  const { rows, receiver, database } = bench;
  const { proxy, url } = await startPostgresProxy(database.url);
  const watchSql = connect(url, { max: 2 });
  const [first, last] = [
    await rows.subscribe({ url: `${receiver.url}/first` }),
    await rows.subscribe({ url: `${receiver.url}/last` }),
  ];
  const workers = [
    bench.startWorker({ lingerMs: 60_000 }),
    bench.startWorker({ lingerMs: 60_000, watchSql }),
  ] as const;
  const drains = [bench.startDrain(workers[0], first), bench.startDrain(workers[1], last)];
  try {
    await until(async () => (await isAlive(first.line)) && (await isAlive(last.line)));
    const epochs = await listEpochs();
    proxy.mode = 'refuse';
    proxy.cut();
    await until(async () => !(await isAlive(last.line)));
    await sql`
      update webhook_line set alive_until = alive_until - interval '1 min'
      where line = ${last.line}::smallint`;
    // The other worker has found it.
    await until(async () => {
      const found = await sql`
        select from webhook_line
        where line = ${last.line}::smallint and alive_until > now() - interval '1 day'`;
      return found.length === 0;
    });
    proxy.mode = 'pass';
    await until(() => isAlive(last.line), 10_000);
    await rows.put(last);
    workers[1].wake(last);
    await until(() => receiver.receivedAt('/last').length === 1);
    expect(await listEpochs()).toEqual(epochs);
  } finally {
    proxy.mode = 'pass';
    await Promise.all(drains.map((drain) => drain.cancel()));
    await watchSql.end({ timeout: 1 });
    await proxy.close();
  }

  async function listEpochs(): Promise<number[]> {
    const found = await sql<{ epoch: number }[]>`
      select epoch from webhook_line where line in (${first.line}::smallint, ${last.line}::smallint) order by line`;
    return found.map(({ epoch }) => epoch);
  }
});

test('promises are renewed while neither due deliveries nor the timeline can be looked up', async () => {
  await sql`update webhook_timeline set timeline = '00000000'`;
  const [locked, mayEnd] = [deferred(), deferred()];
  const blocking = sql.begin(async (tx) => {
    await tx`select from webhook_timeline for update`;
    await tx`lock table delivery in access exclusive mode`;
    locked.resolve();
    await mayEnd.promise;
  });
  await locked.promise;
  const started = await startDrains({
    config: loadConfig({
      DATABASE_URL: bench.database.url,
      TEMPORAL_ADDRESS: '127.0.0.1:7233',
      ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    }),
    sql,
    secrets: bench.rows.secrets,
    log: createLog('silent'),
    atCheckpoint: noCheckpoints,
    userAgent: 'test',
    ownFaults: createOwnFaults({ log: createLog('silent') }),
    clock: createDatabaseClock(),
    onLapsed: () => {},
    onAsleep: () => {},
    metrics: undefined,
  });
  await sql`delete from webhook_worker`;
  started.drains.setPolling(true);
  const countRenewals = countChanges(async () => {
    const [row] = await sql<{ at: Date }[]>`select max(polls_until) as at from webhook_worker`;
    return row?.at?.getTime();
  });
  try {
    await until(async () => (await countRenewals()) > 5, 10_000);
    const waiting = await sql`
      select from pg_stat_activity
      where application_name = 'pos-integrations-lines' and wait_event_type = 'Lock'`;
    expect(waiting).toHaveLength(2);
  } finally {
    mayEnd.resolve();
    await blocking;
    started.drains.stop();
    await started.close();
  }
});

/** How many different values it has had. */
function countChanges(read: () => Promise<number | undefined>): () => Promise<number> {
  const seen = new Set<number>();
  return async () => {
    const value = await read();
    if (value !== undefined) seen.add(value);
    return seen.size;
  };
}
