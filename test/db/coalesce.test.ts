import { coalesced } from '../../src/platform/db/coalesce';
import { createEmptyDatabase, type TestDatabase } from '../support/database';

let database: TestDatabase;
beforeAll(async () => {
  database = await createEmptyDatabase();
  await database.sql`create table number (n int primary key check (n < 100))`;
});
afterAll(() => database.drop());

function countedInsert() {
  const batches: number[] = [];
  const insert = coalesced(async (sql, numbers: readonly number[]) => {
    batches.push(numbers.length);
    await sql`insert into number select * from unnest(${[...numbers]}::int[])`;
    return numbers.map((n) => -n);
  });
  return { batches, insert };
}

test('simultaneous calls share one statement, and each gets its own answer', async () => {
  const { batches, insert } = countedInsert();
  const answers = await Promise.all([1, 2, 3, 4, 5].map((n) => insert(database.sql, n)));
  expect(answers).toEqual([-1, -2, -3, -4, -5]);
  expect(batches).toEqual([5]);
});

test('one whose data Postgres refuses fails alone', async () => {
  const { insert } = countedInsert();
  const ends = await Promise.allSettled([11, 100, 12].map((n) => insert(database.sql, n)));
  expect(ends.map((end) => end.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  const rows = await database.sql<{ n: number }[]>`select n from number where n > 10 order by n`;
  expect(rows.map((row) => row.n)).toEqual([11, 12]);
});

test('after any other failure nothing is repeated, because it is unknown what was written', async () => {
  let runs = 0;
  const fail = coalesced(async (sql, numbers: readonly number[]): Promise<number[]> => {
    runs += 1;
    await sql`select pg_terminate_backend(pg_backend_pid())`;
    return [...numbers];
  });
  const ends = await Promise.allSettled([1, 2, 3].map((n) => fail(database.sql, n)));
  expect(ends.map((end) => end.status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(runs).toBe(1);
});

test('calls on two pools are never mixed', async () => {
  const other = await createEmptyDatabase();
  const name = coalesced(async (sql, calls: readonly null[]) => {
    const [row] = await sql<{ name: string }[]>`select current_database() as name`;
    return calls.map(() => row?.name);
  });
  const [one, two] = await Promise.all([name(database.sql, null), name(other.sql, null)]);
  expect(one).not.toBe(two);
  await other.drop();
});
