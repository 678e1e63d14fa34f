import { createToken, createUser } from '../src/admin/users';
import { connect, type Sql } from '../src/platform/db/client';
import { fillHistory } from './rig/ended-rows';
import { fillLately, fillUploads } from './rig/list-rows';
import { quantile } from './rig/quantile';
import { wholeNumber } from './rig/settings';
import { startWebhookRig, type WebhookRig } from './rig/webhook-rig';

/*
 * The time of each list and search of the API with millions of ended deliveries of the last 30 days (100,000 within the
 * last hour), 500,000 uploads and 100,000 stores: for an operator, who sees everything, and for the user who has 200 of
 * the stores. `npx tsx bench/lists.ts` with ROWS (10,000,000: 10 GB of disk), ROUNDS (40), LIST (a part of its path;
 * all). Exits with 1 if a p95 is 50 ms or more.
 */

const ROWS = wholeNumber('ROWS', 10_000_000, 100_000_000);
const ROUNDS = wholeNumber('ROUNDS', 40, 1_000);
/** Not counted: each connection plans a statement once. */
const WARM_UPS = 3;
const OWN_STORES = 200;
const STORES = 100_000;
const UPLOADS = 500_000;
const LATELY = 100_000;
const ITEMS_OFF = 20_000;
const P95_MS = 50;
const DAY_MS = 86_400_000;

async function main(): Promise<void> {
  const rig = await startWebhookRig();
  try {
    const [storeId = 0] = await rig.addStores(OWN_STORES, '/ok');
    const patient = connect(rig.databaseUrl, { max: 1, statementTimeoutMs: 0 });
    const startedAt = performance.now();
    await fillHistory(patient, ROWS);
    await fillLately(patient, LATELY);
    await fillUploads(patient, rig.userId, UPLOADS);
    await fillItemsOff(patient);
    await fillStores(patient);
    const paths = await pathsOf(patient, storeId);
    await patient.end();
    console.log(rig.setting.join('\n'));
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
    console.log(
      `${ROWS} ended deliveries, ${UPLOADS} uploads, ${STORES} stores, put in ${seconds} s; ${ROUNDS} rounds`,
    );
    const { LIST = '' } = process.env;
    await measure(
      rig,
      paths.filter((path) => path.includes(LIST)),
    );
  } finally {
    await rig.stop();
  }
}

/** Lists that are full at once, those of which few or none match, and those of a time long ago. */
async function pathsOf(sql: Sql, storeId: number): Promise<string[]> {
  const [of] = await sql<{ request: string; system: string; delivery: string; upload: string }[]>`
    select d.request_id as request, d.inventory_system_id as system, d.delivery_id as delivery,
      (select upload_id from menu_upload order by upload_id limit 1) as upload
    from ended_delivery d where d.store_id = ${storeId}::bigint order by d.store_id, d.delivery_id limit 1`;
  if (!of) throw new Error('no deliveries');
  const [from, to] = [11, 10].map((days) => new Date(Date.now() - days * DAY_MS).toISOString());
  const time = `since=${from}&until=${to}`;
  const deliveries = [
    '',
    'state=acknowledged',
    'state=exhausted',
    'state=refused',
    'state=pending',
    'type=1',
    `inventory_system_id=${of.system}`,
    `store_id=${storeId}`,
    `store_id=${storeId}&state=exhausted`,
    `store_id=${storeId}&external_id=I1`,
    `store_id=${storeId}&external_id=none`,
    'external_id=none',
    'receiver_status=503',
    `request_id=${of.request}`,
    'request_id=none',
    time,
    `${time}&receiver_status=503`,
    `${time}&store_id=${storeId}&external_id=none`,
    'events=true',
  ].map((query) => `/webhooks/deliveries?${query}`);
  const uploads = [
    '',
    'state=failed',
    'state=uploaded',
    'state=canceled',
    'state=running',
    `store_id=${storeId}`,
    `store_id=${storeId}&state=failed`,
    'integration_id=900',
    'integration_id=901',
    'request_id=upload-400000',
    'request_id=none',
    time,
    `${time}&state=canceled`,
  ].map((query) => `/menus/uploads?${query}`);
  const names = ['', 'q=cafe', 'q=cafe 77777', 'q=none', 'q=a', `q=${storeId}`, 'q=zz café'];
  const searched = [of.delivery, of.upload, of.request, of.system, 'I1', 'cafe 77777', 'none'];
  return [
    ...deliveries,
    ...uploads,
    ...names.map((query) => `/store?${query}`),
    ...searched.map((text) => `/search?q=${text}`),
    '/menus/availability?',
    `/menus/availability?store_id=${storeId}`,
    ...['', time].map((query) => `/store/${storeId}/timeline?${query}`),
    '/menus/rollouts?',
    '/inventory/system?',
    `/webhooks/deliveries/${of.delivery}`,
  ];
}

async function measure(rig: WebhookRig, paths: readonly string[]): Promise<void> {
  const operator = await createUser({ sql: rig.sql }, { name: 'op', permissions: ['operator'] });
  const tokens = {
    operator: await tokenOf(rig, operator.user_id),
    owner: await tokenOf(rig, rig.userId),
  };
  const rows = [];
  for (const path of paths) {
    for (const [who, token] of Object.entries(tokens)) {
      const ms: number[] = [];
      let found = 0;
      for (let round = 0; round < WARM_UPS; round += 1) await ask(rig, path, token);
      for (let round = 0; round < ROUNDS; round += 1) {
        const startedAt = performance.now();
        found = await ask(rig, path, token);
        ms.push(performance.now() - startedAt);
      }
      const sorted = ms.toSorted((a, b) => a - b);
      const cell = (p: number) => Number(quantile(sorted, p).toFixed(1));
      if (cell(0.95) >= P95_MS) process.exitCode = 1;
      const list = path.replaceAll(/(upl|dlv)_\w+|[0-9a-f]{8}-[0-9a-f-]{27}|T[\d:.]+Z/g, '…');
      rows.push({ list, who, found, p50: cell(0.5), p95: cell(0.95), max: cell(1) });
    }
  }
  console.table(rows);
}

async function tokenOf({ sql }: WebhookRig, userId: string): Promise<string> {
  return (await createToken({ sql }, { userId, expiresInSeconds: null })).token;
}

/** How many entries a request is answered with. */
async function ask({ api }: WebhookRig, path: string, token: string): Promise<number> {
  const { statusCode, body } = await api.request({
    method: 'GET',
    path: `/api/v1${encodeURI(path)}`,
    headers: { authorization: `Bearer ${token}` },
  });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`${path} answers ${statusCode} ${text.slice(0, 300)}`);
  const { data } = JSON.parse(text) as { data: unknown };
  return Array.isArray(data) ? data.length : 1;
}

/** Stores of nobody, whose names are searched. */
async function fillStores(sql: Sql): Promise<void> {
  await sql.unsafe(`
    insert into store (name, name_key, country_code)
    select name, lower(name), 'MX' from generate_series(1, ${STORES}) as i
      cross join lateral (select (array['Café', 'Taquería', 'Pizzería', 'Sushi'])[1 + i % 4] || ' '
        || (array['del Sol', 'Plaza Mayor', 'Centro', 'La Esquina', 'Norte'])[1 + i % 5] || ' ' || i as name) as made;
    analyze store;`);
}

async function fillItemsOff(sql: Sql): Promise<void> {
  await sql.unsafe(`
    insert into availability_mark (store_id, integration_id, external_id, by_api, by_stock, change_id)
    select store_id, 900, 'I' || i / (select count(*) from store), true, false, 'avc_' || i
    from generate_series(1, ${ITEMS_OFF}) as i
      join (select store_id, row_number() over () - 1 as n from store) s
        on s.n = i % (select count(*) from store)
    on conflict do nothing;
    analyze availability_mark;`);
}

void main();
