import { storeAvailabilityWorkflow } from '../../src/availability/queue';
import { lockQueue } from '../../src/availability/sql/changes';
import { recordUploadEnd } from '../../src/uploads/sql/upload-end';
import { menuPublicationWorkflow } from '../../src/uploads/queue';
import { readingOf } from '../support/rows-read';
import { prepareUploadRows, useUploadRows } from '../support/upload-rows';

const AT_REST = 20_000;

const { database, rows } = useUploadRows({ once: true });
beforeAll(async () => {
  const { storeId, integrationId } = rows.key;
  // Each with one upload that has ended.
  await database.sql`
    with made as (
      insert into store (name, name_key, country_code)
      select 'S', 'at rest ' || n, 'MX' from generate_series(1, ${AT_REST}::int) n
      returning store_id
    )
    insert into store_integration (store_id, integration_id, delivery_id)
    select store_id, ${integrationId}::bigint, store_id::text from made`;
  await database.sql`
    insert into publication (store_id, integration_id, last_seq, claimed_seq)
    select store_id, integration_id, 1, 1 from store_integration
    where store_id <> ${storeId}::bigint`;
  await rows.insert();
  await database.sql`
    insert into menu_upload (upload_id, store_id, integration_id, seq, user_id, request_id,
      document_sha256, state, created_at, finished_at)
    select 'upl_' || p.store_id, p.store_id, p.integration_id, 1, u.user_id, u.request_id,
      u.document_sha256, 'uploaded', now(), now()
    from publication p, menu_upload u where u.store_id = ${storeId}::bigint and p.store_id <> u.store_id`;
});

test('the sweep finds what is overdue without reading the publications at rest', async () => {
  const overdue = () =>
    readingOf('%\\_%', database.sql, (sql) => menuPublicationWorkflow.takeOverdue(sql, 100));
  const sweep = () =>
    readingOf('publication', database.sql, (sql) => menuPublicationWorkflow.takeOverdue(sql, 100));
  expect((await overdue()).value).toEqual([]);
  const { sql } = database;
  await sql`
    update menu_upload set created_at = now() - interval '1 min' where state = 'queued'`;
  const { value, rows: read } = await sweep();
  expect(value).toEqual([rows.key]);
  expect(read).toBeLessThan(20);
  await sql`update publication set next_sweep_at = now() where sweeps > 0`;
  const again = await overdue();
  expect(again.value).toEqual([rows.key]);
  expect(again.rows).toBeLessThan(20);
});

test('the sweep finds a queue that has not followed its menu without reading those that have', async () => {
  const { sql } = database;
  const behind = await prepareUploadRows(sql);
  await sql`
    update integration set app = 'app-c' where integration_id = ${behind.key.integrationId}::bigint`;
  await sql`
    insert into availability_queue (store_id, integration_id, told_upload_id)
    select store_id, integration_id, 'upl_' || store_id from publication`;
  await sql`update publication set live_upload_id = 'upl_' || store_id`;
  await sql.unsafe('vacuum analyze publication, availability_queue');
  await sql.begin((tx) => lockQueue(tx, behind.key));
  await recordUploadEnd(sql, await behind.insertRunning(), { state: 'uploaded', messages: [] });
  await sql`update availability_queue set lease_until = null where lease_until is not null`;
  for (const tables of ['publication', 'availability\\_line']) {
    await sql`update availability_queue set next_sweep_at = now() where sweeps > 0`;
    const { value, rows: read } = await readingOf(tables, sql, (tx) =>
      storeAvailabilityWorkflow.takeOverdue(tx, 100),
    );
    expect(value).toEqual([behind.key]);
    expect(read).toBeLessThan(20);
  }
});
