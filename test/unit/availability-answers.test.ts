import { adapterOf } from '../../src/delivery-apps/registry';
import type { DeliveryAppClient } from '../../src/delivery-apps/app-client';
import { parseCidrs } from '../../src/platform/outbound/addresses';
import { createOutboundClient } from '../../src/platform/outbound/http-client';
import { type HostileServer, startAnswering } from '../delivery-apps/hostile-server';

/** An app's answer, and the expected outcome of the call. */
type Case = readonly [status: number, body: unknown, outcome: object];

const http = createOutboundClient({ allowCidrs: parseCidrs('127.0.0.0/8'), userAgent: 'test' });
const servers: HostileServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});
afterAll(() => http.close());

async function clientOf(
  app: string,
  status: number,
  body: unknown,
  headers = {},
): Promise<DeliveryAppClient> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const server = await startAnswering(status, text, headers);
  servers.push(server);
  return adapterOf(app).createClient({ http, baseUrl: server.url, timeoutMs: 10_000 });
}

const shop = { token: 'token', appStoreId: 'shop-1', store: { rappi_store_id: '900001' } };
const items = [{ wireId: 'I1', available: false, until: null }];
const pause = { paused: true, until: null, reason: null };

const SWITCHED = { kind: 'switched' };
const DONE = { kind: 'done' };
const EXPIRED = { kind: 'token_expired' };
const UNREADABLE = { kind: 'unknown', reason: 'unreadable answer with status 200' };
const rejected = (...reasons: string[]) => ({ kind: 'rejected', reasons });
const retry = (reason: string, more: object = {}) => ({ kind: 'retry', reason, ...more });
const notSwitched = (message: string) => ({
  kind: 'partly_switched',
  failed: [{ externalId: 'I1', message }],
});
const errno = (number: number, data: object = {}, errmsg = 'no') => ({
  errno: number,
  errmsg,
  data,
});
const result = (type: string) => ({
  results: [{ store_id: 900_001, is_enabled: false, operation_result_type: type }],
});

/** The same in every app: answers without a meaning of their own. */
const COMMON: readonly Case[] = [
  [401, '', EXPIRED],
  [302, '', rejected('status 302')],
  [403, '', rejected('status 403')],
  [429, '', retry('status 429', { waits: 'app_busy' })],
  [502, '', retry('status 502')],
  [503, '<html>', retry('status 503')],
];

const ITEMS: Readonly<Record<string, readonly Case[]>> = {
  'app-a': [
    [204, '', SWITCHED],
    [404, { code: 'not_found', message: 'No such item.' }, rejected('No such item.')],
    [400, { code: 'invalid_request', message: 'No.' }, rejected('No.')],
  ],
  'app-b': [
    [200, { updated: ['I1'], failed: [] }, SWITCHED],
    [200, { updated: ['I1'] }, SWITCHED],
    [200, { updated: [], failed: [{ id: 'I1', code: 'sold' }] }, notSwitched('sold')],
    [200, { updated: ['I1'], failed: [{ id: 'I1', code: 'sold' }] }, notSwitched('sold')],
    ...[
      { updated: [], failed: [{ id: 'I1' }] },
      { updated: [], failed: [{ id: 'I1', code: '\u0000' }] },
      { updated: [], failed: [{ id: 1, code: 'sold' }] },
      { updated: [], failed: ['I1'] },
      { updated: [], failed: [] },
      { updated: ['I2'] },
    ].map((body): Case => [200, body, notSwitched('The app gave no reason.')]),
    [200, {}, UNREADABLE],
    [200, '<html>', UNREADABLE],
    [
      400,
      { errors: [{ code: 'a', path: '/items/0', message: 'b' }] },
      rejected('a /items/0 (I1): b'),
    ],
    [404, { error: 'merchant_not_found' }, rejected('merchant_not_found')],
  ],
  'app-c': [
    [200, errno(0, { success: ['I1'], failed: [] }), SWITCHED],
    [200, errno(0), SWITCHED],
    ...[
      { success: [], failed: ['I1'] },
      { success: ['I1'], failed: ['I1'] },
      { success: [], failed: [] },
      { success: ['I2'] },
      { failed: [{ id: 'I1' }] },
    ].map((data): Case => [200, errno(0, data), notSwitched('The app gave no reason.')]),
    [200, '<html>', UNREADABLE],
    [200, errno(10_001), retry('no (errno 10001)')],
    ...[10_002, 10_101, 14_103, 14_105, 14_106].map((number): Case => [
      200,
      errno(number),
      rejected(`no (errno ${number})`),
    ]),
    [200, errno(10_100), EXPIRED],
    [200, errno(10_102), EXPIRED],
    [200, errno(10_005), retry('no (errno 10005)', { waits: 'app_busy', afterMs: 60_000 })],
    [
      200,
      errno(10_399, {}, 'Call frequency too high'),
      retry('Call frequency too high (errno 10399)', { waits: 'app_busy', afterMs: 60_000 }),
    ],
    [200, errno(77), retry('no (errno 77)', { atMost: 3 })],
  ],
  'app-d': [
    [200, 'Items successfully updated', SWITCHED],
    [200, '', SWITCHED],
    ...['Items successfully updated', { message: 'Items successfully updated' }].map(
      (body): Case => [200, JSON.stringify(body), SWITCHED],
    ),
    [200, [{ message: 'Error updating items' }], rejected('Error updating items')],
    ...['<html>', ' <!doctype html>', '{"message":"Items succ', '[{"message"', '"Items'].map(
      (body): Case => [200, body, UNREADABLE],
    ),
    [404, { message: 'item not found' }, { kind: 'one_unknown', reason: 'item not found' }],
    [400, [{ message: 'Error updating items' }], rejected('Error updating items')],
    [424, { detail: { error: { code: 'item_relation' } } }, rejected('item_relation')],
    [424, { detail: null }, retry('status 424', { atMost: 3 })],
    [500, {}, retry('status 500')],
  ],
};

const PAUSES: Readonly<Record<string, readonly Case[]>> = {
  'app-a': [
    [204, '', DONE],
    [403, { code: 'forbidden', message: 'No scope.' }, rejected('No scope.')],
    [404, { code: 'not_found', message: 'No store.' }, rejected('No store.')],
  ],
  'app-b': [
    [204, '', DONE],
    [404, { error: 'merchant_not_found' }, rejected('merchant_not_found')],
  ],
  'app-c': [
    [200, errno(0, { biz_status: 2, auto_switch: 1, sub_biz_status: 0 }), DONE],
    [200, errno(10_001), retry('no (errno 10001)')],
    ...[10_002, 10_101, 11_010, 11_044, 14_103, 14_105, 14_106, 56_101].map((number): Case => [
      200,
      errno(number),
      rejected(`no (errno ${number})`),
    ]),
    [200, errno(10_100), EXPIRED],
    [200, errno(10_102), EXPIRED],
    [200, errno(10_005), retry('no (errno 10005)', { waits: 'app_busy', afterMs: 60_000 })],
    [200, errno(77), retry('no (errno 77)', { atMost: 3 })],
    [200, {}, UNREADABLE],
  ],
  'app-d': [
    [200, result('SUCCESS'), DONE],
    [200, result('STORE_ALREADY_IN_STATUS'), DONE],
    ...['SUSPENDED', 'FORBIDDEN', 'STORE_NOT_PUBLISHED'].map((type): Case => [
      200,
      result(type),
      rejected(type),
    ]),
    [200, result('ERROR_EXTERNAL_SERVICE'), retry('ERROR_EXTERNAL_SERVICE')],
    [200, result('A_NEW_WORD'), retry('A_NEW_WORD')],
    [200, { results: [] }, UNREADABLE],
    ...[400, 403, 422].map((status): Case => [status, { message: 'no' }, rejected('no')]),
  ],
};

describe.each(Object.entries(ITEMS))('items of %s', (app, cases) => {
  test.each([...COMMON, ...cases])('%j %j: %j', async (status, body, outcome) => {
    const client = await clientOf(app, status, body);
    expect(await client.switchItems({ ...shop, items })).toEqual(outcome);
  });
});

describe.each(Object.entries(PAUSES))('a pause by %s', (app, cases) => {
  test.each([...COMMON, ...cases])('%j %j: %j', async (status, body, outcome) => {
    const client = await clientOf(app, status, body);
    expect(await client.pauseStore({ ...shop, ...pause })).toEqual(outcome);
  });
});

test.each<[string, Case]>([
  ['app-a', [404, { message: 'No such item.' }, rejected('No such item.')]],
  ['app-b', [200, { updated: ['I1'], failed: [] }, SWITCHED]],
  ['app-c', [200, errno(0, { success: ['I1'], failed: [] }), SWITCHED]],
  ['app-d', [404, { message: 'not found' }, { kind: 'one_unknown', reason: 'not found' }]],
])('a byte order mark before the answer of %s changes nothing', async (app, answer) => {
  const [status, body, outcome] = answer;
  const client = await clientOf(app, status, `\uFEFF${JSON.stringify(body)}`);
  expect(await client.switchItems({ ...shop, items })).toEqual(outcome);
});

test.each(['app-a', 'app-b', 'app-c', 'app-d'])(
  'an item whose id has a tab is switched by %s like any other',
  async (app) => {
    const wireId = 'two\twords';
    const named = { updated: [wireId], ...errno(0, { success: [wireId], failed: [] }) };
    const client = await clientOf(app, 200, named);
    expect(
      await client.switchItems({ ...shop, items: [{ wireId, available: false, until: null }] }),
    ).toEqual(SWITCHED);
  },
);

test.each(Object.keys(ITEMS))('%s that says how long to wait is waited for', async (app) => {
  const client = await clientOf(app, 429, '', { 'retry-after': '7' });
  const waits = retry('status 429', { waits: 'app_busy', afterMs: 7_000 });
  expect(await client.switchItems({ ...shop, items })).toEqual(waits);
  expect(await client.pauseStore({ ...shop, ...pause })).toEqual(waits);
});
