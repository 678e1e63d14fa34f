import { configureIntegration, connectStoreTo } from '../../src/admin/integrations';
import type { AppName } from '../../src/delivery-apps/types';
import { createConfiguredSecretBox } from '../../src/run/configured-secrets';
import type { TestApi } from './api';

/** Connects the store to an integration of each app, which no test calls: nothing listens where they are. */
export async function connectApps(
  { sql, config }: Pick<TestApi, 'sql' | 'config'>,
  storeId: number,
  apps: readonly AppName[],
): Promise<void> {
  const deps = { sql, secrets: createConfiguredSecretBox(config) };
  for (const app of apps) {
    const made = await configureIntegration(deps, {
      integrationId: null,
      app,
      name: null,
      baseUrl: 'http://127.0.0.1:9',
      clientId: 'client',
      clientSecret: 'secret',
      active: true,
    });
    const integrationId = Number(made.integration_id);
    await connectStoreTo(deps, { storeId, integrationId, appStoreId: 'shop', credential: '{}' });
  }
}
