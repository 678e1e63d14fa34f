import { createTestDatabase, type TestDatabase } from '../support/database';
import { createWebhookRows } from '../support/webhook-rows';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('vacuum leaves the pages of an empty queue, because everyone would wait for it to give them back', async () => {
  const { sql } = database;
  const rows = await createWebhookRows(sql);
  const size = async (): Promise<number> => {
    const [row] = await sql<{ size: number }[]>`
      select pg_relation_size('delivery')::float8 as size`;
    return row?.size ?? 0;
  };
  const subscription = await rows.subscribe({ url: 'http://127.0.0.1:9/pages' });
  await rows.put(subscription, 40);
  const full = await size();
  await sql`delete from delivery`;
  await sql`vacuum delivery`;
  expect(await size()).toBe(full);
  // When somebody wants it.
  await sql`vacuum (truncate) delivery`;
  expect(await size()).toBe(0);
});
