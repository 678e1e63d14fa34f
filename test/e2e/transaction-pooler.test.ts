import { loadConfig } from '../../src/platform/config/config';
import { POOLER_CONNECT_QUERY } from '../../src/platform/db/session-settings';
import { createLog } from '../../src/platform/observe/log';
import { runApi } from '../../src/run/run-api';
import { until } from '../support/until';
import { prepareSystem, stopSystems, type System } from '../support/system';
import { startTransactionPooler, type TransactionPooler } from '../support/transaction-pooler';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver';

let system: System;
let pooler: TransactionPooler;
let receiver: WebhookReceiver;
let urls: { readonly DATABASE_URL: string; readonly DATABASE_DIRECT_URL: string };

beforeAll(async () => {
  system = await prepareSystem({ env: { WEBHOOK_ALLOW_HTTP: 'true' } });
  receiver = await startWebhookReceiver();
});
afterEach(() => pooler.close());
afterAll(async () => {
  await stopSystems();
  await receiver.close();
});

async function startPooler(connectQuery?: string): Promise<void> {
  const direct = system.env['DATABASE_URL'] ?? '';
  const pooled = new URL(direct);
  pooler = await startTransactionPooler(Number(pooled.port), connectQuery);
  pooled.port = String(pooler.port);
  urls = { DATABASE_URL: pooled.href, DATABASE_DIRECT_URL: direct };
}

const startPooledApi = () =>
  runApi({ config: loadConfig({ ...system.env, ...urls }), log: createLog('silent') });

test('an API does not start behind a pooler whose sessions are not set up, and names what they lack', async () => {
  await startPooler();
  await expect(startPooledApi()).rejects.toThrow(/lack .*enable_seqscan.*connect_query has to be/);
});

test('uploads and webhooks work through a transaction pooler; only LISTEN has its own session', async () => {
  await startPooler(POOLER_CONNECT_QUERY);
  const api = await startPooledApi();
  const worker = await system.startWorker(undefined, urls);
  const apiUrl = api.url;
  const shop = await system.openShop('app-b');
  for (const menu of [1, 2, 3]) expect((await shop.upload(menu, { apiUrl })).status).toBe(200);
  const call = (verb: string, body: object) =>
    fetch(`${apiUrl}/api/v1/events/webhook/${verb}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${system.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  expect((await call('manage', { url: `${receiver.url}/pooled` })).status).toBe(200);
  const tests = await Promise.all(Array.from({ length: 20 }, () => call('test', {})));
  for (const { status } of tests) expect(status).toBe(200);
  await until(() => receiver.receivedAt('/pooled').length >= 20);
  const listeners = await system.sql`
    select from pg_stat_activity
    where datname = current_database() and application_name = 'pos-integrations listener'`;
  expect(listeners).toHaveLength(2);
  expect(pooler.switched()).toBeGreaterThan(100);
  await Promise.all([api.stop(), worker.stop()]);
});
