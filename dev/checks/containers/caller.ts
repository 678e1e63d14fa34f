import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Deployment } from './deployment';
import { CREDENTIAL, type Neighbours } from './neighbours';

const ENDED_WITHIN_MS = 120_000;

/** What an answer was, with its body read as JSON. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly data: Record<string, unknown> & { readonly state?: string };
}

export interface Caller {
  readonly url: string;
  readonly token: string;
  ask(
    method: string,
    path: string,
    body?: object,
    headers?: Record<string, string>,
  ): Promise<Answer>;
  /** Sends a menu that differs from all before; its upload's id. */
  send(storeId: number): Promise<string>;
  /** The state of an upload, once it is one of these. */
  endOf(uploadId: string, wanted: readonly string[], withinMs?: number): Promise<string>;
  /** Sends a menu and waits until the app has it; goes on through what is away meanwhile. */
  upload(): Promise<void>;
  /** Reports a sale in a store; the status of the answer. */
  sell(storeId: number, externalId: string): Promise<number>;
  /** The data of the answer; rejects unless it has this status. */
  expecting(method: string, path: string, body: object, status: number): Promise<Answer['data']>;
  /** Signs in to the console; the cookie of the session. */
  signIn(): Promise<string>;
  isSignedIn(cookie: string): Promise<boolean>;
  /** An inventory system of a store, with a webhook at that path of the receiver; its id. */
  register(storeId: number, path: string): Promise<string>;
}

/** An operator with a token, three stores at one app; all by the admin command, as docs/deployment.md says. */
export async function makeCaller(deployment: Deployment, neighbours: Neighbours): Promise<Caller> {
  const admin = async (...words: readonly string[]) => {
    const program = ['node', 'dist/src/bin/admin.js', ...words];
    return JSON.parse(await deployment.compose('exec', '-T', 'api', ...program)) as Record<
      string,
      string
    >;
  };
  const { user_id: user = '' } = await admin(
    'user',
    'create',
    '--name',
    'On duty',
    '--permission',
    'operator',
  );
  const { token = '' } = await admin('token', 'create', '--user', user);
  const app = ['--app', 'app-b', '--name', 'B', '--base-url', `${neighbours.url}/app-b`];
  const client = ['--client-id', CREDENTIAL.clientId, '--client-secret', CREDENTIAL.clientSecret];
  const { integration_id: integration = '' } = await admin(
    'integration',
    'configure',
    ...app,
    ...client,
  );
  for (const name of ['One', 'Two', 'Three']) {
    const { store_id: store = '' } = await admin(
      'store',
      'create',
      '--name',
      name,
      '--country',
      'MX',
      '--user',
      user,
    );
    const place = [
      '--store',
      store,
      '--integration',
      integration,
      '--delivery-id',
      `store-${store}`,
    ];
    await admin('store', 'connect', ...place, '--credential', '{}');
  }
  return callerOf(`http://127.0.0.1:${deployment.ports.API_PORT}`, token, integration, neighbours);
}

async function callerOf(
  url: string,
  token: string,
  integrationId: string,
  neighbours: Neighbours,
): Promise<Caller> {
  const menu = JSON.parse(
    await readFile(join(__dirname, '..', '..', 'demo', 'menu.json'), 'utf8'),
  ) as { menus: { name: string }[] };
  let count = 0;

  const ask: Caller['ask'] = async (method, path, body, headers = {}) => {
    const answer = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const read = (answer.headers.get('content-type') ?? '').includes('json')
      ? (JSON.parse(text) as { data?: Answer['data'] })
      : {};
    return { status: answer.status, headers: answer.headers, data: read.data ?? {} };
  };
  const expecting: Caller['expecting'] = async (method, path, body, status) => {
    const answer = await ask(method, path, body);
    if (answer.status !== status)
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.data)}`);
    return answer.data;
  };
  const caller: Caller = {
    url,
    token,
    ask,
    expecting,
    async signIn() {
      const form = new URLSearchParams({ token });
      const answer = await fetch(`${url}/console/sign-in`, {
        method: 'POST',
        body: form,
        redirect: 'manual',
      });
      if (answer.status !== 303) throw new Error(`signing in was answered ${answer.status}`);
      return answer.headers.get('set-cookie')?.split(';')[0] ?? '';
    },
    async isSignedIn(cookie) {
      const answer = await fetch(`${url}/console`, { headers: { cookie }, redirect: 'manual' });
      return answer.status === 200;
    },
    async send(storeId) {
      count += 1;
      const menus = menu.menus.map((each) => ({ ...each, name: `${each.name} ${count}` }));
      const body = { ...menu, menus, store_id: storeId, integration_id: integrationId };
      const key = { 'idempotency-key': `menu-${count}`, prefer: 'respond-async' };
      const giveUpAt = performance.now() + ENDED_WITHIN_MS;
      for (;;) {
        const answer = await ask('POST', '/menus/upload', body, key).catch(() => undefined);
        const id = answer?.headers.get('x-upload-id');
        if (id) return id;
        if (performance.now() > giveUpAt)
          throw new Error(`no upload: ${answer?.status ?? 'no answer'}`);
        await sleep(300);
      }
    },
    async endOf(uploadId, wanted, withinMs = ENDED_WITHIN_MS) {
      const giveUpAt = performance.now() + withinMs;
      for (;;) {
        const answer = await ask('GET', `/menus/uploads/${uploadId}`).catch(() => undefined);
        const state = answer?.data.state ?? '';
        if (wanted.includes(state)) return state;
        if (performance.now() > giveUpAt) {
          throw new Error(
            `the upload is ${state || (answer?.status ?? 'out of reach')}, not ${wanted.join(' or ')}`,
          );
        }
        await sleep(200);
      }
    },
    async upload() {
      await caller.endOf(await caller.send(1), ['uploaded', 'partly_uploaded']);
    },
    async sell(storeId, externalId) {
      const sale = {
        external_id: externalId,
        current_stock: '17',
        quantity: '1',
        movement_type: 2,
      };
      const body = { ...sale, date: new Date().toISOString().replace(/\.\d+/, '') };
      return (await ask('POST', `/pos/store/${storeId}/inventory/stock`, body)).status;
    },
    async register(storeId, path) {
      const made = await expecting(
        'POST',
        '/inventory/system/create',
        { name: `System ${path}` },
        201,
      );
      const id = String(made['inventory_system_id']);
      const link = { inventory_system_id: id, store_id: storeId, external_store_id: path };
      await expecting('POST', '/inventory/system/store/link', link, 200);
      const hook = { type: 2, inventory_system_id: id, url: `${neighbours.url}/receiver/${path}` };
      await expecting('POST', '/inventory/system/webhook/manage', hook, 200);
      return id;
    },
  };
  return caller;
}
