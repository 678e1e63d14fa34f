import { createHash } from 'node:crypto';
import {
  configureIntegration,
  connectStoreTo,
  showIntegrations,
} from '../../src/admin/integrations';
import { attachPosTo, createPosSystem } from '../../src/admin/pos';
import { createToken, createUser } from '../../src/admin/users';
import type { Sql } from '../../src/platform/db/client';
import { changePos } from '../../src/inventory/sql/pos-systems';
import { findTokenOwner, PERMISSIONS } from '../../src/users/sql/users';
import { APP_NAMES, type ShippedAppName } from '../../src/delivery-apps/types';
import type { UserId } from '../../src/platform/ids';
import type { SecretBox } from '../../src/platform/crypto/secrets';
import { prepareDemoInventory, STOCK_STORE_ID } from './demo-inventory';
import type { DemoSecrets } from './demo-secrets';
import { ensureStore } from './demo-stores';

/** The demo store's id in each delivery app; App A requires a UUID. */
export const APP_STORE_IDS: Readonly<Record<ShippedAppName, string>> = {
  'app-a': '6f1a2c7e-3b7d-4c52-9a55-0d8f5a1c1e01',
  'app-b': 'demo-merchant',
  'app-c': 'demo-shop',
  'app-d': 'demo-restaurant',
};

const DEMO_STORE_ID = 1;
const DEMO_POS_ID = 1;

/** App D's own number of the demo store. */
export const DEMO_RAPPI_ID = 900_001;

export interface DemoDataOptions {
  readonly sql: Sql;
  readonly secrets: SecretBox;
  readonly demo: DemoSecrets;
  /** The user's own token (DEMO_TOKEN), or the one made at the first start. */
  readonly token: string;
  readonly sandboxUrl: string;
}

/**
 * Creates or completes the demo data: a user with every permission and the token, store 1, integrations 1 to 4 and
 * POS 1 pointing at the sandbox of this start, and a store 2 with an inventory system. Each step checks first, so
 * that the next start completes an interrupted one. A store that was deleted stays so.
 */
export async function prepareDemoData(options: DemoDataOptions): Promise<void> {
  const { sql, secrets, demo, sandboxUrl } = options;
  const userId = await ensureUser(options);
  const hasStore = await ensureStore(sql, userId, { storeId: DEMO_STORE_ID, name: 'Demo store' });
  const hasStockStore = await ensureStore(sql, userId, {
    storeId: STOCK_STORE_ID,
    name: 'Demo stock room',
  });
  await ensurePos(options);
  if (hasStore) await attachPosTo({ sql }, DEMO_STORE_ID, DEMO_POS_ID);
  await prepareDemoInventory({ sql, secrets, userId, sandboxUrl, linksStore: hasStockStore });
  const existing = await showIntegrations({ sql });
  for (const app of APP_NAMES) {
    const found = existing.find((each) => each.app === app);
    const { integration_id: integrationId } = await configureIntegration(
      { sql, secrets },
      {
        integrationId: found ? Number(found.integration_id) : null,
        app,
        name: `App ${app.slice(-1).toUpperCase()}`,
        baseUrl: `${sandboxUrl}/${app}`,
        clientId: demo.clientId,
        clientSecret: demo.clientSecret,
        webhookSecret: app === 'app-d' ? demo.clientSecret : null,
        active: found ? null : true,
      },
    );
    if (!found && hasStore) {
      await connectStoreTo(
        { sql, secrets },
        {
          storeId: DEMO_STORE_ID,
          integrationId: Number(integrationId),
          credential: JSON.stringify({
            app_shop_id: APP_STORE_IDS[app],
            ...(app === 'app-d' && { rappi_store_id: String(DEMO_RAPPI_ID) }),
          }),
          appStoreId: APP_STORE_IDS[app],
        },
      );
    }
  }
}

async function ensurePos({ sql, secrets, demo, sandboxUrl }: DemoDataOptions): Promise<void> {
  const settings = { name: 'Demo POS', baseUrl: `${sandboxUrl}/pos`, secret: demo.posSecret };
  if (!(await changePos(sql, secrets, DEMO_POS_ID, settings)))
    await createPosSystem({ sql, secrets }, settings);
}

async function ensureUser({ sql, token }: DemoDataOptions): Promise<UserId> {
  const sha256 = createHash('sha256').update(token).digest();
  const owner = await findTokenOwner(sql, sha256);
  if (owner?.userState === 'active') return owner.userId;
  const ended = await sql`select 1 from access_token where token_sha256 = ${sha256}::bytea`;
  if (ended.length > 0) {
    throw new Error(
      'The token of npm start was revoked, or its user deactivated or deleted: set DEMO_TOKEN to a new token, or start over with npm start -- --reset.',
    );
  }
  const [first] = await sql<{ userId: UserId }[]>`
    select user_id from app_user where state = 'active' order by created_at, user_id limit 1`;
  const userId =
    first?.userId ??
    (await createUser({ sql }, { name: 'Demo user', permissions: PERMISSIONS })).user_id;
  await createToken({ sql }, { userId, expiresInSeconds: null, token });
  return userId;
}
