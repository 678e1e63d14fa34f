import { configureIntegration, connectStoreTo } from '../../src/admin/integrations';
import { createSecretBox, toEncryptionKey } from '../../src/platform/crypto/secrets';
import { adminCommand } from '../support/admin-command';
import { createTestDatabase, type TestDatabase } from '../support/database';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.sql`
    insert into store (store_id, name, name_key, country_code)
    overriding system value values (1, 'A', 'a', 'MX')`;
});
afterAll(() => database.drop());

test('App D knows a store by what its credential names it, other apps by the delivery id given', async () => {
  const { sql } = database;
  const deps = { sql, secrets: createSecretBox([toEncryptionKey(Buffer.alloc(32, 7))]) };

  async function idAt(app: string, credential: string): Promise<string | null | undefined> {
    const client = { clientId: 'id', clientSecret: 'secret', baseUrl: 'http://127.0.0.1:9' };
    const settings = { app, name: app, ...client, integrationId: null, active: true };
    const integrationId = Number((await configureIntegration(deps, settings)).integration_id);
    await connectStoreTo(deps, { storeId: 1, integrationId, appStoreId: 'given', credential });
    const [row] = await sql<{ deliveryId: string | null }[]>`
      select delivery_id from store_integration where integration_id = ${integrationId}::bigint`;
    return row?.deliveryId;
  }

  expect(await idAt('app-d', '{"store_integration_id":"own","rappi_store_id":"1"}')).toBe('own');
  expect(await idAt('app-d', '{"store_integration_id":"","rappi_store_id":"1"}')).toBe('given');
  expect(await idAt('app-d', '{"rappi_store_id":"1"}')).toBe('given');
  expect(await idAt('app-b', '{"store_integration_id":"own"}')).toBe('given');
});

test('a delivery id beside a credential that is kept, and may name another store, is refused', async () => {
  const made = await adminCommand(database.url, ['integration', 'configure', '--app', 'app-d']);
  const { integration_id: id } = JSON.parse(made.out) as { integration_id: string };
  const connect = ['store', 'connect', '--store', '1', '--integration', id, '--delivery-id', 'x'];
  expect(await adminCommand(database.url, [...connect, '--keep'])).toMatchObject({
    status: 1,
    err: expect.stringContaining('give it with the delivery id'),
  });
  expect(await adminCommand(database.url, connect)).toMatchObject({ status: 0 });
});

const credential = (client_id: string) => ['--credential', JSON.stringify({ client_id })];

test('connecting a store again takes away what is not given, and with --keep nothing', async () => {
  const made = await adminCommand(database.url, ['integration', 'configure', '--app', 'app-b']);
  const { integration_id: id } = JSON.parse(made.out) as { integration_id: string };
  async function after(...options: string[]) {
    const words = ['store', 'connect', '--store', '1', '--integration', id, ...options];
    expect(await adminCommand(database.url, words)).toMatchObject({ status: 0, err: '' });
    const [row] = await database.sql<{ deliveryId: string | null; sealed: Buffer | null }[]>`
      select delivery_id, credential_encrypted as sealed from store_integration
      where integration_id = ${id}::bigint`;
    return row;
  }
  const first = await after('--keep', '--delivery-id', 'shop', ...credential('a'));
  expect(first).toEqual({ deliveryId: 'shop', sealed: expect.any(Buffer) });
  const renewed = await after('--keep', ...credential('b'));
  expect(renewed?.deliveryId).toBe('shop');
  expect(renewed?.sealed).not.toEqual(first?.sealed);
  const moved = { ...renewed, deliveryId: 'other' };
  expect(await after('--keep', '--delivery-id', 'other')).toEqual(moved);
  expect(await after('--keep')).toEqual(moved);
  expect(await after(...credential('c'))).toMatchObject({ deliveryId: null });
  expect(await after('--delivery-id', 'shop')).toEqual({ deliveryId: 'shop', sealed: null });
});
