import { randomUUID } from 'node:crypto';
import { connectStoreTo } from '../../src/admin/integrations';
import { createStore } from '../../src/admin/stores';
import { loadConfig } from '../../src/platform/config/config';
import { createConfiguredSecretBox } from '../../src/run/configured-secrets';
import type { Shop } from './shop';
import type { System } from './system';

/** A further store in a shop's delivery app. */
export interface AppStore {
  readonly storeId: number;
  /** The app's id of it. */
  readonly appStoreId: string;
}

/** Makes further stores in the shop's delivery app; all belong to the system's user. */
export async function openStores(
  { sql, env }: Pick<System, 'sql' | 'env'>,
  shop: Pick<Shop, 'integrationId'>,
  count: number,
): Promise<AppStore[]> {
  const deps = { sql, secrets: createConfiguredSecretBox(loadConfig(env)) };
  const [user] = await sql<{ userId: string }[]>`select user_id from app_user limit 1`;
  const stores: AppStore[] = [];
  for (let n = 0; n < count; n++) {
    const { store_id: storeId } = await createStore(deps, {
      name: `Store ${randomUUID()}`,
      country: 'MX',
      userId: user?.userId ?? '',
    });
    const appStoreId = randomUUID();
    const { integrationId } = shop;
    await connectStoreTo(deps, { storeId, integrationId, appStoreId, credential: '{}' });
    stores.push({ storeId, appStoreId });
  }
  return stores;
}
