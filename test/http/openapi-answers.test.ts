import { startTestApi, type TestApi, type TestCaller } from '../support/api';
import { createSystem, linkStore, manageWebhook } from '../support/inventory';
import {
  document,
  exampleBody,
  operations,
  problemExampleOf,
  undescribed,
} from '../support/openapi-reader';

let api: TestApi;
let caller: TestCaller;

beforeAll(async () => {
  api = await startTestApi({ UPLOAD_WAIT: '1s', ACK_WAIT: '1s' });
  caller = await api.user('inventory:create', 'pos:events');
});
afterAll(() => api.stop());

test('what the API answers is described: stores, good and bad, in both forms of errors', async () => {
  const body = exampleBody('createStore');
  const answers = [
    await caller.post('/store', body),
    await caller.post('/store', body),
    await caller.post('/store', {}),
    await caller.post('/store', {}, { accept: 'application/problem+json' }),
    await caller.postRaw('/store', '{'),
    await caller.postRaw('/store', '{}', { 'content-type': 'text/plain' }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([201, 404, 422, 422, 400, 415]);
  expect(answers.flatMap((answer) => undescribed('createStore', answer))).toEqual([]);
});

test('a real problem is the one that the description shows', async () => {
  const accept = { accept: 'application/problem+json' };
  const body = exampleBody('createStore');
  await caller.post('/store', body);
  const answers = [
    await caller.post('/store', body, accept),
    await caller.post('/store', {}, accept),
    await caller.postRaw('/store', '{', { ...accept, 'content-type': 'application/json' }),
    await caller.postRaw('/store', '{}', { ...accept, 'content-type': 'text/plain' }),
    await (await api.user()).post('/inventory/system/create', { name: 'A system' }, accept),
    await caller.get('/menus/live', accept),
  ];
  const ids = [
    ...Array.from({ length: 4 }, () => 'createStore'),
    'createInventorySystem',
    'listLiveMenus',
  ];
  for (const [at, { status, json }] of answers.entries()) {
    const shown = problemExampleOf(ids[at] ?? '', status);
    expect([ids[at], json]).toEqual([
      ids[at],
      { ...shown, errors: expect.arrayContaining(shown.errors) },
    ]);
  }
});

test('what the API answers is described: a system, its link and its webhook', async () => {
  const system = await caller.post('/inventory/system/create', { name: 'Described' });
  const select = { type: 2, inventory_system_id: system.json.data.inventory_system_id };
  const webhook = (verb: string, body: object = {}) =>
    caller.post(`/inventory/system/webhook/${verb}`, { ...select, ...body });
  const storeId = await api.store(caller);
  const link = { ...select, store_id: storeId, external_store_id: 'S-1' };
  expect([
    ...undescribed('createInventorySystem', system),
    ...undescribed('manageWebhook', await webhook('manage', { url: 'http://127.0.0.1:9/' })),
    ...undescribed('testWebhook', await webhook('test')),
    ...undescribed('disableWebhook', await webhook('disable')),
    ...undescribed('enableWebhook', await webhook('enable')),
    ...undescribed('rotateWebhookSecret', await webhook('secret/rotate')),
    ...undescribed('linkStore', await caller.post('/inventory/system/store/link', link)),
  ]).toEqual([]);
});

test('what the API answers is described: an event and its deliveries', async () => {
  const systemId = await createSystem(caller, 'Events');
  await manageWebhook(caller, systemId, 2);
  const storeId = await api.store(caller);
  await linkStore(caller, systemId, storeId);
  const path = `/pos/store/${storeId}/inventory`;
  const event = await caller.post(`${path}/stock`, exampleBody('sendStockMovement'));
  const one = `/webhooks/deliveries/${event.json.data.deliveries[0].delivery_id}`;
  const items = await caller.post(`${path}/items`, exampleBody('sendItemData'));
  const all = await caller.post('/webhooks/deliveries/resend', { dry_run: true });
  expect(event.status).toBe(202);
  expect([
    ...undescribed('sendStockMovement', event),
    ...undescribed('sendItemData', items),
    ...undescribed('getDelivery', await caller.get(one)),
    ...undescribed('listDeliveries', await caller.get('/webhooks/deliveries')),
    ...undescribed('resendDelivery', await caller.post(`${one}/resend`, {})),
    ...undescribed('resendDeliveries', all),
  ]).toEqual([]);
});

const ALL_PARTS = '?include=shown,payload,changes';

test('what the API answers is described: uploads', async () => {
  const foreign = await caller.post('/menus/upload', exampleBody('uploadMenu'));
  const storeId = await api.store(caller);
  const body = { ...(exampleBody('uploadMenu') as object), store_id: storeId };
  const away = { authorization: '' };
  expect([
    ...undescribed('uploadMenu', foreign),
    ...undescribed('uploadMenu', await caller.post('/menus/upload', body)),
    ...undescribed('previewMenu', await caller.post(`/menus/preview${ALL_PARTS}`, body)),
    ...undescribed('listUploads', await caller.get('/menus/uploads')),
    ...undescribed('listUploads', await caller.get('/menus/uploads?limit=0')),
    ...undescribed('getUpload', await caller.get('/menus/uploads/upl_0')),
    ...undescribed('getUpload', await caller.get('/menus/uploads/upl_0', away)),
  ]).toEqual([]);
});

test.each([
  ['live', '/health/live'],
  ['ready', '/health/ready'],
  ['metrics', '/metrics'],
  ['openapi', '/openapi.json'],
  ['docs', '/docs'],
])('what the API answers is described: %s', async (id, path) => {
  const response = await fetch(`${api.url}${path}`);
  const { status, headers } = response;
  const text = await response.text();
  const isJson = headers.get('content-type')?.includes('json');
  const json: unknown = isJson ? JSON.parse(text) : undefined;
  expect(undescribed(id, { status, headers, text, json })).toEqual([]);
});

test('the document is served as generated', async () => {
  const served = await fetch(`${api.url}/openapi.json`);
  expect(await served.json()).toEqual(JSON.parse(JSON.stringify(document)));
});

test.each([
  ['openapi', '/openapi.json'],
  ['docs', '/docs'],
])('%s is not sent again to clients that have it, and says so', async (id, path) => {
  const first = await fetch(`${api.url}${path}`);
  const again = await fetch(`${api.url}${path}`, {
    // Without the second one `fetch` asks not to be answered from any cache.
    headers: {
      'if-none-match': first.headers.get('etag') ?? '',
      'cache-control': 'max-age=0',
    },
  });
  expect([again.status, await again.text()]).toEqual([304, '']);
  const found = operations.find(({ operation }) => operation.operationId === id);
  const { 200: whole, 304: unchanged } = found?.operation.responses ?? {};
  for (const described of [whole, unchanged]) expect(described?.headers).toHaveProperty('ETag');
  expect(unchanged).not.toHaveProperty('content');
});
