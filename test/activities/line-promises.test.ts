import { loadConfig } from '../../src/platform/config/config';
import { noCheckpoints } from '../../src/platform/checkpoint';
import { connect, type Sql } from '../../src/platform/db/client';
import { createLog } from '../../src/platform/observe/log';
import { startDrains } from '../../src/webhooks/drain/start-drains';
import { type LineEpoch, renewLines } from '../../src/webhooks/sql/line-promises';
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

test('a worker that looks only now and then, because no line has a drain, is no stranger to the others', async () => {
  await sql`update webhook_line set alive_until = null`;
  const expired = async (ms: number) => {
    await sql`delete from webhook_worker`;
    await sql`
      insert into webhook_worker (worker, polls_until)
      values (gen_random_uuid(), now() - ${ms}::int * interval '1 ms')`;
    return renew(OURS);
  };
  // Its next look is due now, half a second after its row expired.
  expect(await expired(600)).toMatchObject({ others: 0, isAlone: false });
  expect(await expired(10_000)).toMatchObject({ others: 0, isAlone: true });
});

test('a renewal does not wait for the promises of another worker, which may wait for ours', async () => {
  await expire(61);
  await sql`
    insert into webhook_worker (worker, polls_until) values (gen_random_uuid(), now() - interval '61 s')`;
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
