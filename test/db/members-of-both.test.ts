import { membersOfBoth } from '../../src/rollouts/sql/members-of-both';
import { createTestDatabase, type TestDatabase } from '../support/database';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

async function join(first: string, second: string): Promise<string> {
  const { sql } = database;
  const [row] = await sql<{ both: string }[]>`
    select ${membersOfBoth(sql, sql`${first}::text::json`, sql`${second}::text::json`)}::text as both`;
  return row?.both ?? '';
}

test('the members of two objects keep the text of their values, also of a number that jsonb refuses', async () => {
  const both = await join('{"store_id": 1.0}', '{"\\u0061": [1e200000, 0.10], "b": null}');
  expect(both).toBe('{ "store_id" : 1.0, "a" : [1e200000, 0.10], "b" : null }');
});

test('of a name that both have the second value is read', async () => {
  expect(JSON.parse(await join('{"store_id":1,"a":1}', '{"store_id":2}'))).toEqual({
    store_id: 2,
    a: 1,
  });
});
