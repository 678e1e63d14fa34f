import { configureIntegration, connectStoreTo } from '../../src/admin/integrations';
import { createSecretBox, toEncryptionKey } from '../../src/platform/crypto/secrets';
import { createTestDatabase } from '../support/database';

test('App D knows a store by what its credential names it, other apps by the delivery id given', async () => {
  const database = await createTestDatabase();
  const { sql } = database;
  const deps = { sql, secrets: createSecretBox([toEncryptionKey(Buffer.alloc(32, 7))]) };
  await sql`
    insert into store (store_id, name, name_key, country_code)
    overriding system value values (1, 'A', 'a', 'MX')`;

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
  await database.drop();
});
