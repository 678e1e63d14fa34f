import { Readable } from 'node:stream';
import { createAdminProgram } from '../../src/admin/admin-program';
import { posSecretContext } from '../../src/inventory/sql/pos-systems';
import {
  clientSecretContext,
  storeCredentialContext,
} from '../../src/delivery-apps/tokens/app-access';
import { createSecretBox, toEncryptionKey } from '../../src/platform/crypto/secrets';
import { generateSecret } from '../../src/platform/crypto/signing';
import { createTemporalClient } from '../../src/platform/temporal/connection';
import { createTestDatabase, type TestDatabase } from '../support/database';

let database: TestDatabase;
const temporal = createTemporalClient({ TEMPORAL_ADDRESS: '127.0.0.1:1', TEMPORAL_NAMESPACE: 'x' });
const secrets = createSecretBox([toEncryptionKey(Buffer.alloc(32, 7))]);

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  await temporal.connection.close();
  await database.drop();
});

async function admin(input: string, ...args: string[]): Promise<unknown> {
  let printed: unknown;
  const deps = { sql: database.sql, secrets, temporal, settings: { PUBLIC_URL: null } };
  const program = createAdminProgram(
    () => deps,
    (result) => (printed = result),
    Readable.from([input]),
  );
  await program.parseAsync(args, { from: 'user' });
  return printed;
}

async function sealed(table: string, column: string): Promise<Buffer> {
  const [row] = await database.sql.unsafe(`select ${column} as sealed from ${table}`);
  return row?.['sealed'];
}

test('a client secret, a credential and a POS secret come from standard input when given as -', async () => {
  await admin('', 'store', 'create', '--name', 'S', '--country', 'MX');
  const configured = await admin(
    'client secret\n',
    'integration',
    'configure',
    '--app',
    'app-b',
    '--client-id',
    'c',
    '--client-secret',
    '-',
  );
  const integration = String((configured as { integration_id: unknown }).integration_id);
  const credential = '{"refresh":"from standard input"}';
  await admin(
    `${credential}\r\n`,
    'store',
    'connect',
    '--store',
    '1',
    '--integration',
    integration,
    '--credential',
    '-',
  );
  const posSecret = generateSecret();
  await admin(
    posSecret,
    'pos',
    'create',
    '--name',
    'P',
    '--base-url',
    'https://pos.example',
    '--secret',
    '-',
  );
  expect([
    secrets.decrypt(await sealed('integration', 'client_secret_encrypted'), clientSecretContext(1)),
    secrets.decrypt(
      await sealed('store_integration', 'credential_encrypted'),
      storeCredentialContext(1, 1),
    ),
    secrets.decrypt(await sealed('pos_system', 'secret_encrypted'), posSecretContext(1)),
  ]).toEqual(['client secret', credential, posSecret]);
});

test('an empty standard input is not a secret', async () => {
  await expect(
    admin('\n', 'integration', 'configure', '--app', 'app-b', '--client-secret', '-'),
  ).rejects.toThrow('Standard input is empty.');
});
