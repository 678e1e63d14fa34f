import { randomBytes } from 'node:crypto';
import { createConfiguredSecretBox } from '../../src/run/configured-secrets';
import { createPos } from '../../src/inventory/sql/pos-systems';
import { reencryptSecrets, SEALED_COLUMNS } from '../../src/admin/reencrypt';
import { createLog } from '../../src/platform/observe/log';
import { runApi } from '../../src/run/run-api';
import { startTestApi, type TestApi } from '../support/api';
import { createLinkedStore } from '../support/inventory';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());

test('every column whose name says that it is encrypted is among those that are sealed again', async () => {
  const columns = await api.sql<{ name: string }[]>`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = 'public' and column_name like '%\_encrypted' order by name`;
  const listed = SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`);
  expect(listed.toSorted()).toEqual(columns.map(({ name }) => name));
});

test('after a rotation everything opens without the previous key', async () => {
  const { owner, systemId } = await createLinkedStore(api, 'System');
  const select = { type: 1, inventory_system_id: systemId };
  const key = { 'idempotency-key': 'rotate-1' };
  const rotated = await owner.post('/inventory/system/webhook/secret/rotate', select, key);
  await createPos(api.sql, createConfiguredSecretBox(api.config), {
    name: 'POS',
    baseUrl: 'http://127.0.0.1:9',
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  });
  const newKey = randomBytes(32);

  const both = createConfiguredSecretBox({
    ENCRYPTION_KEY: newKey,
    ENCRYPTION_KEY_PREVIOUS: api.config.ENCRYPTION_KEY,
  });
  const done = await reencryptSecrets(api.sql, both);
  expect(done.filter((each) => each.reencrypted > 0)).toEqual([
    { table: 'pos_system', column: 'secret_encrypted', reencrypted: 1 },
    { table: 'subscription', column: 'secret_encrypted', reencrypted: 2 },
    { table: 'subscription', column: 'previous_secret_encrypted', reencrypted: 1 },
    { table: 'idempotency_key', column: 'answer_encrypted', reencrypted: 1 },
  ]);
  const again = await reencryptSecrets(api.sql, both);
  expect(again.every((each) => each.reencrypted === 0)).toBe(true);

  const config = { ...api.config, ENCRYPTION_KEY: newKey, ENCRYPTION_KEY_PREVIOUS: null };
  const restarted = await runApi({ config, log: createLog('silent') });
  try {
    const replayed = await fetch(`${restarted.url}/api/v1/inventory/system/webhook/secret/rotate`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${owner.token}`,
        'content-type': 'application/json',
        ...key,
      },
      body: JSON.stringify(select),
    });
    expect(await replayed.text()).toBe(rotated.text);
    expect(replayed.headers.get('idempotency-replayed')).toBe('true');
  } finally {
    await restarted.stop();
  }
});
