import { expiringKinds } from '../../activities/sweep-activities';
import { removeUnusedDocuments } from '../../src/db/documents';
import { claimNewestUpload } from '../../src/db/publications';
import { finishUpload } from '../../src/db/uploads';
import { createLog } from '../../src/log';
import { removeExpiredRows } from '../../src/retention';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { prepareUploadRows, type UploadRows } from '../support/upload-rows';

let database: TestDatabase;
let rows: UploadRows;

beforeAll(async () => {
  database = await createTestDatabase();
  rows = await prepareUploadRows(database.sql);
});
afterAll(() => database.drop());

const silent = createLog('silent');

async function putFinishedDeliveries(rowCount: number, days: number): Promise<void> {
  await database.sql`
    with made as (
      insert into delivery (delivery_id, message_id, subscription_id, inventory_system_id, type,
        payload, state, request_id, user_id, finished_at)
      select 'dlv_' || gen_random_uuid(), 'msg', 'sub', gen_random_uuid(), 2, '{}', 'acknowledged',
        'request', 'user', now() - ${days}::int * interval '1 day'
      from generate_series(1, ${rowCount}::int)
      returning delivery_id
    )
    insert into attempt (delivery_id, number, epoch, started_at, duration_ms)
    select delivery_id, 1, 1, now(), 1 from made`;
}

async function count(table: 'delivery' | 'attempt' | 'document'): Promise<number> {
  const [row] = await database.sql<{ n: number }[]>`
    select count(*) as n from ${database.sql(table)}`;
  return row?.n ?? 0;
}

test('one round removes all that has had its time, in statements of a bounded size, and nothing else', async () => {
  await putFinishedDeliveries(6_000, 31);
  await putFinishedDeliveries(10, 29);
  const removed = await removeExpiredRows({
    kinds: expiringKinds(database.sql, 30),
    log: silent,
    budgetMs: 20_000,
  });
  expect(await count('delivery')).toBe(10);
  expect(await count('attempt')).toBe(10);
  const { rows: looked = 0, statements = 0 } =
    removed.find(({ name }) => name === 'deliveries') ?? {};
  expect(looked).toBe(6_000);
  expect(looked / statements).toBeLessThanOrEqual(2_000);
});

test('a kind that fails is logged once in a round and keeps no other from its own', async () => {
  const lines: string[] = [];
  const log = createLog('error', { write: (line) => void lines.push(line) });
  let left = 1_000;
  const removed = await removeExpiredRows({
    log,
    kinds: [
      { name: 'broken', removeSome: () => Promise.reject(new Error('it cannot')) },
      {
        name: 'sound',
        removeSome: async (limit) => {
          const some = Math.min(left, limit);
          left -= some;
          return some;
        },
      },
    ],
  });
  expect(left).toBe(0);
  expect(removed.map(({ name, rows: looked }) => [name, looked])).toEqual([
    ['broken', 0],
    ['sound', 1_000],
  ]);
  expect(lines.map((line) => JSON.parse(line).kind)).toEqual(['broken']);
});

test('a round ends when its time is over, whatever is left', async () => {
  const startedAt = performance.now();
  const endless = { name: 'endless', removeSome: async (limit: number) => limit };
  await removeExpiredRows({ log: silent, kinds: [endless], budgetMs: 200 });
  expect(performance.now() - startedAt).toBeLessThan(2_000);
});

test('documents in use do not stand in front of those that are not, and are looked at again after a day', async () => {
  await database.sql`delete from menu_upload`;
  await database.sql`delete from document`;
  for (const text of ['used 1', 'used 2', 'used 3']) await rows.insert({ text });
  await database.sql`update document set created_at = now() - interval '40 days'`;
  await database.sql`
    insert into document (sha256, content_gzip, size, created_at)
    values ('unused', '\\x00', 1, now() - interval '31 days'), ('young', '\\x00', 1, now())`;
  expect(await removeUnusedDocuments(database.sql, 30, 2)).toBe(2);
  expect(await removeUnusedDocuments(database.sql, 30, 2)).toBe(2);
  expect(await removeUnusedDocuments(database.sql, 30, 2)).toBe(0);
  const left = await database.sql<{ sha256: string; again: boolean }[]>`
    select sha256, created_at < now() - interval '28 days' as again from document
    order by length(sha256), sha256`;
  expect(left.map(({ sha256 }) => sha256).slice(0, 1)).toEqual(['young']);
  expect(left.slice(1).map(({ again }) => again)).toEqual([true, true, true]);
});

test('a document is used as long as any foreign key leads to it', async () => {
  const references = await database.sql<{ table: string; column: string }[]>`
    select c.conrelid::regclass::text as table, a.attname as column
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any (c.conkey)
    where c.contype = 'f' and c.confrelid = 'document'::regclass order by 1, 2`;
  // What stands here is asked for in `removeUnusedDocuments`: without that it would try and fail for ever.
  expect(references).toEqual([
    { table: 'menu_upload', column: 'document_sha256' },
    { table: 'menu_upload', column: 'payload_sha256' },
  ]);
});

test('live uploads at the old end keep no ended one behind them from being removed', async () => {
  await database.sql`delete from menu_upload`;
  const kinds = expiringKinds(database.sql, 30).filter(({ name }) => name === 'uploads');
  for (const shop of await Promise.all([1, 2, 3].map(() => prepareUploadRows(database.sql)))) {
    const uploadId = await shop.insert();
    await claimNewestUpload(database.sql, shop.key, 'run');
    await finishUpload(database.sql, uploadId, 1, { state: 'uploaded', messages: [] });
  }
  await database.sql`update menu_upload set finished_at = now() - interval '60 days'`;
  const old = await rows.insert();
  await database.sql`
    update menu_upload set state = 'failed', finished_at = now() - interval '40 days'
    where upload_id = ${old}`;
  const [uploads] = kinds;
  expect(await uploads?.removeSome(3)).toBe(3);
  expect(await uploads?.removeSome(3)).toBe(1);
  expect(await rows.state(old)).toBeUndefined();
  const kept = await database.sql`select upload_id from menu_upload`;
  expect(kept).toHaveLength(3);
});
