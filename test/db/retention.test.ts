import { expiringKinds } from '../../activities/retention-kinds';
import { removeUnusedDocuments } from '../../src/uploads/sql/documents';
import { claimNewestUpload } from '../../src/uploads/sql/publications';
import { recordUploadEnd } from '../../src/uploads/sql/upload-end';
import type { Sql } from '../../src/platform/db/client';
import { createLog } from '../../src/platform/observe/log';
import { removeExpiredRows } from '../../src/platform/db/remove-expired-rows';
import { prepareUploadRows, useUploadRows } from '../support/upload-rows';

const { database, rows } = useUploadRows({ once: true });

const silent = createLog('silent');

async function putFinishedDeliveries(rowCount: number, days: number): Promise<void> {
  await database.sql`
    insert into ended_delivery (delivery_id, subscription_id, inventory_system_id, type, sequence, payload,
      state, request_id, user_id, created_at, finished_at, attempts_made, attempts_before_resend, attempts)
    select 'dlv_' || gen_random_uuid(), 'sub', gen_random_uuid(), 2, n, '{}', 'acknowledged',
      'request', 'user', at, at, 1, 0, array[(1, at, 1, 204, null, null, null)::ended_attempt]
    from generate_series(1, ${rowCount}::int) as n,
      lateral (select now() - ${days}::int * interval '1 day' as at) as ended`;
}

async function count(table: 'ended_delivery' | 'document'): Promise<number> {
  const [row] = await database.sql<{ n: number }[]>`
    select count(*) as n from ${database.sql(table)}`;
  return row?.n ?? 0;
}

test('one round removes all expired rows, in statements of limited size, and nothing else', async () => {
  await putFinishedDeliveries(6_000, 31);
  await putFinishedDeliveries(10, 29);
  const removed = await removeExpiredRows({
    kinds: expiringKinds(database.sql, 30),
    log: silent,
    budgetMs: 20_000,
  });
  expect(await count('ended_delivery')).toBe(10);
  const { rows: looked = 0, statements = 0 } =
    removed.find(({ name }) => name === 'deliveries') ?? {};
  expect(looked).toBe(6_000);
  expect(looked / statements).toBeLessThanOrEqual(2_000);
});

test('a failing kind is logged once per round and does not keep others from being removed', async () => {
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

test('a round ends at its deadline, whatever is left', async () => {
  const startedAt = performance.now();
  const endless = { name: 'endless', removeSome: async (limit: number) => limit };
  await removeExpiredRows({ log: silent, kinds: [endless], budgetMs: 200 });
  expect(performance.now() - startedAt).toBeLessThan(2_000);
});

test('documents in use do not block unused ones, and are checked again after a day', async () => {
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

test('documents are checked one by one for use, however many uploads there are', async () => {
  const { key, userId } = rows;
  await database.sql`delete from menu_upload`;
  await database.sql`delete from document`;
  await rows.insert({ text: 'used' });
  await database.sql`
    insert into menu_upload (upload_id, store_id, integration_id, seq, user_id, request_id, document_sha256, state,
      finished_at)
    select 'upl_' || n, ${key.storeId}::bigint, ${key.integrationId}::bigint, 1000 + n, ${userId}, 'r', sha256,
      'failed', now()
    from document, generate_series(1, 3000) n`;
  await database.sql`
    insert into document (sha256, content_gzip, size, created_at)
    select 'unused ' || n, '\\x00', 1, now() - case when n > 50 then interval '1 day' else interval '31 days' end
    from generate_series(1, 20000) n`;
  await database.sql.unsafe('analyze menu_upload, document');
  const read = await database.sql.begin(async (tx) => {
    const countRead = async () => {
      const [row] = await tx<{ n: number }[]>`
        select (seq_tup_read + idx_tup_fetch)::int as n from pg_stat_xact_user_tables
        where relname = 'menu_upload'`;
      return row?.n ?? Number.NaN;
    };
    const before = await countRead();
    expect(await removeUnusedDocuments(tx as Sql, 30, 100)).toBe(50);
    return (await countRead()) - before;
  });
  expect(read).toBeLessThan(100);
});

test('a document is in use as long as any foreign key refers to it', async () => {
  const references = await database.sql<{ table: string; column: string }[]>`
    select c.conrelid::regclass::text as table, a.attname as column
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any (c.conkey)
    where c.contype = 'f' and c.confrelid = 'document'::regclass order by 1, 2`;
  // Every reference listed here must be in `removeUnusedDocuments`; otherwise it would try and fail for ever.
  expect(references).toEqual([
    { table: 'menu_upload', column: 'document_sha256' },
    { table: 'menu_upload', column: 'payload_sha256' },
  ]);
});

test('live uploads at the old end do not keep later ended ones from being removed', async () => {
  await database.sql`delete from menu_upload`;
  const kinds = expiringKinds(database.sql, 30).filter(({ name }) => name === 'uploads');
  for (const shop of await Promise.all([1, 2, 3].map(() => prepareUploadRows(database.sql)))) {
    const uploadId = await shop.insert();
    await claimNewestUpload(database.sql, shop.key, 'run');
    await recordUploadEnd(
      database.sql,
      { uploadId, attemptNo: 1 },
      { state: 'uploaded', messages: [] },
    );
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

test('changes of items off sale for good do not keep later changes from being removed', async () => {
  const { storeId, integrationId } = rows.key;
  await database.sql`
    insert into availability_change (change_id, request_row_id, store_id, integration_id,
      named_integration, kind, cause, request_id, state, finished_at)
    select 'avc_' || n, 'avr_' || n, ${storeId}::bigint, ${integrationId}::bigint, 'B', 'items',
      'api', 'request', 'done', now() - (50 - n) * interval '1 day'
    from generate_series(1, 4) as n`;
  await database.sql`
    insert into availability_mark (store_id, integration_id, external_id, by_api, by_stock, change_id)
    select ${storeId}::bigint, ${integrationId}::bigint, 'I' || n, true, false, 'avc_' || n
    from generate_series(1, 3) as n`;
  const kinds = expiringKinds(database.sql, 30).filter(({ name }) => name === 'changes');
  const [changes] = kinds;
  expect(await changes?.removeSome(3)).toBe(3);
  expect(await changes?.removeSome(3)).toBe(1);
  const kept = await database.sql<{ changeId: string }[]>`
    select change_id from availability_change order by change_id`;
  expect(kept.map((row) => row.changeId)).toEqual(['avc_1', 'avc_2', 'avc_3']);
});
