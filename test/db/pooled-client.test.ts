import { connect, type Sql } from '../../src/platform/db/client';
import { createEmptyDatabase, type TestDatabase } from '../support/database';
import { startTransactionPooler, type TransactionPooler } from '../support/transaction-pooler';

let database: TestDatabase;
let pooler: TransactionPooler;
let url: string;
const opened: Sql[] = [];

beforeAll(async () => {
  database = await createEmptyDatabase();
  const through = new URL(database.url);
  pooler = await startTransactionPooler(Number(through.port));
  through.port = String(pooler.port);
  url = through.href;
});
afterAll(async () => {
  await Promise.all(opened.map((sql) => sql.end({ timeout: 1 })));
  await pooler.close();
  await database.drop();
});

function open(options: { statementTimeoutMs?: number } = {}): Sql {
  const sql = connect(url, { max: 5, pooled: true, ...options });
  opened.push(sql);
  return sql;
}

test('each caller gets its own rows, though each statement finds another session', async () => {
  const sql = open();
  // Five sessions, of which at most three are in use afterwards: there is always another one.
  await Promise.all(Array.from({ length: 5 }, () => sql`select pg_sleep(0.2)`));
  const before = pooler.switched();
  const callers = Array.from({ length: 3 }, async (_each, caller) => {
    for (let n = 0; n < 100; n += 1) {
      const text = `caller ${caller}, ${n}`;
      expect(await sql`select ${n}::int as n, ${text}::text as text`).toEqual([{ n, text }]);
    }
  });
  await Promise.all(callers);
  expect(pooler.switched() - before).toBeGreaterThan(100);
});

test('a transaction stays on its session, also beside others', async () => {
  const sql = open();
  const all = Array.from({ length: 20 }, (_each, n) =>
    sql.begin(async (tx) => {
      await tx`select set_config('test.mine', ${String(n)}, true)`;
      await tx`select pg_sleep(0.01)`;
      const [row] = await tx<{ mine: string }[]>`select current_setting('test.mine') as mine`;
      return row?.mine;
    }),
  );
  expect(await Promise.all(all)).toEqual(Array.from({ length: 20 }, (_each, n) => String(n)));
});

test('a failed statement leaves the connection usable', async () => {
  const sql = open();
  for (let n = 0; n < 10; n += 1) {
    await expect(sql`select ${'x'}::int`).rejects.toMatchObject({ code: '22P02' });
    expect(await sql`select ${n}::int as n`).toEqual([{ n }]);
  }
});

test('a statement past its deadline is cancelled on the server, through the pooler', async () => {
  const sql = open({ statementTimeoutMs: 200 });
  await expect(sql`select pg_sleep(120)`).rejects.toMatchObject({ code: '57014' });
  const running = await database.sql`
    select from pg_stat_activity
    where datname = current_database() and state = 'active' and query like '%pg_sleep(120)%'
      and pid <> pg_backend_pid()`;
  expect(running).toHaveLength(0);
  expect(await sql`select 1 as one`).toEqual([{ one: 1 }]);
});

test('a connection that does not know of the pooler requests settings that the pooler refuses', async () => {
  const sql = connect(url, { max: 1 });
  opened.push(sql);
  await expect(sql`select 1`).rejects.toThrow(/unsupported startup parameter/);
});
