import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { PendingQuery, Row } from 'postgres';
import type { Sql } from '../../src/platform/db/client';
import { createEmptyDatabase, type TestDatabase } from '../support/database';
import type { StatementsPlan } from '../support/child-statements';

let database: TestDatabase;
let sql: Sql;

beforeAll(async () => {
  database = await createEmptyDatabase();
  sql = database.sql;
});

afterAll(() => database.drop());

type Part = PendingQuery<Row[]>;

const pair = (one: unknown, other: unknown) =>
  sql`select ${one as Part} as one, ${other as Part} as other`;

test('parts may have values and parts, and one part may be used twice', async () => {
  const inner = sql`${2}::int + ${3}::int`;
  const outer = sql`(${1}::int + ${inner})`;
  const rows = await sql`select ${outer} as a, ${4}::int as b, ${outer} + ${inner} as c`;
  expect(rows).toEqual([{ a: 6, b: 4, c: 11 }]);
});

test('a template with other parts than last time is another statement', async () => {
  const seven = sql`7`;
  const eight = sql`${8}::int`;
  expect(await pair(seven, sql`${'x'}::text`)).toEqual([{ one: 7, other: 'x' }]);
  expect(await pair(sql`${'x'}::text`, seven)).toEqual([{ one: 'x', other: 7 }]);
  expect(await pair(eight, seven)).toEqual([{ one: 8, other: 7 }]);
  expect(await pair(eight, eight)).toEqual([{ one: 8, other: 8 }]);
  // The same template twice, once with a part in front of a value and once behind it.
  const both = (one: unknown, other: unknown) =>
    sql`select array[${one as Part}, ${other as Part}]::text[] as list`;
  expect(await both(seven, 'x')).toEqual([{ list: ['7', 'x'] }]);
  expect(await both('x', seven)).toEqual([{ list: ['x', '7'] }]);
});

test('names and rows that only the library writes may stand beside parts', async () => {
  await sql`create table thing (id int, name text)`;
  await sql`insert into ${sql('thing')} ${sql([
    { id: 1, name: 'a' },
    { id: 2, name: 'b' },
  ])}`;
  const where = sql`${sql('id')} = ${2}`;
  const rows =
    await sql`select ${sql(['id', 'name'])}, ${'x'}::text as x from thing where ${where}`;
  expect(rows).toEqual([{ id: 2, name: 'b', x: 'x' }]);
});

test('a text without values is a part too', async () => {
  expect(await sql`select ${sql.unsafe('1 + 1')} as two, ${3}::int as three`).toEqual([
    { two: 2, three: 3 },
  ]);
});

test('runs once however often it is awaited, and not before', async () => {
  await sql`create table counter (n int)`;
  await sql`insert into counter values (0)`;
  const add = sql`update counter set n = n + 1 returning n`;
  expect(await sql`select n from counter`).toEqual([{ n: 0 }]);
  const ends = await Promise.all([add, add, add.then(([row]) => row?.['n'] as number)]);
  expect(ends).toEqual([[{ n: 1 }], [{ n: 1 }], 1]);
});

test('its error says where it is written', async () => {
  const failure: unknown = await sql`select ${1}::int / 0`.catch((error: unknown) => error);
  expect((failure as Error).stack).toContain('statements-of-parts.test.ts');
});

test('leaves nothing in memory when it is over', async () => {
  const plan: StatementsPlan = { databaseUrl: database.url, statements: 1_000, bytes: 20_000 };
  const child = fork(join(__dirname, '../support/child-statements.ts'), {
    execArgv: ['--require', join(__dirname, '../support/child-typescript.cjs')],
  });
  child.send(plan);
  const [kept] = (await once(child, 'message')) as [number];
  expect(kept).toBeLessThan(0.15 * plan.statements * plan.bytes);
});
