import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { configureIntegration, connectStoreTo } from '../../src/admin/integrations';
import { createStore } from '../../src/admin/stores';
import { cpuSeconds } from './cpu';
import { type Deployment, endProcess, startDeployment, startProcess } from './deployment';
import { residentMegabytes } from './memory';
import { putStores } from './put-stores';
import type { SandboxAddress } from './menu-sandbox';

export const PARTS = ['api', 'worker', 'postgres', 'temporal', 'sandbox', 'generator'] as const;
export type Part = (typeof PARTS)[number];

/** A menu that the simulated app made its own. */
export interface ReceivedMenu {
  readonly appStoreId: string;
  readonly sha256: string;
}

/** A call that reached the app; ms since epoch. */
export interface AppCall {
  readonly appStoreId: string;
  readonly startedAt: number;
}

export interface MenuStore {
  readonly storeId: number;
  readonly appStoreId: string;
}

/** A deployment whose stores are connected to a simulated App B. */
export interface MenuRig {
  readonly setting: readonly string[];
  readonly integrationId: number;
  addStores(count: number): Promise<MenuStore[]>;
  /** The same by SQL, each with its publication and a menu that was published before: for tens of thousands. */
  putStores(count: number): Promise<MenuStore[]>;
  /** Status of the answer to an upload, when it has been read. */
  upload(body: Buffer): Promise<number>;
  /** Status of the answer to a request about items, when it has been read. */
  switchItems(storeId: number, items: readonly object[]): Promise<number>;
  /** Status and ways of the answer to a request that changes items or prices of options, when it has been read. */
  changeItems(
    storeId: number,
    changes: object,
  ): Promise<{ readonly status: number; readonly ways: readonly (string | null)[] }>;
  /** The calls of a route since the last time, up to 10,000 requests of any kind. */
  takeCalls(route?: 'availability' | 'change' | 'upload'): Promise<AppCall[]>;
  /** What has arrived since the last call. */
  takeReceived(): Promise<ReceivedMenu[]>;
  /** CPU seconds of each part so far. */
  cpu(): Record<Part, number>;
  /** MB resident now. */
  memory(part: 'api' | 'worker'): number;
  stop(): Promise<void>;
}

export async function startMenuRig(): Promise<MenuRig> {
  const sandbox = startProcess(join(__dirname, 'menu-sandbox.ts'), {
    execArgv: ['--import', 'tsx'],
  });
  const [[address], deployment] = await Promise.all([
    once(sandbox, 'message') as Promise<[SandboxAddress]>,
    startDeployment(),
  ]);
  const { sql, secrets, api, userId, pids } = deployment;
  const { integration_id } = await configureIntegration(
    { sql, secrets },
    {
      integrationId: null,
      app: 'app-b',
      name: null,
      baseUrl: address.url,
      clientId: address.clientId,
      clientSecret: address.clientSecret,
      active: true,
    },
  );
  const integrationId = Number(integration_id);
  const post = async (path: string, body: Buffer): Promise<number> => {
    const headers = {
      authorization: `Bearer ${deployment.token}`,
      'content-type': 'application/json',
    };
    const answer = await api.request({ method: 'POST', path, headers, body });
    await answer.body.dump();
    return answer.statusCode;
  };

  return {
    setting: deployment.setting,
    integrationId,
    async addStores(count) {
      const stores: MenuStore[] = [];
      for (let n = 0; n < count; n += 1) {
        stores.push(await addStore({ sql, secrets, userId, integrationId }));
      }
      return stores;
    },
    putStores: (count) => putStores(deployment, integrationId, count),
    upload: (body) => post('/api/v1/menus/upload', body),
    switchItems: (storeId, items) =>
      post(
        '/api/v1/menus/availability',
        Buffer.from(
          JSON.stringify({ store_id: storeId, integration_ids: [String(integrationId)], items }),
        ),
      ),
    async changeItems(storeId, changes) {
      const { statusCode: status, body } = await api.request({
        method: 'POST',
        path: '/api/v1/menus/changes',
        headers: {
          authorization: `Bearer ${deployment.token}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ store_id: storeId, ...changes }),
      });
      const answer = (await body.json()) as {
        readonly data: { readonly changes: readonly { readonly way: string | null }[] } | null;
      };
      return { status, ways: (answer.data?.changes ?? []).map(({ way }) => way) };
    },
    async takeCalls(wanted = 'availability') {
      const page = `${address.url}/_sandbox/requests`;
      const requests = (await (await fetch(page)).json()) as {
        route: string;
        store_id: string;
        started_at: string;
      }[];
      await fetch(page, { method: 'DELETE' });
      return requests.flatMap(({ route, store_id: appStoreId, started_at: at }) =>
        route === wanted ? [{ appStoreId, startedAt: Date.parse(at) }] : [],
      );
    },
    async takeReceived() {
      const page = `${address.url}/_sandbox/menus`;
      const menus = (await (await fetch(page)).json()) as { store_id: string; sha256: string }[];
      await fetch(page, { method: 'DELETE' });
      return menus.map(({ store_id, sha256 }) => ({ appStoreId: store_id, sha256 }));
    },
    cpu: () => ({
      api: cpuSeconds(pids.api),
      worker: cpuSeconds(pids.worker),
      postgres: cpuSeconds(pids.postgres),
      temporal: cpuSeconds(pids.temporal),
      sandbox: cpuSeconds(sandbox.pid ?? 0),
      generator: (process.cpuUsage().user + process.cpuUsage().system) / 1e6,
    }),
    memory: (part) => residentMegabytes(pids[part]),
    async stop() {
      await deployment.stop();
      await endProcess(sandbox);
    },
  };
}

async function addStore({
  sql,
  secrets,
  userId,
  integrationId,
}: Pick<Deployment, 'sql' | 'secrets' | 'userId'> & {
  integrationId: number;
}): Promise<MenuStore> {
  const appStoreId = randomUUID();
  const { store_id: storeId } = await createStore(
    { sql },
    { name: appStoreId, country: 'MX', userId },
  );
  await connectStoreTo(
    { sql, secrets },
    { storeId, integrationId, appStoreId, credential: JSON.stringify({ merchant: appStoreId }) },
  );
  return { storeId, appStoreId };
}
