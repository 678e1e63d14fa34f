import { lockQueue } from '../../src/availability/sql/changes';
import { queueOf } from '../support/availability-queue';
import { createTestDatabase } from '../support/database';
import { readingOf } from '../support/rows-read';
import { prepareUploadRows, type UploadRows } from '../support/upload-rows';

const QUEUES = 20;
const OF_EACH = 1_000;

test('a claim of a queue does not read which items of other queues are off sale for a time', async () => {
  const database = await createTestDatabase();
  const { sql } = database;
  const addQueue = async (timed: number): Promise<UploadRows> => {
    const rows = await prepareUploadRows(sql);
    await sql.begin((tx) => lockQueue(tx, rows.key));
    await sql`
      insert into availability_mark (store_id, integration_id, external_id, by_api, by_stock, change_id, api_until)
      select ${rows.key.storeId}::bigint, ${rows.key.integrationId}::bigint, 'item ' || n, true, false, 'chg_ended',
        now() + n * interval '1 min'
      from generate_series(1, ${timed}::int) n`;
    return rows;
  };
  for (let n = 0; n < QUEUES; n += 1) await addQueue(OF_EACH);
  const quiet = await addQueue(0);
  const timed = await addQueue(1);
  await sql`analyze availability_mark`;
  for (const [rows, kind] of [
    [quiet, 'idle'],
    [timed, 'wait'],
  ] as const) {
    const { value, rows: read } = await readingOf('availability\\_mark', sql, (tx) =>
      queueOf(tx, rows).claim(),
    );
    expect(value.kind).toBe(kind);
    expect(read).toBeLessThanOrEqual(10);
  }
  await database.drop();
});
