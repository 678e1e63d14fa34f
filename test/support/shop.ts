import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAppA } from '../../dev/sandbox/app-a/app-a';
import { createAppB } from '../../dev/sandbox/app-b/app-b';
import { createAppC } from '../../dev/sandbox/app-c/app-c';
import { createAppD, rappiIdOf } from '../../dev/sandbox/app-d/app-d';
import type { AppSimulatorFactory, SimulatedAppOptions } from '../../dev/sandbox/app-simulator';
import { type Sandbox, startSandbox } from '../../dev/sandbox/sandbox';
import { simulateApp } from '../../dev/sandbox/simulated-app';
import { configureIntegration, connectStoreTo } from '../../src/admin/integrations';
import { createStore } from '../../src/admin/stores';
import type { ShippedAppName } from '../../src/delivery-apps/types';
import type { Sql } from '../../src/platform/db/client';
import type { UploadState } from '../../src/uploads/upload';
import type { SecretBox } from '../../src/platform/crypto/secrets';
import type { FaultRoute } from '../../dev/sandbox/fault';
import type { ShownDay } from '../../dev/sandbox/special-days';
import { recordAnswer } from '../api-contract/record-answer';
import { LONGEST_WAIT_MS } from './until';
import { versionedMenu, versionIn, withoutItem } from './versioned-menu';

export type SimulatedAppName = ShippedAppName;

/** An app that a test has added. */
export interface AddedApp {
  readonly name: string;
  readonly simulate: (options: SimulatedAppOptions) => AppSimulatorFactory;
}

export interface ShopDeps {
  readonly sql: Sql;
  readonly secrets: SecretBox;
  readonly userId: string;
  readonly token: string;
  /** Where uploads go unless they say otherwise; asked for each, as APIs come and go. */
  readonly apiUrl: () => string;
}

export interface UploadOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Such as `?skip_unchanged=true`. */
  readonly query?: string;
  readonly apiUrl?: string;
  /** An item that the menu does not have. */
  readonly without?: 'I1' | 'I2';
  /** Of I1, in place of the menu's own. */
  readonly price?: string;
}

export interface UploadAnswer {
  readonly status: number;
  readonly body: { readonly message: string | readonly string[]; readonly data: unknown };
  readonly headers: Headers;
  /** From `X-Upload-Id`; empty if there is none. */
  readonly uploadId: string;
  readonly ms: number;
}

export interface UploadStatus {
  readonly state: UploadState;
  readonly messages: readonly string[];
  readonly losses: readonly { readonly code: string }[];
  readonly steps: readonly {
    readonly name: string;
    readonly state: string;
    readonly attempts: number;
  }[];
}

/** One request as the app saw it; `status` null = cut off, or still in progress if `finished_at` is null too. */
export interface AppRequest {
  readonly route: string;
  readonly status: number | null;
  readonly started_at: string;
  readonly finished_at: string | null;
  readonly body?: string;
}

export interface ShownShop {
  readonly off: readonly { readonly id: string; readonly until: string | null }[];
  readonly paused: boolean;
  readonly paused_until: string | null;
  readonly reason: string | null;
  readonly special_days: readonly ShownDay[];
}

export interface TimelineEntry {
  readonly at: string;
  readonly cause: string;
  readonly off: readonly string[];
  readonly paused: boolean;
}

/** A store connected to one delivery app, simulated on its own port, so that its faults affect no other test. */
export interface Shop {
  readonly storeId: number;
  readonly integrationId: number;
  readonly appStoreId: string;
  upload(version: number | string, options?: UploadOptions): Promise<UploadAnswer>;
  status(uploadId: string): Promise<UploadStatus>;
  /** The status once the upload has ended; rejects when it has not in `LONGEST_WAIT_MS`. */
  ended(uploadId: string): Promise<UploadStatus>;
  /** The version that the app shows. */
  shown(): Promise<string | undefined>;
  /** The version that the app shows of each store, by its own id of the store. */
  shownByStore(): Promise<ReadonlyMap<string, string | undefined>>;
  /** Replaces the menu that the app shows, as if it was changed in the app’s own tool. */
  showInstead(payload: unknown): Promise<void>;
  /** The menu that the app last accepted, in its own form. */
  payload(): Promise<unknown>;
  /** The versions that the app made its own, oldest first; pushes of the same bytes repeat. */
  accepted(): Promise<(string | undefined)[]>;
  requests(route: FaultRoute): Promise<AppRequest[]>;
  /** What guests see: items off sale, and whether the store is paused. */
  store(): Promise<ShownShop>;
  timeline(): Promise<readonly TimelineEntry[]>;
  /** Queues a fault of the app. */
  fault(fault: Readonly<Record<string, unknown>>): Promise<void>;
  close(): Promise<void>;
}

export interface ShopOptions {
  readonly callbacks?: boolean;
  /** In one without decimals, such as CL, every app refuses a price with some. */
  readonly country?: string;
}

/** Opens a shop: its simulated app, its own integration with that app, and a connected store. */
export async function openShop(
  deps: ShopDeps,
  simulated: SimulatedAppName | AddedApp,
  { callbacks = false, country = 'MX' }: ShopOptions = {},
): Promise<Shop> {
  const { sql, secrets } = deps;
  const app = typeof simulated === 'string' ? simulated : simulated.name;
  const client = { clientId: `client-${randomUUID()}`, clientSecret: randomUUID() };
  const callbackUrl = () =>
    callbacks ? `${deps.apiUrl()}/callbacks/${app}/${integrationId}` : undefined;
  const sandbox = await startSandbox({
    port: 0,
    parts: [simulateApp(simulatorOf(simulated, client, callbackUrl))],
  });
  const appStoreId = randomUUID();
  const { integration_id } = await configureIntegration(
    { sql, secrets },
    {
      integrationId: null,
      app,
      name: null,
      baseUrl: `${sandbox.url}/${app}`,
      ...client,
      webhookSecret: app === 'app-d' ? client.clientSecret : null,
      active: true,
    },
  );
  const integrationId = Number(integration_id);
  const { store_id: storeId } = await createStore(
    { sql },
    { name: `Shop ${appStoreId}`, country, userId: deps.userId },
  );
  await connectStoreTo(
    { sql, secrets },
    {
      storeId,
      integrationId,
      appStoreId,
      credential: JSON.stringify({
        app_shop_id: appStoreId,
        rappi_store_id: String(rappiIdOf(appStoreId)),
      }),
    },
  );
  return {
    storeId,
    integrationId,
    appStoreId,
    ...callsToApi(deps, { storeId, integrationId }),
    ...pagesOf(sandbox, app, appStoreId),
    close: () => sandbox.close(),
  };
}

function simulatorOf(
  app: SimulatedAppName | AddedApp,
  client: SimulatedAppOptions,
  callbackUrl: () => string | undefined,
): AppSimulatorFactory {
  if (typeof app !== 'string') return app.simulate(client);
  switch (app) {
    case 'app-a':
      return createAppA(client);
    case 'app-b':
      return createAppB(client);
    case 'app-c':
      return createAppC({ ...client, stepMs: 100, callbackUrl });
    case 'app-d':
      return createAppD({ ...client, stepMs: 100, callbackUrl });
  }
}

function callsToApi(deps: ShopDeps, key: { storeId: number; integrationId: number }) {
  const authorization = `Bearer ${deps.token}`;
  const status = async (uploadId: string): Promise<UploadStatus> => {
    const response = await fetch(`${deps.apiUrl()}/api/v1/menus/uploads/${uploadId}`, {
      headers: { authorization },
    });
    return ((await response.json()) as { data: UploadStatus }).data;
  };
  return {
    status,
    async upload(version: number | string, options: UploadOptions = {}): Promise<UploadAnswer> {
      const startedAt = Date.now();
      const { apiUrl = deps.apiUrl(), query = '', without = '', price } = options;
      const response = await fetch(`${apiUrl}/api/v1/menus/upload${query}`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json', ...options.headers },
        body: JSON.stringify({
          store_id: key.storeId,
          integration_id: String(key.integrationId),
          ...withoutItem(versionedMenu(version, price), without),
        }),
      });
      const { status: code, headers, url } = response;
      const text = await response.text();
      recordAnswer({ method: 'POST', url, status: code, headers, text });
      return {
        status: code,
        body: JSON.parse(text) as UploadAnswer['body'],
        headers,
        uploadId: headers.get('x-upload-id') ?? '',
        ms: Date.now() - startedAt,
      };
    },
    async ended(uploadId: string): Promise<UploadStatus> {
      const giveUpAt = Date.now() + LONGEST_WAIT_MS;
      for (;;) {
        const found = await status(uploadId);
        if (found.state !== 'queued' && found.state !== 'running') return found;
        if (Date.now() > giveUpAt) {
          throw new Error(`still ${JSON.stringify(found)} after ${LONGEST_WAIT_MS} ms`);
        }
        await sleep(100);
      }
    },
  };
}

function pagesOf(sandbox: Sandbox, app: string, appStoreId: string) {
  const page = async (name: string): Promise<unknown> =>
    (await fetch(`${sandbox.url}/${app}/_sandbox/${name}`)).json();
  const menus = async () => (await page('menus')) as { store_id: string; payload: unknown }[];
  const payloads = async () => (await menus()).map(({ payload }) => payload);
  const accepted = async () => (await payloads()).map(versionIn);
  return {
    accepted,
    shownByStore: async () =>
      new Map((await menus()).map((each) => [each.store_id, versionIn(each.payload)])),
    async showInstead(payload: unknown): Promise<void> {
      const [{ store_id: store } = { store_id: '' }] = await menus();
      const url = `${sandbox.url}/${app}/_sandbox/stores/${store}/menu`;
      const answer = await fetch(url, { method: 'PUT', body: JSON.stringify({ payload }) });
      if (answer.status !== 200) throw new Error(await answer.text());
    },
    payload: async () => (await payloads()).at(-1),
    store: async () => (await page(`stores/${appStoreId}`)) as ShownShop,
    timeline: async () => (await page(`timeline?store_id=${appStoreId}`)) as TimelineEntry[],
    shown: async () => (await accepted()).at(-1),
    async requests(route: string): Promise<AppRequest[]> {
      return ((await page('requests')) as AppRequest[]).filter((each) => each.route === route);
    },
    async fault(fault: Readonly<Record<string, unknown>>): Promise<void> {
      const response = await fetch(`${sandbox.url}/${app}/_sandbox/faults`, {
        method: 'POST',
        body: JSON.stringify(fault),
      });
      if (response.status !== 201) throw new Error(await response.text());
    },
  };
}
