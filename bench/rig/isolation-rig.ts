import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { configureIntegration, connectStoreTo } from '../../src/admin/integrations';
import { attachPosTo, createPosSystem } from '../../src/admin/pos';
import { createStore } from '../../src/admin/stores';
import type { AppName } from '../../src/delivery-apps/types';
import { linkStore } from '../../src/stores/sql/store-links';
import { saveSubscription, subscriptionSecretContext } from '../../src/webhooks/sql/subscriptions';
import { newId } from '../../src/platform/ids';
import { generateSecret } from '../../src/platform/crypto/signing';
import { selfSignedCertificate } from '../../test/support/self-signed-certificate';
import { sizedMenu } from '../../test/support/sized-menu';
import { cpuSeconds } from './cpu';
import { type Deployment, endProcess, startDeployment, startProcess } from './deployment';
import type { PreviewSettings } from './preview-load';
import type { Origins, Party } from './unwell-servers';

/** The kinds of requests to the service. */
export const WORK = ['upload', 'imageUpload', 'event', 'stockUpdate'] as const;
export type Work = (typeof WORK)[number];

/** Ms that requests of each kind took. */
export type Times = Record<Work, number[]>;

export function noTimes(): Times {
  return { upload: [], imageUpload: [], event: [], stockUpdate: [] };
}

/** Stores whose apps, image host, POS and receiver are the well or the unwell ones. */
export interface Neighbourhood {
  /** Does one piece of work for the next of its stores; the status of the answer when it has been read. */
  send(work: Work): Promise<number>;
  /** What a process needs that requests previews of a menu of this size for its three apps. */
  previews(entities: number): PreviewSettings;
  /** Its apps' tokens are forgotten: the next upload asks for one. */
  forgetTokens(): Promise<void>;
}

export interface IsolationRig {
  readonly setting: readonly string[];
  readonly pids: Deployment['pids'];
  readonly sql: Deployment['sql'];
  readonly well: Neighbourhood;
  readonly unwell: Neighbourhood;
  /** CPU seconds that all parts of the service have used so far, this generator and the parties included. */
  cpu(): Readonly<Record<string, number>>;
  /** From now on this party of the unwell answers nothing; null = all are well. */
  hang(party: Party | null): Promise<void>;
  stop(): Promise<void>;
}

/** Enough that a store's uploads do not supersede each other while one waits for its caller's 25 s. */
const STORES = 150;
const ENTITIES = 60;
const DAY_MS = 86_400_000;

export async function startIsolationRig(): Promise<IsolationRig> {
  const directory = await mkdtemp(join(tmpdir(), 'pos-integrations-isolation-'));
  const now = Date.now();
  const certificate = selfSignedCertificate(new Date(now - DAY_MS), new Date(now + DAY_MS));
  const authority = join(directory, 'ca.pem');
  await writeFile(authority, certificate.cert);
  const servers = startProcess(join(__dirname, 'unwell-servers.ts'), {
    execArgv: ['--import', 'tsx'],
  });
  servers.send(certificate);
  const [[origins], deployment] = await Promise.all([
    once(servers, 'message') as Promise<[Origins]>,
    startDeployment({
      permissions: ['pos:events', 'inventory:create'],
      env: { NODE_EXTRA_CA_CERTS: authority },
    }),
  ]);
  return {
    setting: deployment.setting,
    pids: deployment.pids,
    sql: deployment.sql,
    well: await settle(deployment, origins.well, origins.wellImages),
    unwell: await settle(deployment, origins.unwell, origins.unwellImages),
    cpu() {
      const pids = { ...deployment.pids, parties: servers.pid ?? 0 };
      const { user, system } = process.cpuUsage();
      return {
        ...Object.fromEntries(Object.entries(pids).map(([part, pid]) => [part, cpuSeconds(pid)])),
        generator: (user + system) / 1e6,
      };
    },
    async hang(party) {
      servers.send({ hang: party });
      await once(servers, 'message');
    },
    async stop() {
      await deployment.stop();
      await endProcess(servers);
      await rm(directory, { recursive: true, force: true });
    },
  };
}

interface Store {
  readonly storeId: number;
  readonly inventorySystemId: string;
}

async function settle(
  deployment: Deployment,
  origin: string,
  images: string,
): Promise<Neighbourhood> {
  const { sql, api, token } = deployment;
  const [appA, appB] = [
    await addIntegration(deployment, 'app-a', origin),
    await addIntegration(deployment, 'app-b', origin),
  ];
  const appC = await addIntegration(deployment, 'app-c', origin);
  const { pos_id: posId } = await createPosSystem(deployment, {
    name: origin,
    baseUrl: `${origin}/pos`,
    secret: generateSecret(),
  });
  const stores: Store[] = [];
  for (let n = 0; n < STORES; n += 1) {
    stores.push(
      await addStore(deployment, [appA, appB, appC], Number(posId), `${origin}/receiver`),
    );
  }
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const plain = sizedMenu(ENTITIES, 1);
  let sent = 0;

  function requestOf(work: Work, { storeId, inventorySystemId }: Store) {
    const nth = (sent += 1);
    switch (work) {
      case 'upload':
      case 'imageUpload': {
        const integrationId = work === 'upload' ? appB : appA;
        // Each image is a new one: remembered verdicts would need no host.
        const items = plain.items.map((item, at) =>
          work === 'imageUpload' && at < 5
            ? { ...item, image_url: `${images}/${nth}-${at}.png` }
            : { ...item, image_url: null },
        );
        const menu = { ...plain, items };
        return {
          path: '/api/v1/menus/upload',
          body: { ...menu, store_id: storeId, integration_id: String(integrationId) },
        };
      }
      case 'event':
        return { path: `/api/v1/pos/store/${storeId}/inventory/stock`, body: movement(nth) };
      case 'stockUpdate':
        return {
          path: `/api/v1/inventory/system/store/${storeId}/pos/stock/update`,
          body: { ...movement(nth), inventory_system_id: inventorySystemId, pos_id: posId },
        };
    }
  }

  return {
    previews(entities) {
      const [store] = stores;
      const body = JSON.stringify({ ...sizedMenu(entities, 1), store_id: store?.storeId ?? 0 });
      return { origin: deployment.origin, token, body };
    },
    async send(work) {
      const store = stores[sent % stores.length];
      if (!store) throw new Error('no store');
      const { path, body } = requestOf(work, store);
      const answer = await api.request({
        method: 'POST',
        path,
        headers,
        body: JSON.stringify(body),
      });
      await answer.body.dump();
      return answer.statusCode;
    },
    async forgetTokens() {
      const keys = [appA, appB].map((id) => `integration/${id}`);
      await sql`
        update app_token set token_encrypted = null, version = version + 1, refresh_until = null
        where credential_key = any(${keys}::text[])`;
    },
  };
}

function movement(nth: number) {
  const stock = { external_id: String(nth), current_stock: '10.50', quantity: '1' };
  return { ...stock, date: '2026-11-21T10:00:00Z', movement_type: 2 };
}

async function addIntegration(
  { sql, secrets }: Deployment,
  app: AppName,
  baseUrl: string,
): Promise<number> {
  const client = { clientId: 'bench', clientSecret: 'bench' };
  const { integration_id } = await configureIntegration(
    { sql, secrets },
    { integrationId: null, app, name: null, baseUrl, ...client, active: true },
  );
  return Number(integration_id);
}

async function addStore(
  { sql, secrets, userId }: Deployment,
  integrationIds: readonly number[],
  posId: number,
  url: string,
): Promise<Store> {
  const inventorySystemId = randomUUID();
  const { store_id: storeId } = await createStore(
    { sql },
    { name: inventorySystemId, country: 'MX', userId },
  );
  for (const integrationId of integrationIds) {
    await connectStoreTo(
      { sql, secrets },
      { storeId, integrationId, appStoreId: randomUUID(), credential: '{}' },
    );
  }
  await attachPosTo({ sql }, storeId, posId);
  await sql`
    insert into inventory_system (inventory_system_id, name, name_key, created_by)
    values (${inventorySystemId}::uuid, ${inventorySystemId}, ${inventorySystemId}, ${userId})`;
  const newSubscriptionId = newId('sub');
  await saveSubscription(sql, {
    key: { inventorySystemId, type: 2 },
    newId: newSubscriptionId,
    newSecretEncrypted: secrets.encrypt(
      generateSecret(),
      subscriptionSecretContext(newSubscriptionId),
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
  return { storeId, inventorySystemId };
}
