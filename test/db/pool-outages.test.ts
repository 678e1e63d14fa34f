import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type Sql } from '../../src/platform/db/client';
import { PostgresAwayError } from '../../src/platform/db/connection/postgres-away-error';
import { createEmptyDatabase, type TestDatabase } from '../support/database';
import { type FaultProxy, startPostgresProxy } from '../support/fault-proxy';

/*
 * An unhandled rejection or exception fails these tests, because it would crash a process. The library's own pool
 * causes each of these failures: it does not handle the rejection of its query for types, writes to the socket of a
 * lost connection, forgets statements, and continues a transaction outside of it.
 */

const CONNECTIONS = 4;

let database: TestDatabase;
let proxy: FaultProxy;
let sql: Sql;

beforeAll(async () => {
  database = await createEmptyDatabase();
  await database.sql`create table entry (batch int not null, part int not null)`;
});
afterAll(() => database.drop());

beforeEach(async () => {
  const through = await startPostgresProxy(database.url);
  ({ proxy } = through);
  sql = connect(through.url, { max: CONNECTIONS });
});
afterEach(async () => {
  await sql.end({ timeout: 0 });
  await proxy.close();
});

const AWAY = expect.objectContaining({ name: 'PostgresAwayError' });

/**
 * The answer of a statement once the server is back. A connection that was cut while it lay idle is found out by the
 * statement that it is given to, so as many may fail as there are connections, and no more.
 */
async function answerAfterCuts() {
  for (let idle = 0; idle < CONNECTIONS; idle += 1) {
    try {
      return await sql`select 1 as one`;
    } catch (error) {
      if (!(error instanceof PostgresAwayError)) throw error;
    }
  }
  return sql`select 1 as one`;
}

/** Does it again and again, by 12 at once, while connections are cut every few milliseconds and refused at times. */
async function throughCuts(once: (n: number) => Promise<unknown>) {
  const until = Date.now() + 3_000;
  const seen = { ended: 0, longestMs: 0, errors: [] as unknown[] };
  let n = 0;
  const caller = async () => {
    while (Date.now() < until) {
      const startedAt = Date.now();
      await once((n += 1)).catch((error: unknown) => seen.errors.push(error));
      seen.ended += 1;
      seen.longestMs = Math.max(seen.longestMs, Date.now() - startedAt);
    }
  };
  const cutting = (async () => {
    while (Date.now() < until) {
      await sleep(Math.random() * 60);
      if (Math.random() < 0.2) proxy.mode = 'refuse';
      proxy.cut();
      if (proxy.mode === 'refuse') await sleep(Math.random() * 100);
      proxy.mode = 'pass';
    }
  })();
  await Promise.all([cutting, ...Array.from({ length: 12 }, caller)]);
  return seen;
}

test('statements under cuts: each ends soon, its errors say that Postgres was away, and nothing else breaks', async () => {
  const seen = await throughCuts((n) => sql`select ${`${n}`}::text`);
  expect(seen.ended).toBeGreaterThan(100);
  expect(seen.longestMs).toBeLessThan(5_000);
  expect(seen.errors.length).toBeGreaterThan(0);
  for (const error of seen.errors) expect(error).toEqual(AWAY);
  expect(await answerAfterCuts()).toEqual([{ one: 1 }]);
});

test('transactions under cuts: each completes as a whole or not at all, and soon', async () => {
  const seen = await throughCuts((batch) =>
    sql.begin(async (tx) => {
      await tx`insert into entry values (${batch}, 1)`;
      await sleep(Math.random() * 5);
      await tx`insert into entry values (${batch}, 2)`;
    }),
  );
  expect(seen.longestMs).toBeLessThan(5_000);
  expect(seen.errors.length).toBeGreaterThan(0);
  for (const error of seen.errors) expect(error).toEqual(AWAY);
  const halves = await database.sql`
    select batch from entry group by batch having count(*) <> 2`;
  expect(halves).toEqual([]);
});

test('connections that were cut while they lay idle fail one statement each at most', async () => {
  await Promise.all(Array.from({ length: CONNECTIONS }, () => sql`select pg_sleep(0.1)`));
  proxy.cut();
  await expect(sql`select 1`).rejects.toEqual(AWAY);
  expect(await answerAfterCuts()).toEqual([{ one: 1 }]);
});

test('a transaction whose connection was lost runs nothing more, on no connection', async () => {
  let afterwards: Promise<unknown> | undefined;
  const lost = sql.begin(async (tx) => {
    await tx`select 1`;
    proxy.cut();
    await sleep(200);
    afterwards = Promise.resolve(tx`insert into entry values (0, 0)`);
    await afterwards;
  });
  await expect(lost).rejects.toEqual(AWAY);
  await sleep(300);
  await expect(afterwards).rejects.toEqual(AWAY);
  expect(await sql`select * from entry where batch = 0`).toEqual([]);
});

test('while the server is away a thousand callers get an error within seconds, without waiting for their deadlines', async () => {
  await sql`select 1`;
  proxy.mode = 'refuse';
  proxy.cut();
  const startedAt = Date.now();
  const ends = await Promise.allSettled(Array.from({ length: 1_000 }, () => sql`select 1`));
  expect(new Set(ends.map(({ status }) => status))).toEqual(new Set(['rejected']));
  expect(Date.now() - startedAt).toBeLessThan(8_000);
  // Each connection finds out by itself, and then one tries for all.
  expect(proxy.refused).toBeLessThanOrEqual(3 * CONNECTIONS);
  proxy.mode = 'pass';
  expect(await answerAfterCuts()).toEqual([{ one: 1 }]);
});

test('silently lost connections are found within five seconds of the server’s return', async () => {
  await Promise.all([1, 2, 3, 4].map(() => sql`select pg_sleep(0.1)`));
  proxy.mode = 'swallow';
  const lost = [1, 2, 3].map(() => sql`select 1`.then(String, (error: unknown) => error));
  const begun = sql.begin((tx) => tx`select 1`).then(String, (error: unknown) => error);
  await sleep(6_000);
  proxy.mode = 'pass';
  const backAt = Date.now();
  for (const error of await Promise.all([...lost, begun])) expect(error).toEqual(AWAY);
  expect(Date.now() - backAt).toBeLessThan(5_000);
  expect(await sql`select 1 as one`).toEqual([{ one: 1 }]);
});

test('a slow statement, in a transaction or by itself, is not taken for lost', async () => {
  const slow = sql.begin((tx) => tx`select pg_sleep(5) is null as slept`);
  const [row] = await sql`select pg_sleep(5.5) is null as slept`;
  expect(row).toEqual({ slept: false });
  expect(await slow).toEqual([{ slept: false }]);
});

test.each([
  [
    'the server is shut down',
    'select pg_terminate_backend(pg_backend_pid())',
    /^(?:57P01|CONNECTION_CLOSED|ECONNRESET)$/,
  ],
  ['the server takes no writes', 'begin read only; insert into entry values (9, 9)', /^25006$/],
  ['its time is over', "set local statement_timeout = '10ms'; select pg_sleep(5)", /^57014$/],
])('%s: the error says that Postgres is away', async (_name, statements, code) => {
  await expect(sql.unsafe(statements)).rejects.toMatchObject({
    name: 'PostgresAwayError',
    code: expect.stringMatching(code),
  });
  expect(await answerAfterCuts()).toEqual([{ one: 1 }]);
});

test('without a free connection the error says that Postgres is away', async () => {
  const url = new URL(database.url);
  await database.sql.unsafe(
    `create role crowded login password 'crowded' connection limit 0;
     alter database ${url.pathname.slice(1)} connection limit 50`,
  );
  url.username = 'crowded';
  url.password = 'crowded';
  const crowded = connect(url.href, { max: 1 });
  await expect(crowded`select 1`).rejects.toMatchObject({
    name: 'PostgresAwayError',
    code: '53300',
  });
  await crowded.end({ timeout: 0 });
  await database.sql.unsafe('drop role crowded');
});

test('a faulty statement is not an outage', async () => {
  await expect(sql`select 1 / 0`).rejects.toMatchObject({ name: 'PostgresError', code: '22012' });
});
