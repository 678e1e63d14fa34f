import { createAppA } from '../../dev/sandbox/app-a/app-a';
import { type Sandbox, startSandbox } from '../../dev/sandbox/sandbox';
import { simulateApp } from '../../dev/sandbox/simulated-app';
import { configureIntegration } from '../../src/admin/integrations';
import { loadConfig } from '../../src/platform/config/config';
import { createConfiguredSecretBox } from '../../src/run/configured-secrets';
import { startSystem, stopSystems, type SharedSystem } from '../support/system';

const CLIENT = { clientId: 'client-of-app-a', clientSecret: 'secret' };

let system: SharedSystem;
let sandbox: Sandbox;
beforeAll(async () => {
  system = await startSystem();
  sandbox = await startSandbox({ port: 0, parts: [simulateApp(createAppA(CLIENT))] });
});
afterAll(async () => {
  await stopSystems();
  await sandbox.close();
});

async function read(path: string) {
  const response = await fetch(`${system.apiUrl()}/api/v1${path}`, {
    headers: { authorization: `Bearer ${system.token}` },
  });
  return { status: response.status, data: (await response.json()).data };
}

test('an integration that gets another app keeps its old versions, and nothing is live in the new one until it has a menu', async () => {
  const shop = await system.openShop('app-b');
  const { uploadId } = await shop.upload(1);
  const shownBefore = await read(`/menus/uploads/${uploadId}/shown`);
  expect(shownBefore.status).toBe(200);
  await configureIntegration(
    { sql: system.sql, secrets: createConfiguredSecretBox(loadConfig(system.env)) },
    {
      ...CLIENT,
      integrationId: shop.integrationId,
      app: 'app-a',
      name: null,
      baseUrl: `${sandbox.url}/app-a`,
      active: null,
    },
  );
  expect((await read(`/menus/live?store_id=${shop.storeId}`)).data).toMatchObject([
    { upload_id: null, drift: { state: 'unknown' } },
  ]);
  expect(await read(`/menus/uploads/${uploadId}/shown`)).toEqual(shownBefore);

  const again = await shop.upload(1, { query: '?skip_unchanged=true' });
  expect(again.status).toBe(200);
  const menus = await (await fetch(`${sandbox.url}/app-a/_sandbox/menus`)).json();
  expect(menus).toMatchObject([{ store_id: shop.appStoreId }]);
  const shown = await read(`/menus/uploads/${again.uploadId}/shown`);
  expect(shown.data.items).toHaveLength(shownBefore.data.items.length);
  expect((await read(`/menus/live?store_id=${shop.storeId}`)).data).toMatchObject([
    { upload_id: again.uploadId },
  ]);
  const republished = await fetch(`${system.apiUrl()}/api/v1/menus/uploads/${uploadId}/republish`, {
    method: 'POST',
    headers: { authorization: `Bearer ${system.token}` },
  });
  expect(republished.status).toBe(200);
  expect(await read(`/menus/uploads/${uploadId}/shown`)).toEqual(shownBefore);
});
