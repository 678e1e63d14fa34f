import { randomUUID } from 'node:crypto';
import { createPos } from '../../dev/sandbox/pos';
import { startSandbox } from '../../dev/sandbox/sandbox';
import { configureIntegration, connectStoreTo } from '../../src/admin/integrations';
import { createConfiguredSecretBox } from '../../src/run/configured-secrets';
import { attachPos, createPos as registerPos } from '../../src/inventory/sql/pos-systems';
import type { AppName } from '../../src/delivery-apps/types';
import { generateSecret } from '../../src/platform/crypto/signing';
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
  endDelivery,
  ITEMS_EVENT,
  linkStore,
  manageWebhook,
} from '../support/inventory';
import { versionedMenu } from '../support/versioned-menu';
import { wantEvents } from '../support/events';
import { ENDPOINTS } from './cells';
import { recordAnswer } from './record-answer';
import { validBody } from './valid-body';
import { endedRollouts, givePayload, queueUploads, rolloutOf, showMenu } from './world-uploads';

/** A request that is right in every way. */
export interface ValidRequest {
  /** As the table names it. */
  readonly endpoint: string;
  readonly method: string;
  /** From the origin on. */
  readonly path: string;
  /** Undefined if none is read. */
  readonly body?: Readonly<Record<string, unknown>>;
}

/** A service with an owner who has one of everything. No worker runs: what is queued stays queued. */
export interface World {
  readonly api: TestApi;
  readonly owner: TestCaller;
  readonly storeId: number;
  readonly systemId: string;
  /** App B, connected to the store. */
  readonly integrationId: number;
  readonly menu: Readonly<Record<string, unknown>>;
  /** The owner's single things. */
  readonly ids: WorldIds;
  /** One for each endpoint under /api/v1; those that make something make another each time. */
  requests(): ValidRequest[];
  request(endpoint: string): ValidRequest;
  /**
   * Ids of the owner's linked store and system, of a waiting upload and of an ended rollout, which tests may use up.
   */
  spare(): Promise<WorldIds>;
  /** The same, and the store is connected to App B. */
  spareConnected(): Promise<WorldIds>;
  /** An integration of the app to which no store is connected. */
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
  const time_zone = 'America/Mexico_City';
  await owner.patch(`/store/${storeId}`, { time_zone });
  await wantEvents(owner);
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
  await connectStoreTo(deps, { storeId, integrationId, appStoreId: 'b', credential: '{}' });
  const posId = await addPos(storeId, `${sandbox.url}/pos`);
  const menu = { store_id: storeId, integration_id: integrationId, ...versionedMenu(1) };
  const upload = await owner.post('/menus/upload', menu, { prefer: 'respond-async' });
  const event = await owner.post(`/pos/store/${storeId}/inventory/items`, ITEMS_EVENT);
  const deliveryId: string = event.json.data.deliveries[0].delivery_id;
  // So that it has a payload to show.
  await endDelivery(api.sql, deliveryId, { state: 'pending', status: 503 });
  const [readableStore, readableId] = [await api.store(owner), await addIntegration('app-a')];
  const readable = { storeId: readableStore, integrationId: readableId };
  await connectStoreTo(deps, { ...readable, appStoreId: 'a', credential: '{}' });
  await showMenu(api.sql, readable);
  const rollout = await owner.post('/menus/rollouts', rolloutOf(storeId, integrationId));
  const async = { prefer: 'respond-async' };
  const pause = await owner.post(`/store/${storeId}/pause`, {}, async);
  const ids = {
    storeId,
    systemId,
    integrationId,
    posId,
    uploadId: upload.json.data.upload_id,
    rolloutId: rollout.json.data.rollout_id,
    readable,
    deliveryId,
    changeId: pause.json.data.changes[0].change_id,
  };
  await givePayload(api.sql, ids.uploadId);
  const cancelable = await queueUploads(api.sql, ids.uploadId);
  const nextCancelable = (): string => cancelable.pop() ?? ids.uploadId;
  const ended = await endedRollouts(api.sql, ids.rolloutId);
  const nextEnded = (): string => ended.pop() ?? ids.rolloutId;
  const requestsFor = (endpoints: readonly string[]) => validRequests(menu, ids, endpoints);
  const requests = () => requestsFor(UNDER_API);
  async function spare(): Promise<WorldIds> {
    const name = `Spare ${randomUUID()}`;
    const made = await owner.post('/store', { name, country_code: 'MX', time_zone });
    const spareStore = made.json.data.id;
    const spareSystem = await createSystem(owner, name);
    await manageWebhook(owner, spareSystem, 2);
    await linkStore(owner, spareSystem, spareStore);
    return {
      ...ids,
      storeId: spareStore,
      systemId: spareSystem,
      uploadId: nextCancelable(),
      rolloutId: nextEnded(),
    };
  }
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
      const [found] = requestsFor(UNDER_API.filter((each) => each === endpoint));
      if (!found) throw new Error(`${endpoint} is not in the table`);
      if (endpoint.endsWith('{upload_id}/cancel')) {
        return { ...found, path: found.path.replace(ids.uploadId, nextCancelable()) };
      }
      if (endpoint.endsWith('{rollout_id}/revert')) {
        return { ...found, path: found.path.replace(ids.rolloutId, nextEnded()) };
      }
      return found;
    },
    spare,
    async spareConnected() {
      const spared = await spare();
      await api.sql`
        insert into store_integration (store_id, integration_id, delivery_id, credential_encrypted)
        select ${spared.storeId}::bigint, integration_id, 'spare-' || ${spared.storeId}::bigint, credential_encrypted
        from store_integration where store_id = ${storeId}::bigint`;
      return spared;
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
  /** Another store of the owner, and App A, which shows a menu of it. */
  readonly readable: { readonly storeId: number; readonly integrationId: number };
  /** It runs. */
  readonly rolloutId: string;
  readonly deliveryId: string;
  readonly changeId: string;
}

const UNDER_API = ENDPOINTS.map(({ endpoint }) => endpoint).filter((endpoint) =>
  endpoint.includes('/api/v1/'),
);

function validRequests(
  menu: ValidRequest['body'] & object,
  ids: WorldIds,
  endpoints: readonly string[],
): ValidRequest[] {
  return endpoints.map((endpoint) => {
    const [method = '', template = ''] = endpoint.split(' ');
    const path = template
      .replace('{store_id}', String(ids.storeId))
      .replace('{inventory_system_id}', ids.systemId)
      .replace('{type}', '2')
      .replace('{upload_id}', ids.uploadId)
      .replace('{change_id}', ids.changeId)
      .replace('{rollout_id}', ids.rolloutId)
      .replace('{delivery_id}', ids.deliveryId)
      .replace(/\/menus\/live$/, `/menus/live?store_id=${ids.storeId}`);
    const readsBody = ['POST', 'PUT', 'PATCH'].includes(method);
    const body = readsBody ? validBody(template.replace('/api/v1', ''), menu, ids) : undefined;
    return { endpoint, method, path, ...(body && { body }) };
  });
}

export interface RawRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** Sends a request unchanged, with its headers; its answer counts like any other. */
export async function send(api: TestApi, request: RawRequest): Promise<TestAnswer> {
  const { method, path, headers = {}, body } = request;
  const response = await fetch(`${api.url}${path}`, {
    method,
    headers: { ...headers },
    redirect: 'manual',
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : new Uint8Array(body) }),
  });
  const text = await response.text();
  const { status, headers: received } = response;
  recordAnswer({ method, url: response.url, status, headers: received, text });
  const isJson = received.get('content-type')?.includes('json') ?? false;
  return { status, headers: received, text, json: isJson && text ? JSON.parse(text) : undefined };
}

/** The same with a user's token and a JSON body. */
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
