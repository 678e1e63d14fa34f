import { claimAvailability } from '../../src/availability/sql/claims';
import { takeItems } from '../../src/availability/sql/calls';
import { lockQueue } from '../../src/availability/sql/changes';
import { findKnownItems, takeUnavailable } from '../../src/availability/sql/marks';
import { recordUploadEnd } from '../../src/uploads/sql/upload-end';
import { rulesOf } from '../support/availability-queue';
import { useUploadRows } from '../support/upload-rows';

/** As many as a menu may have. */
const MANY = 10_000;
/** Each took from 10 s to more than 15, the deadline of a statement. */
const SOON_MS = 5_000;

const { database, rows } = useUploadRows({ once: true });
beforeAll(async () => {
  const { storeId, integrationId } = rows.key;
  await database.sql.begin((tx) => lockQueue(tx, rows.key));
  await database.sql`
    insert into availability_mark (store_id, integration_id, external_id, by_api, by_stock, change_id)
    select ${storeId}::bigint, ${integrationId}::bigint, ${itemId()}, true, false, 'chg_ended'
    from generate_series(1, ${MANY}::int) n`;
});

/** An id as long as ids of POS systems are. */
function itemId() {
  return database.sql`'an-item-of-a-menu-with-many-of-them-' || n`;
}

/** What `work` resolves to; it must be there soon. */
async function soon<T>(work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  const value = await work();
  expect(performance.now() - startedAt).toBeLessThan(SOON_MS);
  return value;
}

test('ten thousand items off sale of a menu with as many are found, and told to the app, in seconds', async () => {
  const { sql } = database;
  const running = await rows.insertRunning();
  await sql`
    update menu_upload set item_ids = (
      select jsonb_object_agg(${itemId()}, jsonb_build_array('app-' || n, 'copy-' || n))
      from generate_series(1, ${MANY}::int) n)
    where upload_id = ${running.uploadId}`;
  const off = await soon(() => takeUnavailable(sql, rows.key, running.uploadId, []));
  expect(off).toHaveLength(2 * MANY);
  expect(off).toContainEqual({ wireId: 'copy-7', available: false, until: null });

  await recordUploadEnd(sql, running, { state: 'uploaded', messages: [] });
  const ids = await sql<{ id: string }[]>`
    select ${itemId()} as id from generate_series(1, ${MANY}::int) n`;
  const known = await soon(() =>
    sql.begin((tx) => findKnownItems(tx, rows.key, [...ids.map(({ id }) => id), 'unknown'])),
  );
  expect(known.items.filter(({ isLive }) => isLive)).toHaveLength(MANY);

  await soon(() => claimAvailability(sql, rows.key, rulesOf('app-b')));
  const [queue] = await sql<{ claimNo: number }[]>`select claim_no from availability_queue`;
  const claim = { ...rows.key, claimNo: queue?.claimNo ?? 0 };
  const taken = await soon(() => takeItems(sql, claim, { limit: 100_000, sameDirection: false }));
  expect(taken).toHaveLength(MANY);
  expect(taken[0]?.wireIds).toHaveLength(2);
}, 120_000);
