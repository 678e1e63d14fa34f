import { endUser } from '../../src/deletions/sql/deletions';
import { removeExpiredSystems } from '../../src/deletions/sql/store-purge';
import { startTestApi, type TestApi, type TestCaller } from '../support/api';
import { type Deferred, deferred } from '../support/deferred';
import { createSystem } from '../support/inventory';
import { countLockWaits } from '../support/lock-waits';
import { until } from '../support/until';

let api: TestApi;
let owner: TestCaller;
/** Name servers answer when this is resolved. */
let named: Deferred;
let lookups: number;

beforeAll(async () => {
  api = await startTestApi(
    {},
    {
      async lookup() {
        lookups += 1;
        await named.promise;
        return ['93.184.215.14'];
      },
    },
  );
});
beforeEach(async () => {
  [named, lookups] = [deferred(), 0];
  owner = await api.user('inventory:create');
});
afterAll(() => api.stop());

const URL = 'https://slow.example/hooks';

async function whileNamed<T>(request: Promise<T>, happens: () => Promise<unknown>): Promise<T> {
  await until(() => lookups > 0);
  await happens();
  named.resolve();
  return request;
}

/** Webhooks of the system or the user that are not deleted. */
const registered = (of: { inventorySystemId?: string; userId?: string }) => api.sql`
  select from subscription where deleted_at is null
    and (inventory_system_id = ${of.inventorySystemId ?? null}::uuid or user_id = ${of.userId ?? null})`;

/** Until a statement waits for a lock of the transaction. */
const isHeldUp = () => until(async () => (await countLockWaits(api.sql)) > 0);

const GONE = { inventory_system_id: ['The selected inventory system id is invalid.'] };

test.each(['a new webhook', 'a webhook that it had'])(
  '%s is not registered for a system that is deleted while the name of its receiver is looked up',
  async (which) => {
    const inventorySystemId = await createSystem(owner, `System ${which}`);
    const body = { type: 2, inventory_system_id: inventorySystemId, url: URL };
    if (which !== 'a new webhook') {
      named.resolve();
      await owner.post('/inventory/system/webhook/manage', body);
      [named, lookups] = [deferred(), 0];
    }
    const managing = owner.post('/inventory/system/webhook/manage', body);
    const answer = await whileNamed(managing, () =>
      owner.remove(`/inventory/system/${inventorySystemId}`),
    );
    expect([answer.status, answer.json]).toEqual([422, GONE]);
    expect(await registered({ inventorySystemId })).toEqual([]);
    // Nothing keeps it from being removed when its time is over.
    await api.sql`
      with s as (update subscription set deleted_at = now() - interval '31 days'
        where inventory_system_id = ${inventorySystemId}::uuid)
      update inventory_system set deleted_at = now() - interval '31 days'
      where inventory_system_id = ${inventorySystemId}::uuid`;
    await removeExpiredSystems(api.sql, 30, 10);
    await removeExpiredSystems(api.sql, 30, 10);
    expect(
      await api.sql`select from inventory_system where inventory_system_id = ${inventorySystemId}::uuid`,
    ).toEqual([]);
  },
);

test.each([
  ['deactivated', 'User not authenticated.'],
  ['deleted', 'User not found.'],
] as const)(
  'a webhook for events is not registered for a user who is %s meanwhile',
  async (state, sentence) => {
    const { userId } = owner;
    const managing = owner.post('/events/webhook/manage', { url: URL });
    const answer = await whileNamed(managing, () => endUser(api.sql, userId, state));
    expect([answer.status, answer.json]).toEqual([409, { message: [sentence], data: null }]);
    expect(await registered({ userId })).toEqual([]);
  },
);

describe('a store that is being linked to a system', () => {
  let storeId: number;
  let systemId: string;

  beforeEach(async () => {
    const made = await owner.post('/store', { name: 'A store', country_code: 'MX' });
    storeId = made.json.data.id;
    systemId = await createSystem(owner, `System of ${storeId}`);
  });

  const link = () =>
    owner.post('/inventory/system/store/link', {
      inventory_system_id: systemId,
      store_id: storeId,
      external_store_id: 'ext-1',
    });
  const links = () => api.sql`select from store_link where store_id = ${storeId}::bigint`;

  test.each([
    ['system', GONE],
    ['store', { store_id: ['The selected store id is invalid.'] }],
  ] as const)('is not linked if the %s is just being deleted', async (which, fields) => {
    const answering = await api.sql.begin(async (tx) => {
      await (which === 'system'
        ? tx`
          update inventory_system set deleted_at = now(), name_key = 'DELETED ' || name_key
          where inventory_system_id = ${systemId}::uuid`
        : tx`
          update store set deleted_at = now(), name_key = 'DELETED ' || name_key
          where store_id = ${storeId}::bigint`);
      const linking = link();
      await isHeldUp();
      return { linking };
    });
    const answer = await answering.linking;
    expect([answer.status, answer.json]).toEqual([422, fields]);
    expect(await links()).toEqual([]);
  });

  test.each(['system', 'store'] as const)(
    'is unlinked again if the %s is deleted right afterwards',
    async (which) => {
      const deleting = await api.sql.begin(async (tx) => {
        await tx`select from store where store_id = ${storeId}::bigint for no key update`;
        await tx`
          insert into store_link (store_id, inventory_system_id, external_store_id)
          values (${storeId}::bigint, ${systemId}::uuid, 'ext-1')`;
        const removing = owner.remove(
          which === 'system' ? `/inventory/system/${systemId}` : `/store/${storeId}`,
        );
        await isHeldUp();
        return { removing };
      });
      expect((await deleting.removing).status).toBe(200);
      expect(await links()).toEqual([]);
    },
  );
});

test('a deleted user leaves no webhook and no secret behind', async () => {
  const { userId } = owner;
  named.resolve();
  expect((await owner.post('/events/webhook/manage', { url: URL })).status).toBe(200);
  await endUser(api.sql, userId, 'deactivated');
  expect(await registered({ userId })).toHaveLength(1);
  await endUser(api.sql, userId, 'deleted');
  expect(await registered({ userId })).toEqual([]);
  await api.sql`
    update subscription set deleted_at = now() - interval '31 days' where user_id = ${userId}`;
  await removeExpiredSystems(api.sql, 30, 10);
  expect(await api.sql`select from subscription where user_id = ${userId}`).toEqual([]);
});
