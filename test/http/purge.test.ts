import { expiringKinds } from '../../activities/sweep-activities';
import { purgeDeletedStore } from '../../src/admin/stores';
import { purgeExpiredStores, removeExpiredSystems } from '../../src/deletions/sql/store-purge';
import type { UploadId } from '../../src/platform/ids';
import { startWorld, type World, type WorldIds } from '../contract-cells/world';
import type { TestCaller } from '../support/api';
import { endDelivery, ITEMS_EVENT, linkStore, manageWebhook } from '../support/inventory';

let world: World;
let owner: TestCaller;
let ids: WorldIds;

beforeAll(async () => {
  world = await startWorld({ UPLOAD_WAIT: '10s' });
  owner = world.owner;
});
afterAll(() => world.stop());
beforeEach(async () => {
  ids = await world.spare();
  await manageWebhook(owner, ids.systemId, 1);
  await world.api.sql`
    insert into store_integration (store_id, integration_id, delivery_id, credential_encrypted)
    select ${ids.storeId}::bigint, integration_id, 'spare-' || ${ids.storeId}::bigint, credential_encrypted
    from store_integration where store_id = ${world.storeId}::bigint`;
});

const system = () => `/inventory/system/${ids.systemId}`;
const menu = () => ({ ...world.menu, store_id: ids.storeId });

async function upload(): Promise<UploadId> {
  const { json } = await owner.post('/menus/upload', menu(), { prefer: 'respond-async' });
  return json.data.upload_id;
}

async function deliver(): Promise<string> {
  const { json } = await owner.post(`/pos/store/${ids.storeId}/inventory/items`, ITEMS_EVENT);
  return json.data.deliveries[0].delivery_id;
}

describe('the data of a deleted store', () => {
  const TABLES = [
    'store',
    'user_store',
    'store_link',
    'store_integration',
    'publication',
    'menu_upload',
    'any_delivery',
  ];
  async function kept(): Promise<string[]> {
    const { sql } = world.api;
    const found = await Promise.all(
      TABLES.map(async (table) => {
        const rows = await sql`
          select from ${sql(table)} where store_id = ${ids.storeId}::bigint limit 1`;
        return rows.length > 0 ? [table] : [];
      }),
    );
    return found.flat();
  }

  test('is gone at once when the administration purges it, without any other user’s data', async () => {
    const { sql } = world.api;
    await expect(purgeDeletedStore({ sql }, ids.storeId)).rejects.toThrow('that was deleted');
    const delivery = await deliver();
    await endDelivery(sql, delivery, { state: 'delivered', status: 200 });
    const [shared, own] = [
      await upload(),
      (
        await owner.post(
          '/menus/upload',
          { ...menu(), menus: [{ ...(world.menu['menus'] as object[])[0], name: 'Only here' }] },
          { prefer: 'respond-async' },
        )
      ).json.data.upload_id,
    ];
    const documents = await sql<{ uploadId: string; sha: string }[]>`
      select upload_id, document_sha256 as sha from menu_upload
      where upload_id = any(${[shared, own]}::text[]) order by upload_id = ${own}`;
    await owner.remove(`/store/${ids.storeId}`);
    expect(await kept()).toEqual(TABLES.filter((table) => table !== 'store_link'));
    expect(await purgeDeletedStore({ sql }, ids.storeId)).toEqual({ store_id: ids.storeId });
    expect(await kept()).toEqual([]);
    const left = await sql<{ sha256: string }[]>`
      select sha256 from document where sha256 = any(${documents.map(({ sha }) => sha)}::text[])`;
    expect(left.map(({ sha256 }) => sha256)).toEqual([documents[0]?.sha]);
    expect(await sql`select from any_delivery where delivery_id = ${delivery}`).toHaveLength(0);
    expect((await owner.get(`/menus/uploads/${world.ids.uploadId}`)).status).toBe(200);
    await expect(purgeDeletedStore({ sql }, ids.storeId)).rejects.toThrow('that was deleted');
  });

  test('is gone when the retention is over, not earlier; deleted systems follow their deliveries', async () => {
    const { sql } = world.api;
    await deliver();
    await owner.remove(`/store/${ids.storeId}`);
    await owner.remove(system());
    const age = (days: number) => sql`
      with s as (update store set deleted_at = now() - ${days}::int * interval '1 day'
        where store_id = ${ids.storeId}::bigint),
      w as (update subscription set deleted_at = now() - ${days}::int * interval '1 day'
        where inventory_system_id = ${ids.systemId}::uuid)
      update inventory_system set deleted_at = now() - ${days}::int * interval '1 day'
      where inventory_system_id = ${ids.systemId}::uuid`;
    const systems = () => sql`
      select from inventory_system where inventory_system_id = ${ids.systemId}::uuid`;
    await age(29);
    expect(await purgeExpiredStores(sql, 30, 10)).toBe(0);
    await age(31);
    await removeExpiredSystems(sql, 30, 10);
    expect(await systems()).toHaveLength(1);
    expect(await purgeExpiredStores(sql, 30, 10)).toBe(1);
    expect(await kept()).toEqual([]);
    await removeExpiredSystems(sql, 30, 10);
    await removeExpiredSystems(sql, 30, 10);
    expect(await systems()).toHaveLength(0);
  });

  test('of another store is not touched while systems of both are linked', async () => {
    const other = await world.spare();
    await linkStore(owner, ids.systemId, other.storeId);
    await owner.remove(`/store/${ids.storeId}`);
    expect((await owner.get(`${system()}/store/link/${other.storeId}`)).status).toBe(200);
  });

  describe('of a busy store', () => {
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

    test('is removed in statements of limited size', async () => {
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
      expect(await kept()).toEqual([]);
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

    test('that cannot be removed does not keep those behind it', async () => {
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
      expect(await kept()).toEqual([]);
    });

    test('is removed in several turns, so that other expired rows have theirs', async () => {
      await fill(250);
      const stop = await beforeEachUpload('perform pg_sleep(0.012)');
      await expire(ids.storeId, 40);
      const removeSome = removal();
      const startedAt = performance.now();
      expect(await removeSome(10)).toBe(10);
      expect(performance.now() - startedAt).toBeLessThan(6_000);
      expect(await kept()).toContain('menu_upload');
      let turns = 1;
      while ((await removeSome(10)) === 10) turns += 1;
      expect(turns).toBeLessThan(10);
      expect(await kept()).toEqual([]);
      await stop();
    });
  });
});
