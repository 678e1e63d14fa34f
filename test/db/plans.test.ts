import { connect } from '../../src/db/client';
import { createEmptyDatabase, type TestDatabase } from '../support/database';

let database: TestDatabase;
beforeAll(async () => {
  database = await createEmptyDatabase();
});
afterAll(() => database.drop());

test('a statement that was first run on a table of fifty rows uses the index when there are many', async () => {
  const sql = connect(database.url, { max: 1 });
  await sql`create table queue (id int primary key, note text not null)`;
  await sql`insert into queue select n, 'note' from generate_series(1, 50) as n`;
  await sql`analyze queue`;
  const plan = await sql<{ 'QUERY PLAN': string }[]>`explain select note from queue where id = 7`;
  expect(plan.map((line) => Object.values(line)[0]).join('\n')).toMatch(
    /^Index Scan using queue_pkey/,
  );
  const [row] = await sql<{ n: number }[]>`select count(*) as n from queue where note = 'note'`;
  expect(row?.n).toBe(50);
  await sql.end();
});
