import { connect, type Sql } from '../../src/platform/db/client';
import { createEmptyDatabase, type TestDatabase } from '../support/database';
import { deferred } from '../support/deferred';

let database: TestDatabase;
let sql: Sql;

beforeAll(async () => {
  database = await createEmptyDatabase();
  sql = database.sql;
});

afterAll(() => database.drop());

/** A pool of one connection, so that what one statement leaves behind meets the next. */
async function withSingleConnection<T>(run: (single: Sql) => Promise<T>): Promise<T> {
  const single = connect(database.url, { max: 1 });
  try {
    return await run(single);
  } finally {
    await single.end();
  }
}

describe('values', () => {
  test('columns are camelCase and keys inside JSON are left alone', async () => {
    const value = { snake_case: { inner_key: [{ deep_key: 1 }] } };
    const [row] = await sql`select ${sql.json(value)}::jsonb as the_value`;
    expect(row).toEqual({ theValue: value });
  });

  test('an int8 is a number where that is exact, else text', async () => {
    const [row] = await sql`
      select count(*) as counted, 9007199254740991::int8 as safe, 9007199254740993::int8 as unsafe,
        array[1, 2]::int8[] as list`;
    expect(row).toEqual({
      counted: 1,
      safe: 9007199254740991,
      unsafe: '9007199254740993',
      list: [1, 2],
    });
  });

  test('a numeric keeps every digit', async () => {
    const [row] = await sql`select ${'0.1000000000000000000001'}::numeric as amount`;
    expect(row).toEqual({ amount: '0.1000000000000000000001' });
  });

  test('undefined in a row is null', async () => {
    await sql`create table sparse (given int, missing int)`;
    await sql`insert into sparse ${sql({ given: 1, missing: undefined })}`;
    expect(await sql`select * from sparse`).toEqual([{ given: 1, missing: null }]);
  });

  test('values of each type come back unchanged', async () => {
    const at = new Date('2026-02-28T23:59:59.123Z');
    const bytes = Buffer.from([0, 1, 0x5c, 255]);
    const [row] = await sql`
      select ${true}::boolean as yes, ${false}::boolean as no, ${at}::timestamptz as at,
        ${bytes}::bytea as bytes, ${'O\'Neil "x"\\'}::text as text, ${sql.array([true, false])}::boolean[] as flags,
        ${sql.array([at])}::timestamptz[] as times, ${['a,b', '{"}']}::text[] as texts`;
    expect(row).toEqual({
      yes: true,
      no: false,
      at,
      bytes,
      text: 'O\'Neil "x"\\',
      flags: [true, false],
      times: [at],
      texts: ['a,b', '{"}'],
    });
  });

  test('texts in arrays come back unchanged, whatever must be escaped in them', async () => {
    const texts = [
      '',
      'null',
      'a"b',
      'a\\b',
      '\\n',
      '"\n\t\r\b\f\u0001"',
      '\\"\u2028é😀',
      '{"a":"\\u0000,{}"}',
    ];
    const pairs = [texts, texts.toReversed()];
    const [row] = await sql`
      select ${texts}::text[] as texts, ${sql.array([...texts, null])}::text[] as with_null,
        ${sql.array(pairs)}::text[] as pairs, ${[]}::text[] as none`;
    expect(row).toEqual({ texts, withNull: [...texts, null], pairs, none: [] });
  });

  test('JSON text keeps the order of its keys and the digits of its numbers', async () => {
    const text = '{"b":1,"a":12345678901234567890.10}';
    const [row] = await sql`select ${text}::json::text as kept`;
    expect(row).toEqual({ kept: text });
  });
});

describe('one caller never gets another’s rows', () => {
  test('values that cannot be encoded fail alone among hundreds of statements at once', async () => {
    const cannotBeEncoded = {
      toJSON() {
        throw new Error('no JSON for this');
      },
    };
    const ask = async (id: number) => {
      const value = id % 10 === 0 ? cannotBeEncoded : { id };
      return sql`select ${id}::int as id, ${sql.json(value)}::jsonb as value`.then(
        ([row]) => row,
        () => 'refused',
      );
    };
    const ids = Array.from({ length: 1_000 }, (_, id) => id);
    const answers = await Promise.all(ids.map(ask));
    expect(answers).toEqual(ids.map((id) => (id % 10 === 0 ? 'refused' : { id, value: { id } })));
  });

  test.each([
    ['a cycle in JSON', () => sql`select ${sql.json(cycle())}::jsonb`],
    ['an invalid date', () => sql`select ${new Date(Number.NaN)}::timestamptz`],
    ['a number for bytes', () => sql`select ${sql.typed(12, 17)}::bytea`],
    ['an object for text', () => sql`select ${sql.typed(Object.create(null), 25)}::text`],
  ])('%s is refused, and the connection stays in step', async (_name, ask) => {
    await expect(ask()).rejects.toThrow(/invalid/);
    const rows = await Promise.all([1, 2, 3].map((n) => sql`select ${n}::int as n`));
    expect(rows.flat()).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
  });

  test('values sent again after a plan went stale are the same values', async () => {
    await sql`create table replanned (
      id int generated always as identity, document jsonb, flag boolean, bytes bytea, at timestamptz, tags text[])`;
    const values = {
      document: { a: 1 },
      flag: true,
      bytes: Buffer.from('hi'),
      at: new Date(0),
      tags: ['x'],
    };
    await withSingleConnection(async (single) => {
      const insert = () => single`
        insert into replanned (document, flag, bytes, at, tags)
        values (${single.json(values.document)}, ${values.flag}, ${values.bytes}, ${values.at}, ${values.tags})
        returning *`;
      await insert();
      await insert();
      await sql`alter table replanned add column extra int`;
      await insert();
    });
    const rows = await sql`select document, flag, bytes, at, tags from replanned order by id`;
    expect(rows).toEqual([values, values, values]);
  });

  test('rows after a statement that failed half-way have no holes', async () => {
    await withSingleConnection(async (single) => {
      const failing = single`select 1 / (4 - i) from generate_series(1, 10) i`;
      await expect(failing).rejects.toThrow('division by zero');
      const rows = await single`select i from generate_series(1, 5) i`;
      expect(rows.length).toBe(5);
      expect(rows.map((row) => row['i'])).toEqual([1, 2, 3, 4, 5]);
    });
  });

  test('and neither have those of several statements in one query', async () => {
    await withSingleConnection(async (single) => {
      await expect(single`select 1 / (4 - i) from generate_series(1, 10) i`).rejects.toThrow(
        /zero/,
      );
      const [first, second] = await single.unsafe(
        'select 1 as a; select 2 as b union all select 3',
      );
      expect([first, second]).toEqual([[{ a: 1 }], [{ b: 2 }, { b: 3 }]]);
    });
  });
});

describe('transactions', () => {
  test('commit what the body did when it resolves and nothing when it rejects', async () => {
    await sql`create table kept (id int)`;
    const value = await sql.begin(async (tx) => {
      await tx`insert into kept values (1)`;
      return 'done';
    });
    const failing = sql.begin(async (tx) => {
      await tx`insert into kept values (2)`;
      throw new Error('on second thoughts');
    });
    await expect(failing).rejects.toThrow('on second thoughts');
    expect(value).toBe('done');
    expect(await sql`select id from kept`).toEqual([{ id: 1 }]);
  });

  test('more at once than there are connections all succeed', async () => {
    await sql`create table counter (n int)`;
    await sql`insert into counter values (0)`;
    const add = () => sql.begin((tx) => tx`update counter set n = n + 1`.then(() => undefined));
    await Promise.all(Array.from({ length: 40 }, add));
    expect(await sql`select n from counter`).toEqual([{ n: 40 }]);
  });
});

test('of two transactions in each other’s way one is undone, as if Postgres had been away', async () => {
  await sql`create table crossed (id int primary key, n int)`;
  await sql`insert into crossed values (1, 0), (2, 0)`;
  let both = 2;
  const barrier = deferred();
  const cross = (first: number, second: number) =>
    sql.begin(async (tx) => {
      await tx`update crossed set n = n + 1 where id = ${first}::int`;
      both -= 1;
      if (both === 0) barrier.resolve();
      await barrier.promise;
      await tx`update crossed set n = n + 1 where id = ${second}::int`;
    });
  const ends = await Promise.allSettled([cross(1, 2), cross(2, 1)]);
  const failures = ends.flatMap((end) =>
    end.status === 'rejected' ? [end.reason as unknown] : [],
  );
  expect(failures).toEqual([expect.objectContaining({ name: 'PostgresAwayError', code: '40P01' })]);
  expect(await sql`select n from crossed`).toEqual([{ n: 1 }, { n: 1 }]);
});

test('a query can be a fragment of another one', async () => {
  const condition = sql`i > ${3}`;
  const rows = await sql`select i from generate_series(1, 5) i where ${condition}`;
  expect(rows).toEqual([{ i: 4 }, { i: 5 }]);
});

function cycle(): Record<string, never> {
  const value: Record<string, never> = {};
  Object.assign(value, { self: value });
  return value;
}
