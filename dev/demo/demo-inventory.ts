import { randomUUID } from 'node:crypto';
import { toNameKey } from '../../src/platform/text/name-key';
import { request } from 'undici';
import type { Sql } from '../../src/platform/db/client';
import { insertInventorySystem } from '../../src/inventory/sql/inventory-systems';
import { linkStore } from '../../src/stores/sql/store-links';
import { saveSubscription } from '../../src/webhooks/sql/subscriptions';
import { revealSecret, sealNewSecret } from '../../src/webhooks/webhook-secrets';
import { newId, type UserId } from '../../src/platform/ids';
import type { SecretBox } from '../../src/platform/crypto/secrets';

/** The store whose stock movements have a receiver from the first start; store 1 is left to the reader. */
export const STOCK_STORE_ID = 2;
const SYSTEM_NAME = 'Demo inventory';

export interface DemoInventoryOptions {
  readonly sql: Sql;
  readonly secrets: SecretBox;
  readonly userId: UserId;
  readonly sandboxUrl: string;
  /** False: the second store was deleted. */
  readonly linksStore: boolean;
}

/**
 * Links the second store to an inventory system whose webhooks of both types go to the sandbox's receiver. The
 * receiver loses the secrets at every stop, so it gets them at every start.
 */
export async function prepareDemoInventory(options: DemoInventoryOptions): Promise<void> {
  const { sql, secrets, userId, sandboxUrl, linksStore } = options;
  const inventorySystemId = await ensureSystem(sql, userId);
  if (linksStore) {
    await linkStore(sql, {
      inventorySystemId,
      storeId: STOCK_STORE_ID,
      externalStoreId: 'stock-room',
      madeBy: userId,
      byOperator: true,
    });
  }
  for (const type of [1, 2] as const) {
    const fresh = newId('sub');
    const subscription = await saveSubscription(sql, {
      key: { inventorySystemId, type },
      newId: fresh,
      newSecretEncrypted: sealNewSecret(secrets, fresh),
      url: `${sandboxUrl}/receiver`,
      maxInFlight: null,
      heldKey: null,
    });
    if (!subscription) throw new Error('the demo webhook was not saved');
    const secret = await revealSecret({ sql, secrets }, subscription.subscriptionId);
    await tellReceiver(sandboxUrl, secret);
  }
}

async function ensureSystem(sql: Sql, userId: UserId): Promise<string> {
  const inventorySystemId = randomUUID();
  const nameKey = toNameKey(SYSTEM_NAME);
  const made = await insertInventorySystem(sql, {
    inventorySystemId,
    name: SYSTEM_NAME,
    nameKey,
    createdBy: userId,
    heldKey: null,
  });
  if (made === 'made') return inventorySystemId;
  const [found] = await sql<{ inventorySystemId: string }[]>`
    select inventory_system_id from inventory_system where name_key = ${nameKey}`;
  if (!found) throw new Error('the demo inventory system was neither made nor found');
  return found.inventorySystemId;
}

async function tellReceiver(sandboxUrl: string, secret: string): Promise<void> {
  const { statusCode, body } = await request(`${sandboxUrl}/receiver/_sandbox/secret`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ secret }),
  });
  await body.dump();
  if (statusCode >= 300) throw new Error(`the sandbox's receiver answered ${statusCode}`);
}
