import { forgetChecks, planChecks, takeDueChecks } from '../../src/drift/sql/check-schedule';
import { claimCheck, restCheck } from '../../src/drift/sql/drift-checks';
import type { PublicationKey } from '../../src/uploads/sql/publications';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { readingOf } from '../support/rows-read';
import { prepareUploadRows } from '../support/upload-rows';

const EVERY_MS = 60_000;
const READABLE = ['app-b'];

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  for (let store = 0; store < 5; store += 1) {
    const rows = await prepareUploadRows(database.sql);
    const uploadId = await rows.insert();
    await database.sql`
      update publication set live_upload_id = ${uploadId} where store_id = ${rows.key.storeId}::bigint`;
  }
});
afterAll(() => database.drop());

async function countPlanned(): Promise<number> {
  const [row] = await database.sql<{ count: number }[]>`
    select count(*)::int from publication where check_at is not null`;
  return row?.count ?? 0;
}

test('readings are planned, and canceled, for so many publications in one statement and no more', async () => {
  for (const planned of [2, 4, 5, 5]) {
    await planChecks(database.sql, EVERY_MS, READABLE, 2);
    expect(await countPlanned()).toBe(planned);
  }
  for (const planned of [3, 1, 0, 0]) {
    await forgetChecks(database.sql, 2);
    expect(await countPlanned()).toBe(planned);
  }
});

test('a planned reading keeps its time, unless the interval has become shorter', async () => {
  const times = () => database.sql`
    select check_at from publication where check_at is not null order by store_id`;
  await planChecks(database.sql, EVERY_MS, READABLE, 100);
  const before = await times();
  await planChecks(database.sql, EVERY_MS, READABLE, 100);
  expect(await times()).toEqual(before);
  await planChecks(database.sql, 1, READABLE, 100);
  expect(await times()).not.toEqual(before);
});

test('the menus of a deleted store are read only if that was asked for before', async () => {
  const { sql } = database;
  const [gone] = await sql<PublicationKey[]>`
    update store s set deleted_at = now() from publication p
    where p.store_id = s.store_id and p.store_id = (select min(store_id) from store)
    returning p.store_id, p.integration_id`;
  if (!gone) throw new Error('no store');
  await sql`update publication set check_at = null`;
  await planChecks(sql, EVERY_MS, READABLE, 100);
  expect(await countPlanned()).toBe(4);
  await sql`update publication set check_at = now()`;
  const due = await takeDueChecks(sql, 100, READABLE);
  expect(due.map(({ storeId }) => storeId)).not.toContain(gone.storeId);
  expect(due).toHaveLength(4);
  expect(await claimCheck(sql, gone)).toBeUndefined();
  expect(await restCheck(sql, gone)).toBe(true);
  await sql`update publication set check_asked = check_asked + 1`;
  expect(await restCheck(sql, gone)).toBe(false);
  expect(await claimCheck(sql, gone)).toMatchObject({ number: 1 });
});

test('a round does nothing for menus whose app cannot be read', async () => {
  const { sql } = database;
  const [{ integrationId } = { integrationId: 0 }] = await sql<{ integrationId: number }[]>`
    insert into integration (app, name) values ('app-c', 'App C') returning integration_id`;
  await sql`
    with stores as (
      insert into store (name, name_key, country_code)
      select 'Store', gen_random_uuid()::text, 'MX' from generate_series(1, 3000)
      returning store_id
    ), connected as (
      insert into store_integration (store_id, integration_id)
      select store_id, ${integrationId}::bigint from stores
    )
    insert into publication (store_id, integration_id, live_upload_id)
    select store_id, ${integrationId}::bigint, 'upl_' || store_id from stores`;
  await sql.unsafe('analyze publication, store, integration');
  await sql`update publication set check_at = null`;
  const { rows } = await readingOf('publication', sql, (tx) =>
    planChecks(tx, EVERY_MS, READABLE, 100),
  );
  expect(rows).toBeLessThan(100);
});

test('readings that are overdue for an inactive integration cost a round nothing', async () => {
  const { sql } = database;
  await sql`update integration set app = ${READABLE[0] ?? ''}, active = false where app = 'app-c'`;
  const [due] = await sql<PublicationKey[]>`
    select store_id, integration_id from publication p
      join store s using (store_id) join integration i using (integration_id)
    where s.deleted_at is null and i.active order by store_id desc limit 1`;
  if (!due) throw new Error('no publication');
  await sql`
    update publication set check_asked = 0, check_done = 0, check_lease_until = null, check_next_sweep_at = now(),
      check_at = case when store_id = ${due.storeId}::bigint then now() else now() - interval '1 h' end`;
  await sql`
    update publication p set check_at = now() + interval '1 h' from integration i
    where i.integration_id = p.integration_id and i.active and p.store_id <> ${due.storeId}::bigint`;
  await sql.unsafe('vacuum analyze publication');
  const { value, rows } = await readingOf('publication', sql, (tx) =>
    takeDueChecks(tx, 100, READABLE),
  );
  expect(value).toEqual([due]);
  expect(rows).toBeLessThan(100);
});
