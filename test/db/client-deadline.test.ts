import { connect, type Sql } from '../../src/platform/db/client';
import { createEmptyDatabase, type TestDatabase } from '../support/database';
import { type FaultProxy, startPostgresProxy } from '../support/fault-proxy';

let database: TestDatabase;
let proxy: FaultProxy;
let sql: Sql;

beforeAll(async () => {
  database = await createEmptyDatabase();
});
afterAll(() => database.drop());

beforeEach(async () => {
  const through = await startPostgresProxy(database.url);
  ({ proxy } = through);
  sql = connect(through.url, { max: 2, statementTimeoutMs: 300 });
});
afterEach(async () => {
  await sql.end({ timeout: 0 });
  await proxy.close();
});

const TIMED_OUT = expect.objectContaining({ code: '57014' });

test('the server ends a statement at its deadline, and the connection stays usable', async () => {
  await expect(sql`select pg_sleep(5)`).rejects.toEqual(TIMED_OUT);
  expect(await sql`select 1 as one`).toEqual([{ one: 1 }]);
});

test('a statement waiting for a connection is given up in time and never runs', async () => {
  await sql`create table never (id int)`;
  const holders = [1, 2].map(() => sql.begin((tx) => hold(tx, 800)));
  await expect(sql`insert into never values (1)`).rejects.toEqual(TIMED_OUT);
  await Promise.all(holders);
  expect(await sql`select * from never`).toEqual([]);
});

test('silent connections cost their statements the deadline, and later ones nothing', async () => {
  await Promise.all([sql`select 1`, sql`select 2`]);
  proxy.mode = 'swallow';
  const startedAt = Date.now();
  const lost = await Promise.allSettled([sql`select 3`, sql`select 4`]);
  expect(lost).toEqual([3, 4].map(() => ({ status: 'rejected', reason: TIMED_OUT })));
  expect(Date.now() - startedAt).toBeLessThan(3_500);
  proxy.mode = 'pass'; // for new connections; the two from before wait for answers that are lost
  expect(await sql`select 5 as five`).toEqual([{ five: 5 }]);
});

test('a cancel request that finds no server affects only its statement', async () => {
  await sql`select 1`;
  proxy.mode = 'swallow';
  setTimeout(() => (proxy.mode = 'refuse'), 300);
  await expect(sql`select 2`).rejects.toEqual(TIMED_OUT);
});

test('a transaction on a silent connection rejects, begun or not', async () => {
  await expect(
    sql.begin(async (tx) => {
      await tx`select 1`;
      proxy.mode = 'swallow';
    }),
  ).rejects.toEqual(TIMED_OUT);
  proxy.mode = 'pass';
  await sql`select 1`;
  proxy.mode = 'swallow';
  await expect(sql.begin(async (tx) => void (await tx`select 1`))).rejects.toEqual(TIMED_OUT);
});

test('a cut connection fails its statement at once, and the pool recovers by itself', async () => {
  await sql`select 1`;
  setTimeout(() => proxy.cut(), 50);
  await expect(sql`select pg_sleep(5)`).rejects.toMatchObject({
    name: 'PostgresAwayError',
    code: expect.stringMatching(/^(?:ECONNRESET|CONNECTION_CLOSED)$/),
  });
  expect(await sql`select 1 as one`).toEqual([{ one: 1 }]);
});

test('while the server refuses, statements fail quickly; when it is back, they work within two seconds', async () => {
  proxy.mode = 'refuse';
  for (let i = 0; i < 5; i += 1) await expect(sql`select 1`).rejects.toThrow(/ECONN|CONN/);
  proxy.mode = 'pass';
  const startedAt = Date.now();
  expect(await sql`select 1 as one`.catch(() => sql`select 1 as one`)).toEqual([{ one: 1 }]);
  expect(Date.now() - startedAt).toBeLessThan(2_000);
});

function hold(tx: Parameters<Parameters<Sql['begin']>[0]>[0], ms: number): Promise<void> {
  return tx`select 1`.then(() => new Promise((resolve) => setTimeout(resolve, ms)));
}
