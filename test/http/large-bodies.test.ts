import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createConfiguredSecretBox } from '../../src/run/configured-secrets';
import { startTestApi, type TestAnswer, type TestApi } from '../support/api';
import {
  createLinkedStore,
  ITEMS_EVENT,
  type LinkedStore,
  payloadsFor,
} from '../support/inventory';
import { openShop, type Shop } from '../support/shop';
import { sizedMenu } from '../support/sized-menu';
import { versionedMenu } from '../support/versioned-menu';

let api: TestApi;
let linked: LinkedStore;
let shop: Shop;

beforeAll(async () => {
  api = await startTestApi({ UPLOAD_WAIT: '0s' });
  linked = await createLinkedStore(api, 'System');
  const { userId, token } = linked.owner;
  const secrets = createConfiguredSecretBox(api.config);
  shop = await openShop({ sql: api.sql, secrets, userId, token, apiUrl: () => api.url }, 'app-b');
});
afterAll(async () => {
  await shop.close();
  await api.stop();
});

/** Blanks that make any body one that is read in a thread. */
const PADDING = ' '.repeat(300_000);

const UPLOAD = '/menus/upload';
const itemsPath = () => `/pos/store/${linked.storeId}/inventory/items`;
const upload = (menu: object): string =>
  JSON.stringify({ store_id: shop.storeId, integration_id: String(shop.integrationId), ...menu });

const shownOf = ({ status, text }: TestAnswer) => [status, text];

test.each([
  ['nothing', () => ''],
  ['no JSON', () => '{'],
  ['no object', () => '[]'],
  ['what is too deep', () => `{"a":${'['.repeat(64)}${']'.repeat(64)}}`],
  ['what cannot be kept', () => String.raw`{"a":"\u0000"}`],
  ['a wrong shape', () => '{"store_id":[],"menus":{}}'],
  [
    'a store that is not there',
    () => upload(versionedMenu(1)).replace(/"store_id":\d+/, '"store_id":9'),
  ],
  ['menus that break rules', () => upload({ ...versionedMenu(1), items: [{}, 1, { name: 2 }] })],
])('%s is answered the same, however large the body', async (_name, body) => {
  for (const accept of ['application/json', 'application/problem+json']) {
    const small = await linked.owner.postRaw(UPLOAD, body(), { accept });
    const large = await linked.owner.postRaw(UPLOAD, PADDING + body(), { accept });
    expect(small.status).toBeGreaterThanOrEqual(400);
    expect(shownOf(large)).toEqual(shownOf(small));
  }
});

test('a menu is stored as the same text, however large the body', async () => {
  for (const padding of ['', PADDING]) {
    const answer = await linked.owner.postRaw(UPLOAD, padding + upload(versionedMenu(7)));
    expect(answer.status).toBe(202);
  }
  const documents = await api.sql`
    select distinct document_sha256 from menu_upload where store_id = ${shop.storeId}::bigint`;
  expect(documents).toHaveLength(1);
});

test('an idempotency key compares bodies read in a thread by their bytes', async () => {
  const key = { 'idempotency-key': 'large' };
  const body = PADDING + upload(versionedMenu(8));
  const first = await linked.owner.postRaw(UPLOAD, body, key);
  const again = await linked.owner.postRaw(UPLOAD, body, key);
  expect([again.text, again.headers.get('idempotency-replayed')]).toEqual([first.text, 'true']);
  expect((await linked.owner.postRaw(UPLOAD, `${body} `, key)).status).toBe(409);
});

test('item data of any size reaches the system digit for digit', async () => {
  const items = `[{"id":"1","price":1.0,"big":123456789012345678901234567890}]`;
  const { items: _, ...others } = ITEMS_EVENT;
  const body = `{"items":${items},${JSON.stringify(others).slice(1)}`;
  for (const padding of ['', PADDING]) {
    expect((await linked.owner.postRaw(itemsPath(), padding + body)).status).toBe(202);
  }
  const payloads = await payloadsFor(api.sql, linked);
  expect(payloads).toHaveLength(2);
  for (const payload of payloads) expect(payload).toContain(`"items":${items}`);
});

const repeated = (text: string, bytes: number): string =>
  text.repeat(Math.floor(bytes / text.length));
const MOST_BYTES = 256 * 1024 - 100;

test.each([
  [
    'with as many members as there may be',
    UPLOAD,
    () =>
      `{${Array.from({ length: 499_000 }, (_, n) => `"${`${n}`.padStart(13, 'k')}":0`).join()}}`,
  ],
  ['of wrong targets', '/menus/rollouts', () => `{"targets":[${'{},'.repeat(499_000)}0]}`],
  ['of wrong ids', '/menus/preview', () => `{"integration_ids":[${'[],'.repeat(499_000)}0]}`],
  [
    'of wrong items',
    '/menus/availability',
    () => `{"store_id":1,"items":[${repeated('{},', MOST_BYTES)}0]}`,
  ],
  [
    'of ids that are none',
    '/menus/availability',
    () => `{"store_id":1,"integration_ids":[${repeated('"",', MOST_BYTES)}0],"items":[]}`,
  ],
])('the worst possible body %s does not block the event loop', async (_name, path, make) => {
  const body = make();
  const post = () => linked.owner.postRaw(path, body);
  // The thread is started by the first one.
  expect((await post()).status).toBe(422);
  const held: number[] = [];
  for (let n = 0; n < 4; n += 1) {
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    expect((await post()).status).toBe(422);
    delay.disable();
    held.push(delay.max / 1e6);
  }
  // Parsing the first alone took 300 ms and more, the others 600. On a busy machine not every try counts.
  expect(Math.min(...held)).toBeLessThan(200);
});

test('a menu of megabytes is taken', async () => {
  const menu = sizedMenu(9_000, 1);
  const items = menu.items.map((item) => ({ ...item, description: 'd'.repeat(700) }));
  const body = upload({ ...menu, items });
  expect(body.length).toBeGreaterThan(7_000_000);
  expect((await linked.owner.postRaw(UPLOAD, body)).status).toBe(202);
});
