import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { DAYS_OF_WEEK } from '../../src/menus/menu';
import type { Demo } from './demo';

/*
 * What restaurants call about, made in a whole service as `npm start` runs it: one store for each call of
 * docs/help-desk.md. Apps and receivers fail by the sandbox's own faults.
 */

const ROOT = join(__dirname, '..', '..');

interface Call {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- whatever the API answers; tests read it.
  readonly json: any;
}

/** What the calls are about, by the number of the call. */
export interface HelpDeskWorld {
  readonly systemId: string;
  readonly rolloutId: string;
  readonly stores: Readonly<Record<string, number>>;
}

/** Two calls are about a refusal. */
const REFUSED = /Could not upload menu|Unknown product code/;

/** Calls the demo's API as its user; a path of the sandbox begins with its part. */
function callers(demo: Demo, token: string) {
  const call = async (
    method: string,
    url: string,
    body?: unknown,
    more: Record<string, string> = {},
  ): Promise<Call> => {
    const answer = await fetch(url, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...more },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (answer.status >= 400 && !REFUSED.test(text)) {
      throw new Error(`${method} ${url}: ${answer.status} ${text}`);
    }
    return { status: answer.status, json: text.startsWith('{') ? JSON.parse(text) : text };
  };
  return {
    api: (method: string, path: string, body?: unknown, more?: Record<string, string>) =>
      call(method, `${demo.apiUrl}/api/v1${path}`, body, more),
    sandbox: (method: string, path: string, body?: unknown) =>
      call(method, `${demo.sandboxUrl}${path}`, body),
  };
}

const LATER = { prefer: 'respond-async' };

/** A small menu; `price` is that of its first item. */
function menuOf(price = '12900', more: object = {}) {
  const item = (id: string, name: string, value: string) => ({
    external_id: id,
    name,
    price: { value },
    data_modifier_groups: [],
    ...(id === 'burger' ? more : {}),
  });
  return {
    menus: [
      {
        identifier: 'main',
        name: 'Main menu',
        category_external_ids: ['all'],
        schedules: DAYS_OF_WEEK.map((day) => ({
          day_of_week: day,
          periods: [{ start: '09:00', end: '23:00' }],
        })),
      },
    ],
    categories: [
      {
        external_id: 'all',
        name: 'Everything',
        data_items: ['burger', 'lemonade', 'soup'].map((id) => ({ item_external_id: id })),
      },
    ],
    items: [
      item('burger', 'Burger', price),
      item('lemonade', 'Lemonade', '3500'),
      item('soup', 'Soup of the day', '6900'),
    ],
    modifier_groups: [],
  };
}

/** What a store is called in App B. */
function shopOf(name: string): string {
  return `shop-of-${name.toLowerCase().replaceAll(' ', '-')}`;
}

/** Makes everything; takes about half a minute, as failures take their time. */
export async function makeHelpDeskWorld(demo: Demo, token: string): Promise<HelpDeskWorld> {
  const { api, sandbox } = callers(demo, token);
  const admin = async (...args: string[]) => {
    const run = promisify(execFile);
    const script = join(ROOT, 'dev', 'start', 'admin.ts');
    const { stdout } = await run(process.execPath, ['--import', 'tsx', script, ...args], {
      cwd: ROOT,
      env: { ...process.env, ...demo.env },
    });
    return JSON.parse(stdout);
  };
  const stores: Record<string, number> = {};
  /** A store in App B, where it is called `shop-of-NAME`. */
  const store = async (name: string, integration = '2', shop = shopOf(name)) => {
    await api('POST', '/store', {
      name,
      country_code: 'MX',
      time_zone: 'America/Mexico_City',
    });
    const { json } = await api('GET', '/store?limit=1');
    const id: number = json.data[0].id;
    stores[name] = id;
    const credential = JSON.stringify({ app_shop_id: shop });
    const to = ['--store', String(id), '--integration', integration];
    await admin('store', 'connect', ...to, '--credential', credential, '--delivery-id', shop);
    return id;
  };
  const upload = (
    storeId: number,
    menu: object,
    more: Record<string, string> = {},
    integrationId = '2',
  ) =>
    api(
      'POST',
      '/menus/upload',
      { store_id: storeId, integration_id: integrationId, ...menu },
      more,
    );
  const fault = (name: string, one: object) =>
    sandbox('POST', '/app-b/_sandbox/faults', { store_id: shopOf(name), ...one });

  const { data: system } = (await api('POST', '/inventory/system/create', { name: 'Bodega Sur' }))
    .json;
  const systemId: string = system.inventory_system_id;
  const webhook = (type: number, path: string) =>
    api('POST', '/inventory/system/webhook/manage', {
      inventory_system_id: systemId,
      type,
      url: `${demo.sandboxUrl}/receiver${path}`,
    });
  await webhook(2, '/stock');
  await webhook(1, '/items');
  const link = (storeId: number) =>
    api('POST', '/inventory/system/store/link', {
      inventory_system_id: systemId,
      store_id: storeId,
      external_store_id: `ext-${storeId}`,
    });
  const movement = (storeId: number, id: string, stock = '7') =>
    api('POST', `/pos/store/${storeId}/inventory/stock`, {
      external_id: id,
      current_stock: stock,
      quantity: '1',
      date: '2026-11-28T20:15:00Z',
      movement_type: 2,
    });
  const answers = (one: object) => sandbox('POST', '/receiver/_sandbox/answers', one);

  // 1: the app is away. 2: it refuses.
  const away = await store('La Esquina');
  await fault('La Esquina', { kind: 'status', status: 503, times: 1_000 });
  await upload(away, menuOf(), LATER);
  const refused = await store('Pizzeria Roma');
  await upload(refused, menuOf());
  await fault('Pizzeria Roma', { kind: 'status', status: 400, times: 1 });
  await upload(refused, menuOf('13900'));
  // 3: a dish is off sale, and another shows less than was sent. 4: somebody changed the price.
  const missing = await store('Sushi Norte');
  await upload(missing, menuOf('12900', { price: { value: '12900', promotion_value: '9900' } }));
  await api('POST', '/menus/availability', {
    store_id: missing,
    items: [{ external_id: 'lemonade', available: false }],
  });
  const priced = await store('Cafe Sol');
  await upload(priced, menuOf('12900'));
  await upload(priced, menuOf('19900'));
  // 5: a movement that arrived, and, 12, one that was refused.
  const stocked = await store('Taqueria Uno');
  await upload(stocked, menuOf());
  await link(stocked);
  await movement(stocked, 'taco-al-pastor');
  await answers({
    status: 422,
    body: { message: 'Unknown product code.' },
    path: '/receiver/stock',
  });
  await movement(stocked, 'quesadilla');
  // 7: closed for guests. 8: sold out by stock.
  const closed = await store('El Faro');
  await upload(closed, menuOf());
  await api('POST', `/store/${closed}/pause`, { reason: 'No gas in the kitchen' });
  const soldOut = await store('Mercado Dos');
  await upload(soldOut, menuOf());
  await api('PATCH', `/store/${soldOut}`, { availability_from_stock: 'on' });
  await link(soldOut);
  await movement(soldOut, 'soup', '0');
  // 9: changed in the app itself, which must be one that can be read back.
  const shop = randomUUID();
  const drifted = await store('Casa Lola', '1', shop);
  await upload(drifted, menuOf(), {}, '1');
  const { json: shown } = await sandbox('GET', `/app-a/_sandbox/stores/${shop}`);
  await sandbox('PUT', `/app-a/_sandbox/stores/${shop}/menu`, {
    payload: JSON.parse(
      JSON.stringify(shown.payload).replaceAll('Soup of the day', 'Soup of yesterday'),
    ),
  });
  await api('POST', '/menus/live/check', { store_id: drifted, integration_id: '1' });
  // 10: all that the caller has is the id of the request.
  const gateway = await store('Gran Via');
  await upload(gateway, menuOf(), { 'x-request-id': 'gw-20261128-000771' });
  // 11: a rollout that one store did not get.
  await fault('El Faro', { kind: 'status', status: 400, times: 1 });
  const rollout = await api('POST', '/menus/rollouts', {
    targets: [closed, gateway].map((id) => ({ store_id: id, integration_id: '2' })),
    ...menuOf('14900'),
  });
  // 6: a receiver that fails for long enough to be paused.
  const silent = await store('Bar Luna');
  await link(silent);
  await answers({ status: 500, times: 1_000, path: '/receiver/items' });
  for (let n = 0; n < 12; n += 1) {
    await api('POST', `/pos/store/${silent}/inventory/items`, {
      units: [],
      items: [{ external_id: `beer-${n}`, name: 'Beer' }],
      suppliers: [],
    });
  }
  await sleep(15_000);
  return { systemId, rolloutId: rollout.json.data.rollout_id, stores };
}
