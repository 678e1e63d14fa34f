import { storeAvailabilityWorkflow } from '../../src/availability/queue';
import { claimAvailability } from '../../src/availability/sql/claims';
import { lockQueue } from '../../src/availability/sql/changes';
import { followMenu } from '../../src/availability/sql/repeats';
import { queueOf, rulesOf } from '../support/availability-queue';
import { readingOf } from '../support/rows-read';
import { claimNewestUpload } from '../../src/uploads/sql/publications';
import { recordUploadEnd } from '../../src/uploads/sql/upload-end';
import { prepareUploadRows, useUploadRows } from '../support/upload-rows';

const { database, rows } = useUploadRows({ once: true });

test('an item that came back while the app worked on a menu is told again, although others of its change still wait', async () => {
  const { sql } = database;
  const running = await rows.insertRunning();
  await sql`
    update menu_upload set item_ids = '{"I1": ["I1"], "I2": ["I2"], "I3": ["I3"]}'
    where upload_id = ${running.uploadId}`;
  const { changeId } = await queueOf(sql, rows).write(['I1', 'I2']);
  // The app has taken the first call, and was away for the second one.
  await sql`
    update availability_item set state = 'done'
    where change_id = ${changeId} and external_id = 'I1'`;
  await recordUploadEnd(sql, running, { state: 'uploaded', messages: [] });
  await claimAvailability(sql, rows.key, rulesOf('app-b'));
  const told = await sql`
    select external_id, available, i.state from availability_item i
    join availability_change c using (change_id) where c.cause = 'menu'`;
  expect(told).toEqual([{ externalId: 'I1', available: true, state: 'waiting' }]);
});

test('what came back while the app worked on a menu is found without reading the changes of months', async () => {
  const { sql } = database;
  const shop = await prepareUploadRows(sql);
  await sql.begin((tx) => lockQueue(tx, shop.key));
  await sql`
    insert into availability_change (change_id, request_row_id, store_id, integration_id,
      named_integration, kind, cause, request_id, state, messages, due_at, created_at, finished_at)
    select 'avc_old_' || n, 'avr_old', ${shop.key.storeId}::bigint, ${shop.key.integrationId}::bigint,
      'x', 'items', 'api', 'request', 'done', '[]', at, at, at
    from generate_series(1, 5000) n, lateral (select now() - n * interval '10 min' as at) as times`;
  await sql`
    insert into availability_item (change_id, position, store_id, integration_id, external_id,
      available, state)
    select change_id, 0, store_id, integration_id, 'I1', true, 'done'
    from availability_change where request_row_id = 'avr_old'`;
  const { uploadId } = await shop.insertRunning();
  const { rows: read } = await readingOf('availability\\_%', sql, (tx) =>
    followMenu(tx, shop.key, uploadId, true),
  );
  expect(read).toBeLessThan(20);
});

test('a lost wake behind a menu is found, without an item off sale too, but not in a deleted store', async () => {
  const { sql } = database;
  const shop = await prepareUploadRows(sql);
  await sql`update integration set app = 'app-c' where integration_id = ${shop.key.integrationId}::bigint`;
  const overdue = async () => {
    await sql`update availability_queue set lease_until = null, next_sweep_at = now()`;
    const keys = await storeAvailabilityWorkflow.takeOverdue(sql, 100);
    return keys.filter(({ storeId }) => storeId === shop.key.storeId);
  };
  await sql.begin((tx) => lockQueue(tx, shop.key));
  expect(await overdue()).toEqual([]);
  await recordUploadEnd(sql, await shop.insertRunning(), { state: 'uploaded', messages: [] });
  expect(await overdue()).toEqual([shop.key]);
  await sql`update store set deleted_at = now() where store_id = ${shop.key.storeId}::bigint`;
  expect(await overdue()).toEqual([]);
  await sql`update store set deleted_at = null where store_id = ${shop.key.storeId}::bigint`;
  await claimAvailability(sql, shop.key, rulesOf('app-c'));
  expect(await overdue()).toEqual([]);
});

test('where items were switched before, the end of an upload lets its workflow claim once more, to wake the queue', async () => {
  const { sql } = database;
  const shop = await prepareUploadRows(sql);
  await sql.begin((tx) => lockQueue(tx, shop.key));
  const endAs = async (state: 'failed' | 'uploaded') =>
    recordUploadEnd(sql, await shop.insertRunning(), { state, messages: [] });
  expect((await endAs('failed'))?.rests).toBe(true);
  expect((await endAs('uploaded'))?.rests).toBe(false);
  expect(await claimNewestUpload(sql, shop.key, 'run')).toEqual({ kind: 'idle' });
});
