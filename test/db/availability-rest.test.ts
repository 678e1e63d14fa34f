import { claimAvailability } from '../../src/availability/sql/claims';
import { insertItemChange, lockLine } from '../../src/availability/sql/changes';
import type { AppName } from '../../src/delivery-apps/types';
import { newId } from '../../src/platform/ids';
import { useUploadRows } from '../support/upload-rows';

const { database, rows } = useUploadRows();

const claim = (enabled: readonly AppName[] = ['app-b']) =>
  claimAvailability(database.sql, rows.key, { toldAgain: new Set(), enabled: new Set(enabled) });

/** Configures the integration and the store, so that its app can be called. */
async function connect(): Promise<void> {
  const { storeId, integrationId } = rows.key;
  await database.sql`
    update integration set base_url = 'https://app.example', client_id = 'client',
      client_secret_encrypted = 'secret' where integration_id = ${integrationId}::bigint`;
  await database.sql`
    update store_integration set credential_encrypted = 'secret'
    where store_id = ${storeId}::bigint and integration_id = ${integrationId}::bigint`;
}

/** Writes a change by stock, which is due in a minute or after `delayMs`; returns whether the line's workflow was alive. */
async function writeCollectedChange(delayMs = 60_000): Promise<boolean> {
  const { storeId, integrationId } = rows.key;
  return database.sql.begin(async (tx) => {
    const alive = await lockLine(tx, rows.key);
    await insertItemChange(tx, {
      changeId: newId('avc'),
      requestRowId: newId('avr'),
      storeId,
      integrationId,
      namedIntegration: String(integrationId),
      cause: 'stock',
      userId: null,
      requestId: 'stock',
      waitMs: 0,
      delayMs,
      items: [{ externalId: 'I1', available: true, until: null, state: 'waiting', message: null }],
      refusal: null,
    });
    return alive;
  });
}

async function forgetChanges(): Promise<void> {
  await database.sql`delete from availability_change`;
  await database.sql`
    update availability_line set alive_until = now() + interval '1 minute'`;
}

test('a workflow rests until its next due time, and is nudged about earlier changes', async () => {
  await writeCollectedChange();
  const waiting = await claim();
  expect(waiting.kind === 'wait' && waiting.ms > 50_000).toBe(true);
  expect(await writeCollectedChange()).toBe(false);
});

test('a change that is not due yet is never missed by a workflow coming to rest', async () => {
  for (let round = 0; round < 25; round += 1) {
    await database.sql.begin((tx) => lockLine(tx, rows.key));
    await forgetChanges();
    const [alive, { kind }] = await Promise.all([writeCollectedChange(), claim()]);
    expect(!alive || kind === 'wait').toBe(true);
  }
});

test('a line whose app is not enabled any more waits, instead of being claimed again and again', async () => {
  await connect();
  await writeCollectedChange(0);
  const waiting = await claim([]);
  expect(waiting.kind === 'wait' && waiting.ms > 60_000).toBe(true);
  await database.sql`update availability_line set retry_at = now()`;
  expect((await claim()).kind).toBe('items');
});
