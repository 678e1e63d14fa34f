import { randomUUID } from 'node:crypto';
import { configureIntegration, connectStoreTo } from '../../src/admin/integrations';
import { createStore } from '../../src/admin/stores';
import { createToken, createUser } from '../../src/admin/users';
import { createSecretBox, toEncryptionKey } from '../../src/platform/crypto/secrets';
import { PERMISSIONS } from '../../src/users/sql/users';
import type { Arena } from '../../test/support/chaos/arena';
import { failApp } from '../../test/support/chaos/fail-app';

/** A store in one app: a place that the rollout goes to. */
export interface Place {
  readonly app: 'app-a' | 'app-b' | 'app-c';
  readonly storeId: number;
  readonly integrationId: number;
  /** The app's own id of the store. */
  readonly appStoreId: string;
  /** The version that the app shows before the rollout; null = nothing. */
  readonly before: string | null;
  /** The app refuses every menu of the rollout. */
  readonly fails: boolean;
}

export interface RolloutWorld {
  readonly token: string;
  readonly places: readonly Place[];
}

/** Of ten places: the synchronous app with the most, the asynchronous one with the fewest, as it takes 2 s at least. */
const APPS = [
  'app-b',
  'app-b',
  'app-b',
  'app-b',
  'app-b',
  'app-a',
  'app-a',
  'app-a',
  'app-c',
  'app-c',
] as const;
/** Menus that the places show before: which one comes back has to be right for each of them. */
const EARLIER = 4;
/** So that pushes are always in progress when something is killed. */
const PUSH_MS = 300;

/** Creates a user and this many stores; one in a hundred has shown nothing before, one in fifty will refuse. */
export async function createRolloutWorld(arena: Arena, count: number): Promise<RolloutWorld> {
  const { sql, client, simulators } = arena;
  const deps = { sql, secrets: createSecretBox([toEncryptionKey(arena.encryptionKey)]) };
  const { user_id: userId } = await createUser(deps, { name: 'Rollout', permissions: PERMISSIONS });
  const { token } = await createToken(deps, { userId, expiresInSeconds: null });
  const integrations = new Map<string, number>();
  for (const app of new Set(APPS)) {
    const { integration_id: id } = await configureIntegration(deps, {
      integrationId: null,
      app,
      name: null,
      baseUrl: `${simulators.appsUrl}/${app}`,
      active: true,
      ...client,
    });
    integrations.set(app, Number(id));
  }
  const places: Place[] = [];
  for (let n = 0; n < count; n += 1) {
    const app = APPS[n % APPS.length] ?? 'app-b';
    const integrationId = integrations.get(app) ?? 0;
    const store = await createStore(deps, { name: `Store ${n}`, country: 'MX', userId });
    const appStoreId = randomUUID();
    const credential = JSON.stringify({ app_shop_id: appStoreId });
    await connectStoreTo(deps, { storeId: store.store_id, integrationId, appStoreId, credential });
    places.push({
      app,
      storeId: store.store_id,
      integrationId,
      appStoreId,
      before: n % 100 === 7 ? null : `early${n % EARLIER}`,
      fails: n % 50 === 23,
    });
  }
  return { token, places };
}

/** From now on pushes take their time, and places that fail refuse. A fault of one store is met before that of all. */
export async function beginFaults(arena: Arena, places: readonly Place[]): Promise<void> {
  for (const { app, appStoreId, fails } of places) {
    if (!fails) continue;
    await failApp(arena, app, { kind: 'status', status: 400, times: 10_000, store_id: appStoreId });
  }
  for (const app of new Set(APPS)) {
    await failApp(arena, app, { kind: 'slow', ms: PUSH_MS, times: 100_000 });
  }
}
