import { expiringKinds } from '../../activities/retention-kinds';
import { purgeDeletedStore } from '../../src/admin/stores';
import { startWorld, type World, type WorldIds } from '../api-contract/world';
import type { TestCaller } from '../support/api';

/* The purge of a deleted store that has very many rows, or that cannot be purged. */

let world: World;
let owner: TestCaller;
let ids: WorldIds;

beforeAll(async () => {
  world = await startWorld({ UPLOAD_WAIT: '10s' });
  owner = world.owner;
});
afterAll(() => world.stop());
beforeEach(async () => {
  ids = await world.spareConnected();
});

function upload() {
  const menu = { ...world.menu, store_id: ids.storeId };
  return owner.post('/menus/upload', menu, { prefer: 'respond-async' });
}

async function isGone(): Promise<boolean> {
  const rows = await world.api.sql`select from store where store_id = ${ids.storeId}::bigint`;
  return rows.length === 0;
}

const BUSY = 2_500;
const CHANGES = 250;
const BUSY_TABLES = [
  'menu_upload',
  'pos_request',
  'stock_movement',
  'stock_level',
  'availability_change',
  'availability_mark',
];

/** Many rows of each kind of which a store may have any number. */
async function fill(rows: number): Promise<void> {
  const { sql } = world.api;
  const { storeId, systemId } = ids;
  await upload();
  await sql`
    insert into menu_upload (upload_id, store_id, integration_id, seq, user_id, request_id, document_sha256, state)
    select u.upload_id || n, u.store_id, u.integration_id, u.seq + n, u.user_id, u.request_id,
      u.document_sha256, 'superseded'
    from (select * from menu_upload where store_id = ${storeId}::bigint limit 1) u,
      generate_series(1, ${rows}::int) n`;
  await sql`
    insert into upload_step (upload_id, name, state)
    select upload_id, 'push', 'done' from menu_upload where store_id = ${storeId}::bigint`;
  await sql`
    with pos as (
      insert into pos_system (name, base_url, secret_encrypted)
      values ('POS', 'http://127.0.0.1:9', '') returning pos_id
    )
    insert into pos_request (pos_request_id, store_id, pos_id, inventory_system_id, user_id, request_id,
      message_id, body, outcome, error, duration_ms)
    select 'psr_' || ${storeId}::bigint || '_' || n, ${storeId}::bigint, pos_id, ${systemId}::uuid,
      ${owner.userId}, 'r', 'm', '{}', 'unknown', 'timeout', 1
    from pos, generate_series(1, ${rows}::int) n`;
  await sql`
    insert into stock_movement (store_id, external_id, is_out, moved_at, counts_at)
    select ${storeId}::bigint, n, true, now(), now() from generate_series(1, ${rows}::int) n`;
  await sql`
    insert into stock_level (store_id, external_id, movement_no, moved_at, is_out)
    select ${storeId}::bigint, n, n, now(), true from generate_series(1, ${rows}::int) n`;
  await sql`
    insert into availability_change (change_id, request_row_id, store_id, named_integration, kind, cause,
      state, request_id, finished_at)
    select 'avc_' || ${storeId}::bigint || '_' || n, 'avr', ${storeId}::bigint, '1', 'items', 'api', 'done',
      'r', now()
    from generate_series(1, ${CHANGES}::int) n`;
  await sql`
    insert into availability_mark (store_id, integration_id, external_id, by_api, by_stock, change_id)
    select ${storeId}::bigint, integration_id, n, true, false, 'avc'
    from store_integration, generate_series(1, ${rows}::int) n
    where store_id = ${storeId}::bigint`;
}

beforeAll(async () => {
  const { sql } = world.api;
  await sql.unsafe('create table removal (of_table text, rows int)');
  await sql.unsafe(`create function note_removal() returns trigger language plpgsql as $$ begin
    insert into removal select tg_table_name, count(*) from gone; return null; end $$`);
  await Promise.all(
    BUSY_TABLES.map((table) =>
      sql.unsafe(`create trigger note_removal after delete on ${table}
        referencing old table as gone for each statement execute function note_removal()`),
    ),
  );
});

test('a store is removed in statements of limited size', async () => {
  const { sql } = world.api;
  await fill(BUSY);
  await owner.remove(`/store/${ids.storeId}`);
  await sql`delete from removal`;
  await purgeDeletedStore({ sql }, ids.storeId);
  const removed = await sql<{ ofTable: string; most: number; all: number }[]>`
    select of_table, max(rows) as most, sum(rows)::int as all from removal group by of_table`;
  const sizes = removed.map(({ ofTable, most, all }) => [ofTable, { most, all }] as const);
  expect(Object.fromEntries(sizes)).toEqual({
    menu_upload: { most: 100, all: BUSY + 1 },
    pos_request: { most: 1_000, all: BUSY },
    stock_movement: { most: 1_000, all: BUSY },
    stock_level: { most: 1_000, all: BUSY },
    availability_change: { most: 100, all: CHANGES },
    availability_mark: { most: 1_000, all: BUSY },
  });
  expect(await isGone()).toBe(true);
});

/** A trigger before each removal of an upload of the store. */
async function beforeEachUpload(statement: string): Promise<() => Promise<unknown>> {
  const { sql } = world.api;
  await sql.unsafe(`create function hinder() returns trigger language plpgsql as $$ begin
    ${statement}; return old; end $$`);
  await sql.unsafe(`create trigger hinder before delete on menu_upload for each row
    when (old.store_id = ${ids.storeId}) execute function hinder()`);
  return () => sql.unsafe('drop function hinder cascade');
}

async function expire(storeId: number, days: number): Promise<void> {
  await owner.remove(`/store/${storeId}`);
  await world.api.sql`
    update store set deleted_at = now() - ${days}::int * interval '1 day'
    where store_id = ${storeId}::bigint`;
}

const removal = () => {
  const kind = expiringKinds(world.api.sql, 30).find(({ name }) => name === 'stores');
  if (!kind) throw new Error('stores do not expire');
  return kind.removeSome;
};

test('a store that cannot be removed does not keep those behind it', async () => {
  await upload();
  const behind = await world.spare();
  const stop = await beforeEachUpload(`raise exception 'it cannot'`);
  await expire(ids.storeId, 40);
  await expire(behind.storeId, 35);
  const removeSome = removal();
  await expect(removeSome(10)).rejects.toThrow('it cannot');
  expect(await removeSome(10)).toBe(1);
  const left = await world.api.sql<{ storeId: number }[]>`
    select store_id from store where deleted_at < now() - interval '30 days'`;
  expect(left).toEqual([{ storeId: ids.storeId }]);
  await stop();
  expect(await removal()(10)).toBe(1);
  expect(await isGone()).toBe(true);
});

test('a busy store is removed in several turns, so that other expired rows have theirs', async () => {
  await fill(250);
  const stop = await beforeEachUpload('perform pg_sleep(0.012)');
  await expire(ids.storeId, 40);
  const removeSome = removal();
  const startedAt = performance.now();
  expect(await removeSome(10)).toBe(10);
  expect(performance.now() - startedAt).toBeLessThan(6_000);
  expect(await isGone()).toBe(false);
  let turns = 1;
  while ((await removeSome(10)) === 10) turns += 1;
  expect(turns).toBeLessThan(10);
  expect(await isGone()).toBe(true);
  await stop();
});
