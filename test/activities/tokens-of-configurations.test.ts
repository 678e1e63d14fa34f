import { configureIntegration } from '../../src/admin/integrations';
import { clientSecretContext } from '../../src/delivery-apps/tokens/app-access';
import { loadConfig } from '../../src/platform/config/config';
import { createConfiguredSecretBox } from '../../src/run/configured-secrets';
import type { Shop } from '../support/shop';
import { prepareSystem, stopSystems, type System } from '../support/system';
import { createUploadSteps, type UploadSteps } from '../support/upload-steps';
import { versionedMenu } from '../support/versioned-menu';

let system: System;
let steps: UploadSteps;
/** Runs once, when a step that has loaded its upload is about to look for a token. */
let beforeToken: (() => Promise<void>) | undefined;

beforeAll(async () => {
  system = await prepareSystem();
  steps = createUploadSteps(system, {
    async atCheckpoint(name) {
      if (name !== 'worker:before-token') return;
      const run = beforeToken;
      beforeToken = undefined;
      await run?.();
    },
  });
});
afterAll(async () => {
  await steps.close();
  await stopSystems();
});

/** Lets the shop's integration go on at the address of another one, with its client. */
async function moveTo({ integrationId }: Shop, other: Shop): Promise<void> {
  const { sql } = system;
  const secrets = createConfiguredSecretBox(loadConfig(system.env));
  const [row] = await sql<{ baseUrl: string; clientId: string; sealed: Buffer }[]>`
    select base_url, client_id, client_secret_encrypted as sealed from integration
    where integration_id = ${other.integrationId}::bigint`;
  if (!row) throw new Error('no integration');
  const { baseUrl, clientId, sealed } = row;
  const clientSecret = secrets.decrypt(sealed, clientSecretContext(other.integrationId));
  await configureIntegration(
    { sql, secrets },
    { integrationId, app: 'app-b', name: null, baseUrl, clientId, clientSecret, active: null },
  );
}

test('a step that was loaded before its integration was configured asks nobody for a token, and begins anew', async () => {
  const [shop, other] = [await system.openShop('app-b'), await system.openShop('app-b')];
  const upload = await steps.claim(shop, versionedMenu(1));
  beforeToken = () => moveTo(shop, other);
  await expect(steps.fetchToken(upload)).rejects.toThrow('configured anew');
  expect(await shop.requests('token')).toEqual([]);
  expect(await other.requests('token')).toEqual([]);
  expect(await steps.fetchToken(upload)).toMatchObject({ next: 'ready' });
  expect(await other.requests('token')).toHaveLength(1);
});
