import { createDrainBench, type DrainBench } from '../support/drain-bench';

let bench: DrainBench;
beforeAll(async () => {
  bench = await createDrainBench();
});
afterAll(() => bench.close());

test('vacuum leaves the pages of an empty queue, because everyone would wait for it to give them back', async () => {
  const { rows, receiver, database } = bench;
  const { sql } = database;
  const size = async (): Promise<number> => {
    const [row] = await sql<{ size: number }[]>`
      select pg_relation_size('delivery')::float8 as size`;
    return row?.size ?? 0;
  };
  const subscription = await rows.subscribe({ url: `${receiver.url}/pages` });
  await rows.put(subscription, 40);
  const full = await size();
  await sql`delete from delivery`;
  await sql`vacuum delivery`;
  expect(await size()).toBe(full);
  // When somebody wants it.
  await sql`vacuum (truncate) delivery`;
  expect(await size()).toBe(0);
});
