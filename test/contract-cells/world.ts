import { randomUUID } from 'node:crypto';
import { createPos } from '../../dev/sandbox/pos';
import { startSandbox } from '../../dev/sandbox/sandbox';
import { configureIntegration, connectStoreTo } from '../../src/admin/integrations';
import { createConfiguredSecretBox } from '../../src/configured-secrets';
import { attachPos, createPos as registerPos } from '../../src/db/pos-systems';
import type { AppName } from '../../src/delivery-apps/types';
import { generateSecret } from '../../src/signing';
import {
  startTestApi,
  type TestAnswer,
  type TestApi,
  type TestApiOptions,
  type TestCaller,
} from '../support/api';
import {
  createLinkedStore,
  createSystem,
  ITEMS_EVENT,
  linkStore,
  manageWebhook,
  RECEIVER_URL,
  STOCK_EVENT,
} from '../support/inventory';
import { versionedMenu } from '../support/versioned-menu';
import { ENDPOINTS } from './cells';
import { recordAnswer } from './record-answer';

/** A request that is right in every way. */
export interface ValidRequest {
  /** As the table names it. */
  readonly endpoint: string;
  readonly method: string;
  /** From the origin on. */
  readonly path: string;
  /** Undefined where none is read. */
  readonly body?: Readonly<Record<string, unknown>>;
}

/** A service with somebody in it who has one of everything. No worker runs: what is queued stays queued. */
export interface World {
  readonly api: TestApi;
  readonly owner: TestCaller;
  readonly storeId: number;
  readonly systemId: string;
  /** App B, connected to the store. */
  readonly integrationId: number;
  readonly menu: Readonly<Record<string, unknown>>;
  /** What the owner has one of. */
  readonly ids: WorldIds;
  /** One for each endpoint under /api/v1; those that make something make another each time. */
  requests(): ValidRequest[];
  request(endpoint: string): ValidRequest;
  /** Ids of a store and a system of the owner that are linked, and that nobody misses when they are deleted. */
  spare(): Promise<WorldIds>;
  /** An integration of the app that nobody is connected to. */
  addIntegration(app: AppName, options?: { active?: boolean; baseUrl?: null }): Promise<number>;
  /** The path of a POS's URL is all that it needs. */
  addPos(storeId: number, baseUrl: string): Promise<number>;
  stop(): Promise<void>;
}

export async function startWorld(
  env: Record<string, string> = {},
  options: TestApiOptions = {},
): Promise<World> {
  const api = await startTestApi({ ACK_WAIT: '50ms', UPLOAD_WAIT: '50ms', ...env }, options);
  const deps = { sql: api.sql, secrets: createConfiguredSecretBox(api.config) };
  const secret = generateSecret();
  const sandbox = await startSandbox({ port: 0, parts: [createPos({ secret })] });
  const { owner, storeId, systemId } = await createLinkedStore(api, `System ${randomUUID()}`);
  const addIntegration: World['addIntegration'] = async (app, { active = true, baseUrl } = {}) => {
    const made = await configureIntegration(deps, {
      integrationId: null,
      app,
      name: null,
      baseUrl: baseUrl === null ? null : 'http://127.0.0.1:9',
      clientId: 'client',
      clientSecret: 'secret',
      active,
    });
    return Number(made.integration_id);
  };
  const addPos: World['addPos'] = async (store, baseUrl) => {
    const pos = await registerPos(api.sql, deps.secrets, { name: 'POS', baseUrl, secret });
    await attachPos(api.sql, store, pos);
    return pos;
  };
  const integrationId = await addIntegration('app-b');
  await connectStoreTo(deps, { storeId, integrationId, deliveryId: 'b', credential: '{}' });
  const posId = await addPos(storeId, `${sandbox.url}/pos`);
  const menu = { store_id: storeId, integration_id: integrationId, ...versionedMenu(1) };
  const upload = await owner.post('/menus/upload', menu, { prefer: 'respond-async' });
  const event = await owner.post(`/pos/store/${storeId}/inventory/items`, ITEMS_EVENT);
  const ids = {
    storeId,
    systemId,
    integrationId,
    posId,
    uploadId: upload.json.data.upload_id,
    deliveryId: event.json.data.deliveries[0].delivery_id,
  };
  const requests = () => validRequests(menu, ids);
  return {
    api,
    owner,
    storeId,
    systemId,
    integrationId,
    menu,
    ids,
    requests,
    request(endpoint) {
      const found = requests().find((each) => each.endpoint === endpoint);
      if (!found) throw new Error(`${endpoint} is not in the table`);
      return found;
    },
    async spare() {
      const name = `Spare ${randomUUID()}`;
      const made = await owner.post('/store', { name, country_code: 'MX' });
      const spareStore = made.json.data.id;
      const spareSystem = await createSystem(owner, name);
      await manageWebhook(owner, spareSystem, 2);
      await linkStore(owner, spareSystem, spareStore);
      return { ...ids, storeId: spareStore, systemId: spareSystem };
    },
    addIntegration,
    addPos,
    async stop() {
      await api.stop();
      await sandbox.close();
    },
  };
}

export interface WorldIds {
  readonly storeId: number;
  readonly systemId: string;
  readonly integrationId: number;
  readonly posId: number;
  readonly uploadId: string;
  readonly deliveryId: string;
}

function validRequests(menu: ValidRequest['body'] & object, ids: WorldIds): ValidRequest[] {
  return ENDPOINTS.filter(({ endpoint }) => endpoint.includes('/api/v1/')).map(({ endpoint }) => {
    const [method = '', template = ''] = endpoint.split(' ');
    const path = template
      .replace('{store_id}', String(ids.storeId))
      .replace('{inventory_system_id}', ids.systemId)
      .replace('{type}', '2')
      .replace('{upload_id}', ids.uploadId)
      .replace('{delivery_id}', ids.deliveryId);
    const readsBody = method === 'POST' || method === 'PATCH';
    const body = readsBody ? validBody(template.replace('/api/v1', ''), menu, ids) : undefined;
    return { endpoint, method, path, ...(body && { body }) };
  });
}

function validBody(path: string, menu: ValidRequest['body'], ids: WorldIds): ValidRequest['body'] {
  const select = { type: 2, inventory_system_id: ids.systemId };
  switch (path) {
    case '/menus/upload':
      return menu;
    case '/store':
      return {
        name: `Store ${randomUUID()}`,
        country_code: 'MX',
        latitude: '19.4342',
        longitude: '-99.1413',
      };
    case '/store/{store_id}':
      return {
        direction: 'Av. Juárez 1',
        latitude: '19.4342',
        longitude: '-99.1413',
        availability_from_stock: 'off',
      };
    case '/inventory/system/{inventory_system_id}':
    case '/inventory/system/create':
      return { name: `System ${randomUUID()}` };
    case '/inventory/system/store/link':
      return {
        inventory_system_id: ids.systemId,
        store_id: ids.storeId,
        external_store_id: 'ext-1',
      };
    case '/inventory/system/webhook/manage':
      return { ...select, url: RECEIVER_URL };
    case '/inventory/system/webhook/secret/rotate':
    case '/inventory/system/webhook/enable':
    case '/inventory/system/webhook/disable':
    case '/inventory/system/webhook/test':
      return select;
    case '/inventory/system/store/{store_id}/pos/stock/update':
      return { inventory_system_id: ids.systemId, pos_id: ids.posId, ...STOCK_EVENT };
    case '/pos/store/{store_id}/inventory/items':
      return ITEMS_EVENT;
    case '/pos/store/{store_id}/inventory/stock':
      return STOCK_EVENT;
    case '/webhooks/deliveries/resend':
      return { type: 1 };
    default:
      return undefined;
  }
}

export interface RawRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** A request as it is, headers and all; what it is answered counts like any other. */
export async function send(api: TestApi, request: RawRequest): Promise<TestAnswer> {
  const { method, path, headers = {}, body } = request;
  const response = await fetch(`${api.url}${path}`, {
    method,
    headers: { ...headers },
    redirect: 'manual',
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  const { status, headers: received } = response;
  recordAnswer({ method, url: response.url, status, headers: received, text });
  const isJson = received.get('content-type')?.includes('json') ?? false;
  return { status, headers: received, text, json: isJson && text ? JSON.parse(text) : undefined };
}

/** The same, as somebody with a token and with a JSON body. */
export function sendAs(
  api: TestApi,
  caller: TestCaller,
  { method, path, body }: ValidRequest,
  headers: Readonly<Record<string, string>> = {},
): Promise<TestAnswer> {
  return send(api, {
    method,
    path,
    headers: {
      authorization: `Bearer ${caller.token}`,
      ...(body && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  });
}
