import { settleOverdueMovements } from '../../activities/overdue-movements';
import { recordUploadEnd } from '../../src/uploads/sql/upload-end';
import { createLog } from '../../src/platform/observe/log';
import type { Waker } from '../../src/platform/queue/waker';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { prepareUploadRows, type UploadRows } from '../support/upload-rows';

let database: TestDatabase;
let rows: UploadRows;
beforeEach(async () => {
  database = await createTestDatabase();
  rows = await prepareUploadRows(database.sql);
  await database.sql`update store set availability_from_stock = 'on'`;
});
afterEach(() => database.drop());

const woken: unknown[] = [];
const waker: Waker = {
  async wake(_kind, key) {
    woken.push(key);
    return 'woken';
  },
  ended: async () => {},
};
const settle = () => settleOverdueMovements({ sql: database.sql, waker, log: createLog('silent') });

async function putMovements(...externalIds: readonly string[]): Promise<void> {
  for (const [index, externalId] of externalIds.entries()) {
    await database.sql`
      insert into stock_movement (store_id, external_id, is_out, moved_at, counts_at)
      values (${rows.key.storeId}::bigint, ${externalId}, true, now(),
        now() - interval '1 hour' + ${index}::int * interval '1 s')`;
  }
}

/** No movement of this item can be applied from now on. */
async function refuseItem(externalId: string): Promise<void> {
  await database.sql.unsafe(
    `alter table stock_level add constraint refused check (external_id <> '${externalId}')`,
  );
}

async function listIds(table: 'stock_movement' | 'stock_level'): Promise<string[]> {
  const found = await database.sql<{ externalId: string }[]>`
    select external_id from ${database.sql(table)} order by external_id`;
  return found.map((row) => row.externalId);
}

test('a movement that cannot be applied keeps no other one waiting, and is tried again', async () => {
  await putMovements('bad', 'I1', 'I2');
  await refuseItem('bad');
  expect(await settle()).toBe(2);
  expect(await listIds('stock_level')).toEqual(['I1', 'I2']);
  expect(await listIds('stock_movement')).toEqual(['bad']);
  await putMovements('I3');
  await database.sql`alter table stock_level drop constraint refused`;
  expect(await settle()).toBe(1);
  await database.sql`update stock_movement set counts_at = counts_at - interval '2 minutes'`;
  expect(await settle()).toBe(1);
  expect(await listIds('stock_level')).toEqual(['I1', 'I2', 'I3', 'bad']);
});

test('a full round of movements that cannot be applied is behind the next ones', async () => {
  await putMovements(...Array.from({ length: 500 }, () => 'bad'), 'I1');
  await refuseItem('bad');
  for (let round = 0; round < 10 && (await listIds('stock_level')).length === 0; round += 1) {
    await settle();
  }
  expect(await listIds('stock_level')).toEqual(['I1']);
  expect(await listIds('stock_movement')).toHaveLength(500);
});

test('a queue of many movements is woken once in a round', async () => {
  const { uploadId, attemptNo } = await rows.insertRunning();
  await recordUploadEnd(database.sql, { uploadId, attemptNo }, { state: 'uploaded', messages: [] });
  await putMovements('I1', 'I2', 'I3');
  woken.length = 0;
  expect(await settle()).toBe(3);
  expect(woken).toEqual([rows.key]);
});

test('a movement whose event may still be written is kept until it must have been', async () => {
  await putMovements('I1');
  await database.sql`
    update stock_movement set event_id = ${`evt_${'0'.repeat(32)}`}, deliveries = 1`;
  await settle();
  expect(await listIds('stock_movement')).toEqual(['I1']);
  await database.sql`
    update stock_movement set counts_at = now() - interval '1 minute',
      stored_at = now() - interval '3 minutes'`;
  await settle();
  expect(await listIds('stock_movement')).toEqual([]);
  expect(await listIds('stock_level')).toEqual([]);
});

test('what has piled up is applied as fast as it can be, not so many in each round', async () => {
  await database.sql`
    insert into stock_movement (store_id, external_id, is_out, moved_at, counts_at)
    select ${rows.key.storeId}::bigint, 'I' || n, true, now(), now() - interval '1 hour'
    from generate_series(1, 600) n`;
  // A round has a second or two: a quiet machine applies all in it, and a busy one a part of any size.
  const rounds: number[] = [];
  while (rounds.length < 20 && (await listIds('stock_movement')).length > 0)
    rounds.push(await settle());
  expect(rounds.reduce((sum, each) => sum + each, 0)).toBe(600);
  expect(await listIds('stock_movement')).toEqual([]);
});
