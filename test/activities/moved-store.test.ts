import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { rappiIdOf } from '../../dev/sandbox/app-d/app-d';
import { connectStoreTo } from '../../src/admin/integrations';
import { loadConfig } from '../../src/platform/config/config';
import { createConfiguredSecretBox } from '../../src/run/configured-secrets';
import { findWaitingTask, keepAppTask } from '../../src/uploads/sql/app-tasks';
import { replaceApp } from '../support/stand-in-app';
import type { Shop } from '../support/shop';
import { confirmNext, uploadWithTask } from '../support/open-task';
import { useUploadSteps } from '../support/upload-steps';

const { system, steps } = useUploadSteps({ env: { APP_D: 'rappi' } });

/** The app: every menu is accepted, and each of another store was approved. */
let app: Server;
let asked: string[];
const rappiOf = (appStoreId: string) => String(rappiIdOf(appStoreId));

beforeAll(async () => {
  app = createServer((request, response) => {
    request.resume().on('end', () => {
      const { url = '' } = request;
      const store = /\/menu\/(\d+)\/details/.exec(url)?.[1];
      if (store !== undefined) asked.push(store);
      const token = { access_token: 'token', token_type: 'bearer', expires_in: 3_600 };
      const status = store === rappiOf('another') ? 'APPROVED' : 'PENDING';
      const details = [{ status, error_description: null, created_at: new Date().toISOString() }];
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(url.includes('login') ? token : details));
    });
  }).listen(0, '127.0.0.1');
  await once(app, 'listening');
});
beforeEach(() => {
  asked = [];
});
afterAll(() => app.close());

async function openShop(): Promise<Shop> {
  const shop = await system.openShop('app-d');
  await replaceApp(system.sql, shop, app);
  return shop;
}

/** Connects the shop's store to this store of its app. */
async function connect({ storeId, integrationId }: Shop, appStoreId: string): Promise<void> {
  const { sql } = system;
  const secrets = createConfiguredSecretBox(loadConfig(system.env));
  const credential = JSON.stringify({
    store_integration_id: appStoreId,
    rappi_store_id: rappiOf(appStoreId),
  });
  await connectStoreTo({ sql, secrets }, { storeId, integrationId, appStoreId, credential });
}

/** The app may be asked about the task of the shop now. */
const wait = ({ storeId }: Shop) => system.sql`
  update menu_upload set pushed_at = now() - interval '10 min', task_asked_at = null
  where store_id = ${storeId}::bigint and task_id is not null`;

test('a menu that waits for people is not taken for live because of another store to which its store was connected meanwhile', async () => {
  const shop = await openShop();
  const { upload } = await uploadWithTask(system, steps, shop);
  await connect(shop, 'another');
  await wait(shop);
  expect(await confirmNext(steps, shop)).toMatchObject({ next: 'ended', state: 'failed' });
  expect(asked).toEqual([]);
  expect(await steps.outcome(upload)).toEqual({
    state: 'failed',
    messages: [
      'Could not upload menu to delivery system.',
      'The store was connected to another store of the delivery app before the outcome was known.',
    ],
  });
});

test('what the app has said about it by then counts', async () => {
  const shop = await openShop();
  const { upload, taskId } = await uploadWithTask(system, steps, shop);
  await keepAppTask(system.sql, shop.integrationId, taskId, { kind: 'live' });
  await connect(shop, 'another');
  expect(await confirmNext(steps, shop)).toMatchObject({ next: 'ended', state: 'uploaded' });
  expect(await steps.outcome(upload)).toEqual({ state: 'uploaded', messages: [] });
  expect(asked).toEqual([]);
});

test('a decision about the store that is connected now is not taken for one about the menu at the store before', async () => {
  const shop = await openShop();
  const { taskId } = await uploadWithTask(system, steps, shop);
  const waitsAt = (appStoreId: string) =>
    findWaitingTask(system.sql, shop.integrationId, appStoreId, Date.now() + 1_000);
  expect(await waitsAt(shop.appStoreId)).toMatchObject({ taskId });
  await connect(shop, 'another');
  expect(await waitsAt('another')).toBeUndefined();
  expect(await waitsAt(shop.appStoreId)).toBeUndefined();
});

test('a new credential for the same store changes nothing: the app is asked', async () => {
  const shop = await openShop();
  await connect(shop, shop.appStoreId);
  const { upload } = await uploadWithTask(system, steps, shop);
  await connect(shop, shop.appStoreId);
  await wait(shop);
  expect(await confirmNext(steps, shop)).toMatchObject({ next: 'running' });
  expect(asked).toEqual([rappiOf(shop.appStoreId)]);
  expect(await steps.outcome(upload)).toMatchObject({ state: 'running' });
});
