import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createStore, grantStoreTo } from '../../src/admin/stores';
import { linkStore } from '../../src/stores/sql/store-links';
import { saveSubscription, subscriptionSecretContext } from '../../src/webhooks/sql/subscriptions';
import { newId } from '../../src/platform/ids';
import { generateSecret } from '../../src/platform/crypto/signing';
import { cpuSeconds } from './cpu';
import { type Deployment, endProcess, startDeployment, startProcess } from './deployment';
import type { Arrivals } from './webhook-receiver';

export const PARTS = ['api', 'worker', 'postgres', 'temporal', 'receiver', 'generator'] as const;
export type Part = (typeof PARTS)[number];

/** A deployment whose stores have one inventory system each, all of them in one receiver process. */
export interface WebhookRig {
  readonly setting: readonly string[];
  readonly pids: Deployment['pids'];
  readonly sql: Deployment['sql'];
  readonly databaseUrl: Deployment['databaseUrl'];
  readonly addWorker: Deployment['addWorker'];
  /** Makes stores whose stock updates go to `path` of the receiver; their ids. */
  addStores(count: number, path: '/ok' | '/hang'): Promise<number[]>;
  /** Sends an event of about 300 bytes; the status of the answer when it has been read. */
  post(storeId: number, event: number): Promise<number>;
  /** Of the answer to an event that went well: 200 for an acknowledged stock movement, 202 for item data. */
  readonly expectedStatus: number;
  /** The arrivals since the last call. */
  takeArrivals(): Promise<Arrivals>;
  /** Owns the stores. */
  readonly userId: Deployment['userId'];
  readonly api: Deployment['api'];
  /** Deliveries that wait, and for how long the oldest has been due, ms. */
  backlog(): Promise<{ pending: number; oldestMs: number }>;
  /** Resolves when nothing is pending, of all but hanging receivers. */
  settled(): Promise<void>;
  /** CPU seconds of each part so far. */
  cpu(): Record<Part, number>;
  stop(): Promise<void>;
}

/** What the events are: item data, which nobody waits for (type 1), or stock movements, whose caller waits (type 2). */
export type EventType = 1 | 2;

export async function startWebhookRig(type: EventType = 2): Promise<WebhookRig> {
  const receiver = startProcess(join(__dirname, 'webhook-receiver.ts'), {
    execArgv: ['--import', 'tsx'],
  });
  const [[port], deployment] = await Promise.all([
    once(receiver, 'message') as Promise<[number]>,
    startDeployment({ permissions: ['pos:events'] }),
  ]);
  const { sql, api, token, pids } = deployment;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };

  async function backlog() {
    const [row] = await sql<{ pending: number; oldestMs: number }[]>`
      select count(*) as pending,
        coalesce(extract(epoch from now() - min(due_at)) * 1000, 0)::float8 as oldest_ms
      from delivery join subscription using (subscription_id)
      where url not like '%/hang'`;
    return row ?? { pending: 0, oldestMs: 0 };
  }

  return {
    setting: deployment.setting,
    sql,
    databaseUrl: deployment.databaseUrl,
    addWorker: deployment.addWorker,
    pids,
    userId: deployment.userId,
    api,
    async addStores(count, path) {
      const ids: number[] = [];
      for (let n = 0; n < count; n += 1) {
        ids.push(await addStore(deployment, type, `http://127.0.0.1:${port}${path}`));
      }
      return ids;
    },
    expectedStatus: type === 1 ? 202 : 200,
    async post(storeId, event) {
      const answer = await api.request({
        method: 'POST',
        path: `/api/v1/pos/store/${storeId}/inventory/${type === 1 ? 'items' : 'stock'}`,
        headers,
        body: type === 1 ? itemData(event) : stockMovement(event),
      });
      await answer.body.dump();
      return answer.statusCode;
    },
    async takeArrivals() {
      receiver.send('report');
      const [arrivals] = (await once(receiver, 'message')) as [Arrivals];
      return arrivals;
    },
    backlog,
    async settled() {
      while ((await backlog()).pending > 0) await sleep(200);
    },
    cpu: () => ({
      api: cpuSeconds(pids.api),
      worker: cpuSeconds(pids.worker),
      postgres: cpuSeconds(pids.postgres),
      temporal: cpuSeconds(pids.temporal),
      receiver: cpuSeconds(receiver.pid ?? 0),
      generator: (process.cpuUsage().user + process.cpuUsage().system) / 1e6,
    }),
    async stop() {
      await deployment.stop();
      await endProcess(receiver);
    },
  };
}

/** The number of the event is its item's id, filled up with zeros until the body has 300 bytes. */
function stockMovement(event: number): string {
  return JSON.stringify({
    external_id: String(event).padStart(185, '0'),
    current_stock: '10.50',
    quantity: '1',
    date: '2026-11-21T10:00:00Z',
    movement_type: 2,
  });
}

/** As large, and found by the same field. */
function itemData(event: number): string {
  const item = {
    external_id: String(event).padStart(185, '0'),
    name: 'Margherita',
    price: '149.00',
  };
  return JSON.stringify({ units: [], items: [item], suppliers: [] });
}

async function addStore(
  { sql, secrets, userId }: Deployment,
  type: EventType,
  url: string,
): Promise<number> {
  const inventorySystemId = randomUUID();
  const store = await createStore({ sql }, { name: inventorySystemId, country: 'MX', userId });
  const storeId = store.store_id;
  await grantStoreTo({ sql }, userId, storeId);
  await sql`
    insert into inventory_system (inventory_system_id, name, name_key, created_by)
    values (${inventorySystemId}::uuid, ${inventorySystemId}, ${inventorySystemId}, ${userId})`;
  const subscriptionId = newId('sub');
  await saveSubscription(sql, {
    key: { inventorySystemId, type },
    newId: subscriptionId,
    newSecretEncrypted: secrets.encrypt(
      generateSecret(),
      subscriptionSecretContext(subscriptionId),
    ),
    url,
    maxInFlight: null,
    heldKey: null,
  });
  await linkStore(sql, {
    inventorySystemId,
    storeId,
    externalStoreId: `store-${storeId}`,
    madeBy: userId,
    byOperator: true,
  });
  return storeId;
}
