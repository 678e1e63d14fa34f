import { createPos } from '../../dev/sandbox/pos';
import { type Sandbox, startSandbox } from '../../dev/sandbox/sandbox';
import { createConfiguredSecretBox } from '../../src/run/configured-secrets';
import { attachPos, createPos as registerPos } from '../../src/inventory/sql/pos-systems';
import { generateSecret } from '../../src/platform/crypto/signing';
import { startTestApi, type TestApi, type TestCaller } from '../support/api';
import { createSystem } from '../support/inventory';
import { until } from '../support/until';

/* Stock updates in a store whose stock decides what is on sale. */

const secret = generateSecret();

let api: TestApi;
let sandbox: Sandbox;
let owner: TestCaller;
let systemId: string;
let storeId: number;
let posId: number;

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, parts: [createPos({ secret })] });
  api = await startTestApi();
  owner = await api.user('inventory:create');
  systemId = await createSystem(owner, 'Stocky');
  const secrets = createConfiguredSecretBox(api.config);
  posId = await registerPos(api.sql, secrets, {
    name: 'POS',
    baseUrl: `${sandbox.url}/pos`,
    secret,
  });
});
afterAll(async () => {
  await api.stop();
  await sandbox.close();
});
beforeEach(async () => {
  await fetch(`${sandbox.url}/pos/_sandbox/requests`, { method: 'DELETE' });
  storeId = await api.store(owner);
  await attachPos(api.sql, storeId, posId);
  await owner.patch(`/store/${storeId}`, { availability_from_stock: 'on' });
});

function update(currentStock: string, headers: Record<string, string> = {}) {
  return owner.post(
    `/inventory/system/store/${storeId}/pos/stock/update`,
    {
      inventory_system_id: systemId,
      pos_id: posId,
      current_stock: currentStock,
      quantity: '2',
      date: '2026-11-21T10:00:00Z',
      movement_type: '1',
      external_id: 'item-1',
    },
    headers,
  );
}

async function received(): Promise<unknown[]> {
  const answer = await fetch(`${sandbox.url}/pos/_sandbox/requests`);
  return (await answer.json()) as unknown[];
}

async function isOut(): Promise<boolean | undefined> {
  const [level] = await api.sql<{ isOut: boolean }[]>`
    select is_out from stock_level where store_id = ${storeId}::bigint`;
  return level?.isOut;
}

async function isSettled(): Promise<boolean> {
  const waiting = await api.sql`
    select from stock_movement where store_id = ${storeId}::bigint`;
  return waiting.length === 0;
}

async function waitsToStore(): Promise<boolean> {
  const waiting = await api.sql`
    select from pg_locks join pg_database d on d.oid = pg_locks.database
    where d.datname = current_database() and relation = 'stock_movement'::regclass
      and not granted`;
  return waiting.length > 0;
}

test('an update that the POS accepted is answered only once it is stored', async () => {
  let isAnswered = false;
  const { sent } = await api.sql.begin(async (tx) => {
    await tx`lock table stock_movement in exclusive mode`;
    const answer = update('0').finally(() => {
      isAnswered = true;
    });
    await until(waitsToStore);
    expect(isAnswered).toBe(false);
    return { sent: answer };
  });
  expect((await sent).status).toBe(200);
  await until(async () => (await isOut()) === true && (await isSettled()));
});

test('a retry after a crash neither reaches the POS again nor counts as a later movement', async () => {
  const key = { 'idempotency-key': 'move-1' };
  const first = await update('0', key);
  await until(isSettled);
  // As if the process had died between storing the movement and keeping the answer.
  await api.sql`
    update idempotency_key set status = null, answer_encrypted = null, lease_until = now()
    where key = 'move-1'`;
  await update('10');
  await until(async () => (await isOut()) === false && (await isSettled()));
  const again = await update('0', key);
  expect([again.status, again.text]).toEqual([first.status, first.text]);
  await until(isSettled);
  expect(await isOut()).toBe(false);
  expect(await received()).toHaveLength(2);
});
