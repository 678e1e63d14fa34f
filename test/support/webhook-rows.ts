import { randomUUID } from 'node:crypto';
import type { Sql } from '../../src/platform/db/client';
import { insertEvent } from '../../src/webhooks/sql/deliveries';
import { listAttempts } from '../../src/webhooks/sql/delivery-views';
import { saveSubscription, subscriptionSecretContext } from '../../src/webhooks/sql/subscriptions';
import { insertUser } from '../../src/users/sql/users';
import { newEventId, deliveryIdOf } from '../../src/webhooks/delivery-ids';
import { itemDataPayload, stockPayload, type WebhookType } from '../../src/webhooks/payload';
import { type DeliveryId, newId, type SubscriptionId, type UserId } from '../../src/platform/ids';
import {
  createSecretBox,
  type SecretBox,
  toEncryptionKey,
} from '../../src/platform/crypto/secrets';
import { generateSecret } from '../../src/platform/crypto/signing';

export interface TestSubscription {
  readonly subscriptionId: SubscriptionId;
  readonly shard: number;
  readonly inventorySystemId: string;
  readonly type: WebhookType;
  readonly secret: string;
}

/** The rows that webhooks need, made without the API. */
export interface WebhookRows {
  readonly secrets: SecretBox;
  subscribe(options: {
    url: string;
    type?: WebhookType;
    maxInFlight?: number;
    /** A system that has a webhook of the other type; without, a new one. */
    inventorySystemId?: string;
    /** In the shard of this one. */
    beside?: TestSubscription;
  }): Promise<TestSubscription>;
  /** Accepts `count` events for a subscription, one after the other. */
  put(to: TestSubscription, count?: number): Promise<DeliveryId[]>;
  delivery(id: DeliveryId): Promise<DeliveryState>;
  attempts(id: DeliveryId): Promise<AttemptState[]>;
  countPending(of: TestSubscription): Promise<number>;
}

export interface DeliveryState {
  readonly state: string;
  readonly attemptsMade: number;
  readonly receiverStatus: number | null;
  readonly message: string | null;
  readonly leaseUntil: Date | null;
  readonly dueAt: Date;
  readonly finishedAt: Date | null;
}

export interface AttemptState {
  readonly number: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly detail: string | null;
  readonly response: string | null;
  readonly durationMs: number;
}

/** `key`: that of the workers which are to open the secrets. */
export async function createWebhookRows(
  sql: Sql,
  key: Buffer | string = Buffer.alloc(32, 7),
): Promise<WebhookRows> {
  const secrets = createSecretBox([toEncryptionKey(key)]);
  const userId: UserId = newId('usr');
  await insertUser(sql, { userId, name: 'owner', permissions: [] });

  /** An id whose shard is this one, or any. */
  async function idIn(shard?: number) {
    for (;;) {
      const subscriptionId = newId('sub');
      const [row] = await sql<{ shard: number }[]>`
        select (get_byte(decode(md5(${subscriptionId}), 'hex'), 0) % 16)::int as shard`;
      if (shard === undefined || row?.shard === shard) return subscriptionId;
    }
  }

  return {
    secrets,
    async subscribe({ url, type = 2, maxInFlight = 20, inventorySystemId = randomUUID(), beside }) {
      const subscriptionId = await idIn(beside?.shard);
      const secret = generateSecret();
      await sql`
        insert into inventory_system (inventory_system_id, name, name_key, created_by)
        values (${inventorySystemId}::uuid, 'system', ${inventorySystemId}, ${userId})
        on conflict (inventory_system_id) do nothing`;
      await saveSubscription(sql, {
        key: { inventorySystemId, type },
        newId: subscriptionId,
        newSecretEncrypted: secrets.encrypt(secret, subscriptionSecretContext(subscriptionId)),
        url,
        maxInFlight,
        heldKey: null,
      });
      const [row] = await sql<{ shard: number }[]>`
        select shard from subscription where subscription_id = ${subscriptionId}`;
      return { subscriptionId, shard: row?.shard ?? 0, inventorySystemId, type, secret };
    },
    async put({ subscriptionId, inventorySystemId, type }, count = 1) {
      const ids: DeliveryId[] = [];
      for (let n = 0; n < count; n += 1) {
        const eventId = newEventId();
        const payload = payloadOf(type, inventorySystemId, n);
        const deliveries = [{ subscriptionId, inventorySystemId, payload }];
        await insertEvent(sql, {
          eventId,
          type,
          storeId: 1,
          deliveries,
          userId,
          requestId: 'test',
          waitMs: 0,
          heldKey: null,
        });
        ids.push(deliveryIdOf(eventId, 0));
      }
      return ids;
    },
    async delivery(id) {
      const [row] = await sql<DeliveryState[]>`
        select state, attempts_made, receiver_status, message, lease_until, due_at, finished_at
        from any_delivery where delivery_id = ${id}`;
      if (!row) throw new Error(`no delivery ${id}`);
      return row;
    },
    async attempts(id) {
      const attempts = await listAttempts(sql, id);
      return attempts;
    },
    async countPending({ subscriptionId }) {
      const [row] = await sql<{ n: number }[]>`
        select count(*) as n from delivery
        where subscription_id = ${subscriptionId}`;
      return row?.n ?? 0;
    },
  };
}

function payloadOf(type: WebhookType, inventorySystemId: string, n: number) {
  const common = { inventorySystemId, externalStoreId: 's1' };
  return type === 1
    ? itemDataPayload({ ...common, units: '[]', items: `[{"id":${n}}]`, suppliers: '[]' })
    : stockPayload({
        ...common,
        externalId: `item-${n}`,
        currentStock: '10.50',
        quantity: '1',
        date: '2026-11-21',
        movementType: 2,
      });
}
