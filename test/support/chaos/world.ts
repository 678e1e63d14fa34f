import { randomUUID } from 'node:crypto';
import { configureIntegration, connectStoreTo } from '../../../src/admin/integrations';
import { createStore } from '../../../src/admin/stores';
import { createToken, createUser } from '../../../src/admin/users';
import { linkStore } from '../../../src/stores/sql/store-links';
import { PERMISSIONS } from '../../../src/users/sql/users';
import { createSecretBox, toEncryptionKey } from '../../../src/platform/crypto/secrets';
import type { SimulatedAppName } from '../shop';
import { createWebhookRows } from '../webhook-rows';
import type { Arena } from './arena';
import { failApp } from './fail-app';

/** A store and the app that shows its menu. */
export interface ChaosShop {
  readonly app: SimulatedAppName;
  readonly storeId: number;
  readonly integrationId: number;
  /** The app's own id of the store. */
  readonly appStoreId: string;
}

/** A store whose events go to one receiver. */
export interface ChaosStock {
  readonly storeId: number;
  /** Paths of its receiver, by type. */
  readonly paths: Readonly<Record<1 | 2, string>>;
}

export interface World {
  readonly token: string;
  readonly shops: readonly ChaosShop[];
  readonly stocks: readonly ChaosStock[];
}

const APPS: readonly SimulatedAppName[] = ['app-a', 'app-b', 'app-c'];
const SHOPS_PER_APP = 3;
const STOCKS = 6;

/** Makes the user, the shops and the receivers of a run. */
export async function createWorld(arena: Arena): Promise<World> {
  const { sql, client, simulators } = arena;
  const deps = { sql, secrets: createSecretBox([toEncryptionKey(arena.encryptionKey)]) };
  const { user_id: userId } = await createUser(deps, { name: 'Chaos', permissions: PERMISSIONS });
  const { token } = await createToken(deps, { userId, expiresInSeconds: null });
  const newStore = async (name: string): Promise<number> => {
    const store = await createStore(deps, { name, country: 'MX', userId });
    return store.store_id;
  };

  // So that a push is always in progress when something is struck.
  await failApp(arena, 'app-b', { kind: 'slow', ms: 1_000, times: 100_000 });
  const shops: ChaosShop[] = [];
  for (const app of APPS) {
    const baseUrl = `${simulators.appsUrl}/${app}`;
    const integration = await configureIntegration(deps, {
      integrationId: null,
      app,
      name: null,
      baseUrl,
      active: true,
      ...client,
    });
    const integrationId = Number(integration.integration_id);
    for (let n = 1; n <= SHOPS_PER_APP; n += 1) {
      const storeId = await newStore(`${app} ${n}`);
      const appStoreId = randomUUID();
      const credential = JSON.stringify({ app_shop_id: appStoreId });
      await connectStoreTo(deps, { storeId, integrationId, appStoreId, credential });
      shops.push({ app, storeId, integrationId, appStoreId });
    }
  }

  const rows = await createWebhookRows(sql, arena.encryptionKey);
  const stocks: ChaosStock[] = [];
  for (let n = 1; n <= STOCKS; n += 1) {
    const storeId = await newStore(`stock ${n}`);
    const paths = { 1: `/items-${n}`, 2: `/stock-${n}` } as const;
    const { inventorySystemId } = await rows.subscribe({
      url: simulators.receiverUrl + paths[1],
      type: 1,
    });
    await rows.subscribe({ url: simulators.receiverUrl + paths[2], type: 2, inventorySystemId });
    await linkStore(sql, {
      inventorySystemId,
      storeId,
      externalStoreId: `external-${n}`,
      madeBy: userId,
      byOperator: true,
    });
    stocks.push({ storeId, paths });
  }
  return { token, shops, stocks };
}
