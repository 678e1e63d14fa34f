import { listWaitingUploads } from '../../src/console/sql/wrong-now';
import { findOldestDueMs } from '../../src/metrics/queue-age';
import { menuPublicationWorkflow } from '../../src/uploads/queue';
import { createTestDatabase } from '../support/database';
import { readingOf } from '../support/rows-read';
import { prepareUploadRows } from '../support/upload-rows';

test('uploads that rollouts hold are not read to find what is due', async () => {
  const database = await createTestDatabase();
  const rows = await prepareUploadRows(database.sql);
  await rows.insert();
  await database.sql`delete from menu_upload`;
  await database.sql`
    insert into menu_upload (upload_id, store_id, integration_id, seq, user_id, request_id, document_sha256, state, held)
    select 'upl_' || lpad(n::text, 32, '0'), ${rows.key.storeId}::bigint, ${rows.key.integrationId}::bigint, 100 + n,
      ${rows.userId}, 'r', (select sha256 from document limit 1), 'queued', true
    from generate_series(1, 10000) n`;
  await database.sql`analyze menu_upload`;
  const viewer = { userId: rows.userId, seesAll: true };
  const { value, rows: read } = await readingOf('menu\\_upload', database.sql, async (sql) => ({
    oldestMs: await findOldestDueMs(sql),
    overdue: await menuPublicationWorkflow.takeOverdue(sql, 100),
    away: await listWaitingUploads(sql, viewer),
  }));
  expect(value).toEqual({ oldestMs: 0, overdue: [], away: [] });
  expect(read).toBeLessThanOrEqual(20);
  await database.drop();
});
