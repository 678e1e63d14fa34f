import { setTimeout as sleep } from 'node:timers/promises';
import { createPos } from '../../dev/sandbox/pos';
import { startSandbox } from '../../dev/sandbox/sandbox';
import { attachPosTo, createPosSystem } from '../../src/admin/pos';
import { connectStoreTo } from '../../src/admin/integrations';
import { loadConfig } from '../../src/platform/config/config';
import { createConfiguredSecretBox } from '../../src/run/configured-secrets';
import { SEALED_COLUMNS } from '../../src/admin/reencrypt';
import { createLog } from '../../src/platform/observe/log';
import { generateSecret } from '../../src/platform/crypto/signing';
import { type ConnectProxy, startConnectProxy } from '../support/connect-proxy';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { type FaultProxy, startPostgresProxy } from '../support/fault-proxy';
import { ITEMS_EVENT, STOCK_EVENT } from '../support/inventory';
import { prepareSystem, stopSystems, type System } from '../support/system';
import { readDatabase, readHistories } from '../support/read-everything';
import { testTemporalAddress } from '../support/temporal';
import { takeNamespace } from '../support/temporal-namespace';
import { startWebhookReceiver, status, type WebhookReceiver } from '../support/webhook-receiver';

/*
 * Uploads, webhooks and stock updates that go well, are refused, and lose Postgres on the way, with every secret that
 * there is; then everything that the service has written anywhere is searched for them.
 */

const POS_SECRET = generateSecret();
const CREDENTIAL = 'planted-credential-of-the-store';
const BAD_TOKEN = 'planted-token-that-is-not-known';
const HEADER = 'planted-header-of-a-caller';
const OWN_HEADERS = { 'X-Api-Key': 'planted-key-of-a-receiver' };
const PROXY_PASSWORD = 'planted-password-of-the-proxy';
const BODY = 'planted words in a body';
const APPS = ['app-a', 'app-b', 'app-c'] as const;

let database: TestDatabase;
let proxy: FaultProxy;
let wayOut: ConnectProxy;
let receiver: WebhookReceiver;
let system: System;
let closePos: () => Promise<void>;
const log: string[] = [];
const answers: string[] = [];
/** Given to its owner once, and allowed in that one answer only. */
const secrets = new Map<string, string>();

beforeAll(async () => {
  database = await createTestDatabase();
  receiver = await startWebhookReceiver();
  wayOut = await startConnectProxy(`gate:${PROXY_PASSWORD}`);
  const through = await startPostgresProxy(database.url);
  ({ proxy } = through);
  system = await prepareSystem({
    servers: { databaseUrl: through.url, temporalAddress: testTemporalAddress() },
    env: {
      TEMPORAL_NAMESPACE: await takeNamespace(),
      WEBHOOK_ALLOW_HTTP: 'true',
      OUTBOUND_PROXY: `http://gate:${PROXY_PASSWORD}@127.0.0.1:${wayOut.port}`,
    },
    log: createLog('trace', { write: (line) => void log.push(line) }),
  });
  await Promise.all([system.startApi(), system.startWorker()]);
  secrets.set('encryption key', system.env['ENCRYPTION_KEY'] ?? '');
  secrets.set('password of the database', new URL(database.url).password);
  secrets.set('token', system.token);
  secrets.set('POS secret', POS_SECRET);
  secrets.set('credential', CREDENTIAL);
  secrets.set('bad token', BAD_TOKEN);
  secrets.set('header', HEADER);
  secrets.set('password of the proxy', PROXY_PASSWORD);
  secrets.set('what the proxy is sent', Buffer.from(`gate:${PROXY_PASSWORD}`).toString('base64'));
  secrets.set('key of the receiver', OWN_HEADERS['X-Api-Key']);
});
afterAll(async () => {
  await stopSystems();
  await closePos();
  await receiver.close();
  await Promise.all([proxy.close(), wayOut.close()]);
  await database.drop();
});

interface Called {
  readonly status: number;
  readonly text: string;
  readonly json: any; // oxlint-disable-line typescript/no-explicit-any -- of any endpoint
}

async function call(
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Called> {
  const response = await fetch(`${system.apiUrl()}/api/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${system.token}`,
      'content-type': 'application/json',
      'x-secret': HEADER,
      cookie: HEADER,
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, text, json: text.startsWith('{') ? JSON.parse(text) : null };
}

/** The same; its answer is searched. */
async function told(...args: Parameters<typeof call>) {
  const answer = await call(...args);
  answers.push(answer.text);
  return answer;
}

async function useUploads(): Promise<void> {
  const { sql } = database;
  const box = createConfiguredSecretBox(loadConfig(system.env));
  for (const app of APPS) {
    const shop = await system.openShop(app);
    const credential = JSON.stringify({ app_shop_id: shop.appStoreId, planted: CREDENTIAL });
    const { storeId, integrationId, appStoreId } = shop;
    await connectStoreTo({ sql, secrets: box }, { storeId, integrationId, appStoreId, credential });
    for (const fault of [
      { kind: 'status', route: 'token', status: 401 },
      { kind: 'status', status: 503 },
      { kind: 'status', status: 400 },
    ]) {
      await shop.fault(fault);
      const { uploadId } = await shop.upload(BODY, {
        headers: { 'idempotency-key': `k${fault.status}` },
      });
      if (uploadId === '') continue;
      await shop.ended(uploadId);
      await told(`/menus/uploads/${uploadId}`);
    }
    proxy.cut();
    await shop.upload(2);
  }
  await told('/menus/uploads');
}

async function useWebhooks(): Promise<void> {
  const make = await call('/inventory/system/create', { name: 'Planted' });
  const inventory_system_id = make.json.data.inventory_system_id as string;
  const shop = await system.openShop('app-b');
  for (const type of [1, 2]) {
    const { json } = await call(
      '/inventory/system/webhook/manage',
      { type, inventory_system_id, url: `${receiver.url}/${type}`, headers: OWN_HEADERS },
      { 'idempotency-key': `manage-${type}` },
    );
    secrets.set(`webhook secret ${type}`, json.data.secret);
  }
  const rotated = await call(
    '/inventory/system/webhook/secret/rotate',
    { type: 2, inventory_system_id },
    { 'idempotency-key': 'rotate' },
  );
  secrets.set('rotated secret', rotated.json.data.secret);
  const link = { inventory_system_id, store_id: shop.storeId, external_store_id: 'ext' };
  await told('/inventory/system/store/link', link);
  const events = `/pos/store/${shop.storeId}/inventory`;
  await told(`${events}/stock`, { ...STOCK_EVENT, external_id: BODY });
  await told(`${events}/items`, { ...ITEMS_EVENT, items: [] });
  receiver.answer('/2', status(500, 'no'));
  await told(`${events}/stock`, STOCK_EVENT);
  receiver.answer('/2', status(422, '{"message":"not this"}'));
  await told(`${events}/stock`, STOCK_EVENT);
  await told('/inventory/system/webhook/test', { type: 2, inventory_system_id });
  proxy.cut();
  await told(`${events}/stock`, STOCK_EVENT);
  const list = await told('/webhooks/deliveries');
  for (const { delivery_id } of list.json?.data ?? [])
    await told(`/webhooks/deliveries/${delivery_id}`);
}

async function usePos(): Promise<void> {
  const pos = await startSandbox({ port: 0, parts: [createPos({ secret: POS_SECRET })] });
  closePos = () => pos.close();
  const shop = await system.openShop('app-b');
  const deps = { sql: database.sql, secrets: createConfiguredSecretBox(loadConfig(system.env)) };
  const baseUrl = `${pos.url}/pos`;
  const { pos_id } = await createPosSystem(deps, { name: 'POS', baseUrl, secret: POS_SECRET });
  await attachPosTo(deps, shop.storeId, Number(pos_id));
  const path = `/inventory/system/store/${shop.storeId}/pos/stock/update`;
  const systems = await call('/inventory/system/create', { name: 'Planted for the POS' });
  const { inventory_system_id } = systems.json.data;
  await call('/inventory/system/store/link', {
    inventory_system_id,
    store_id: shop.storeId,
    external_store_id: 'ext',
  });
  const update = { pos_id, inventory_system_id, ...STOCK_EVENT };
  await told(path, update, { 'idempotency-key': 'stock' });
  await pos.close();
  await told(path, update);
}

/** Tokens from the apps, signed texts, and sealed columns of the database. */
async function learnSecrets(): Promise<void> {
  const box = createConfiguredSecretBox(loadConfig(system.env));
  for (const { table, keys, column, context } of SEALED_COLUMNS) {
    const rows = await database.sql.unsafe(`select *, ${column} as sealed from ${table}`);
    for (const row of rows) {
      if (table === 'idempotency_key' || row['sealed'] === null) continue;
      const id = `${table}.${column} ${keys.map((key) => String(row[key])).join('/')}`;
      secrets.set(id, box.decrypt(row['sealed'], context(row)));
    }
  }
  for (const [index, { headers }] of receiver.received.entries()) {
    secrets.set(`signature ${index}`, String(headers['webhook-signature']).replace('v1,', ''));
    secrets.set(`hex signature ${index}`, String(headers['x-signature-request']).slice(3, 67));
  }
}

test('no secret is found in the log, the database, Temporal’s histories, the answers or the metrics', async () => {
  await useUploads();
  await useWebhooks();
  await usePos();
  await told('/menus/uploads', undefined, { authorization: `Bearer ${BAD_TOKEN}` });
  await sleep(1_500);
  await learnSecrets();
  const metrics = await fetch(`${system.apiUrl()}/metrics`);
  const places = {
    log: log.join(''),
    database: await readDatabase(database.sql),
    histories: await readHistories(loadConfig(system.env)),
    answers: answers.join('\n'),
    metrics: await metrics.text(),
  };
  expect(secrets.size).toBeGreaterThan(20);
  // Kept connections need no further tunnel: apps, receiver and POS.
  expect(new Set(wayOut.asked).size).toBeGreaterThan(2);
  expect(wayOut.others).toEqual([]);
  // That each place is really read.
  const upload = /upl_\w+/.exec(places.answers)?.[0] ?? 'none';
  expect(places.log).toContain(upload);
  expect(places.database).toContain(upload);
  expect(places.histories).toContain(upload);
  for (const [place, text] of Object.entries(places)) {
    expect({ place, empty: text.length < 500 }).toEqual({ place, empty: false });
    const found = [...secrets].filter(([, value]) => value.length >= 8 && text.includes(value));
    expect({ place, found: found.map(([name]) => name) }).toEqual({ place, found: [] });
  }
  // Bodies are in the database, and in what their owners read; in no log and no history.
  for (const place of ['log', 'histories', 'metrics'] as const) {
    expect({ place, body: places[place].includes(BODY) }).toEqual({ place, body: false });
  }
}, 180_000);
