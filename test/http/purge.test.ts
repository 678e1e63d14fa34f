import { setTimeout as sleep } from 'node:timers/promises';
import { purgeDeletedStore } from '../../src/admin/stores';
import { purgeExpiredStores, removeExpiredSystems } from '../../src/deletions/sql/store-purge';
import type { UploadId } from '../../src/platform/ids';
import { startWorld, type World, type WorldIds } from '../api-contract/world';
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
  ids = await world.spareConnected();
  await manageWebhook(owner, ids.systemId, 1);
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

  test('does not include a webhook that is just being registered again', async () => {
    const { sql } = world.api;
    await owner.remove(`${system()}/webhook/1`);
    const ofSystem = sql`inventory_system_id = ${ids.systemId}::uuid and type = 1`;
    await sql`update subscription set deleted_at = now() - interval '31 days' where ${ofSystem}`;
    const removal = await sql.begin(async (tx) => {
      await tx`update subscription set deleted_at = null where ${ofSystem}`;
      const removing = removeExpiredSystems(sql, 30, 10);
      await Promise.race([removing, sleep(500)]);
      return { removing };
    });
    await removal.removing;
    expect(await sql`select from subscription where ${ofSystem}`).toHaveLength(1);
  });

  test('does not include that of another store, while systems of both are linked', async () => {
    const other = await world.spare();
    await linkStore(owner, ids.systemId, other.storeId);
    await owner.remove(`/store/${ids.storeId}`);
    expect((await owner.get(`${system()}/store/link/${other.storeId}`)).status).toBe(200);
  });
});
