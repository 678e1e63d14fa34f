import { randomBytes } from 'node:crypto';
import { createConfiguredSecretBox } from '../../src/run/configured-secrets';
import { createPos } from '../../src/inventory/sql/pos-systems';
import { reencryptSecrets, SEALED_COLUMNS } from '../../src/admin/reencrypt';
import { createLog } from '../../src/platform/observe/log';
import { runApi } from '../../src/run/run-api';
import { startTestApi, type TestApi } from '../support/api';
import { createLinkedStore } from '../support/inventory';
import { readingOf } from '../support/rows-read';

const newKey = randomBytes(32);
let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());

function bothKeys() {
  return createConfiguredSecretBox({
    ENCRYPTION_KEY: newKey,
    ENCRYPTION_KEY_PREVIOUS: api.config.ENCRYPTION_KEY,
  });
}

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

  const both = bothKeys();
  const done = await reencryptSecrets(api.sql, both);
  expect(done.filter((each) => each.reencrypted > 0)).toEqual([
    { table: 'pos_system', column: 'secret_encrypted', reencrypted: 1 },
    { table: 'subscription', column: 'secret_encrypted', reencrypted: 2 },
    { table: 'earlier_secret', column: 'secret_encrypted', reencrypted: 1 },
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

test('of many kept answers each is read a fixed number of times', async () => {
  const MANY = 5_000;
  const { owner } = await createLinkedStore(api, 'Many');
  const old = createConfiguredSecretBox(api.config);
  const sealed = Array.from({ length: MANY }, (_, n) =>
    old.encrypt('{}', `idempotency_key/${owner.userId}/POST//many/key ${n}`).toString('hex'),
  );
  await api.sql`
    insert into idempotency_key (user_id, method, path, key, body_sha256, owner, lease_until, status, answer_encrypted)
    select ${owner.userId}, 'POST', '/many', 'key ' || (n - 1), 'sha', 'owner', now(), 200, decode(sealed, 'hex')
    from unnest(${sealed}::text[]) with ordinality as s (sealed, n)`;

  const both = bothKeys();
  const { value, rows } = await readingOf('idempotency\\_key', api.sql, (sql) =>
    reencryptSecrets(sql, both),
  );
  const kept = value.find(({ table }) => table === 'idempotency_key');
  expect(kept?.reencrypted).toBeGreaterThanOrEqual(MANY);
  // Read once, and once more by its update.
  expect(rows).toBeLessThan(2.5 * MANY);
});

test('a secret that no key opens is left as it is, is named, and keeps no other from being sealed again', async () => {
  const { sql } = api;
  const { systemId } = await createLinkedStore(api, 'Lost');
  const lost = createConfiguredSecretBox({
    ENCRYPTION_KEY: randomBytes(32),
    ENCRYPTION_KEY_PREVIOUS: null,
  });
  const sealed = lost.encrypt('a header', 'anywhere');
  const [first, other] = await sql<{ subscriptionId: string }[]>`
    select subscription_id from subscription where inventory_system_id = ${systemId}::uuid
    order by subscription_id`;
  const id = first?.subscriptionId ?? '';
  await sql`
    update subscription set headers_encrypted = ${sealed}::bytea where subscription_id = ${id}`;
  await sql`
    insert into earlier_secret (subscription_id, secret_id, secret_encrypted, valid_until)
    values (${id}, 'lost', ${sealed}::bytea, now() - interval '1 day')`;
  const both = bothKeys();
  await expect(reencryptSecrets(sql, both)).rejects.toThrow(
    new RegExp(
      `^Secrets that could not be opened, and stay as they are: 2; sealed again: [1-9]\\d*\\. The first of them: a stored secret was encrypted with a key .* \\(subscription/secret/${id}, key `,
    ),
  );
  const subscriptions = await sql<{ secret: Buffer; earlier: Buffer | null }[]>`
    select s.secret_encrypted as secret, e.secret_encrypted as earlier
    from subscription s left join earlier_secret e using (subscription_id)
    where subscription_id = any(${[id, other?.subscriptionId ?? id]}::text[])
    order by subscription_id`;
  expect(subscriptions.map(({ secret }) => both.needsReencryption(secret))).not.toContain(true);
  expect(subscriptions[0]?.earlier).toEqual(sealed);
});
