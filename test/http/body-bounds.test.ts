import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { until } from '../support/until';
import { createConfiguredSecretBox } from '../../src/run/configured-secrets';
import { startTestApi, type TestApi, type TestCaller } from '../support/api';
import { boundOf, untilUsed } from '../support/bounds';
import {
  createLinkedStore,
  type LinkedStore,
  postWebhook,
  sendEvent,
  STOCK_EVENT,
} from '../support/inventory';
import { openShop, type Shop } from '../support/shop';

const MEGABYTE = 1_048_576;
const JSON_TYPE = { 'content-type': 'application/json' };

const repeated = (count: number, element: string): string =>
  Array.from({ length: count }, () => element).join();

/** A body with this many values, including the list itself. */
const listOf = (values: number, element = '0'): string =>
  `{"menus":[${repeated(values - 1, element)}]}`;

describe('values in a body', () => {
  let api: TestApi;
  let caller: TestCaller;
  beforeAll(async () => {
    api = await startTestApi();
    caller = await api.user('inventory:create');
  });
  afterAll(() => api.stop());

  const upload = (body: string) => caller.postRaw('/menus/upload', body);

  test('500,000 are read, one more is a 400', async () => {
    expect((await upload(listOf(499_999))).status).toBe(422);
    expect((await upload(listOf(500_000))).status).toBe(422);
    expect(await upload(listOf(500_001))).toMatchObject({
      status: 400,
      json: { message: ['The request body has too many values.'], data: null },
    });
    expect(await boundOf(api, 'body_values')).toEqual({ limit: 500_000, used: 500_000, hits: 1 });
  });

  test('containers and members count like elements', async () => {
    expect((await upload(listOf(500_001, '[]'))).status).toBe(400);
    expect((await upload(`{"a":[${repeated(250_000, '{"b":0}')}]}`)).status).toBe(400);
    expect((await upload(`{"a":[${repeated(249_999, '{"b":0}')}]}`)).status).toBe(422);
    expect((await upload(`{${repeated(500_001, '"a":0')}}`)).status).toBe(400);
  });

  test('they are counted after gzip decoding, in a hundredth of a second and without memory', async () => {
    const packed = gzipSync(`{"menus":[${'[],'.repeat(3 * MEGABYTE)}0]}`);
    expect(packed.length).toBeLessThan(20_000);
    const response = await fetch(`${api.url}/api/v1/menus/upload`, {
      method: 'POST',
      headers: {
        ...JSON_TYPE,
        authorization: `Bearer ${caller.token}`,
        'content-encoding': 'gzip',
      },
      body: packed,
    });
    expect([response.status, await response.json()]).toEqual([
      400,
      { message: ['The request body has too many values.'], data: null },
    ]);
  });
});

describe('requests that wait for an outcome', () => {
  let api: TestApi;
  let linked: LinkedStore;
  let shop: Shop;
  beforeAll(async () => {
    api = await startTestApi({ WAITING_REQUESTS: '1', ACK_WAIT: '3s', UPLOAD_WAIT: '3s' });
    linked = await createLinkedStore(api, 'System');
    shop = await openShop(
      {
        sql: api.sql,
        secrets: createConfiguredSecretBox(api.config),
        userId: linked.owner.userId,
        token: linked.owner.token,
        apiUrl: () => api.url,
      },
      'app-b',
    );
  });
  afterAll(async () => {
    await shop.close();
    await api.stop();
  });

  test('past the limit each gets its 202 at once and is still processed', async () => {
    const first = sendEvent(linked, 'stock', STOCK_EVENT);
    await untilUsed(api, 'waiting_requests', 1);
    const startedAt = Date.now();
    const upload = await shop.upload(1);
    expect([upload.status, upload.body.message]).toEqual([202, 'Menu upload in progress.']);
    const event = await sendEvent(linked, 'stock', STOCK_EVENT);
    expect([event.status, event.json.message]).toEqual([202, 'Stock update pending.']);
    const ping = await postWebhook(linked, 'test');
    expect([ping.status, ping.json.data.state]).toEqual([200, 'pending']);
    expect(Date.now() - startedAt).toBeLessThan(2_000);
    await until(async () => (await boundOf(api, 'waiting_requests')).hits === 3);
    expect((await shop.status(upload.uploadId)).state).toBe('queued');
    expect((await first).status).toBe(202);
    await untilUsed(api, 'waiting_requests', 0);
  });

  test('a stock movement that has no permit to wait counts only when its receivers have had their time', async () => {
    const { owner, storeId } = linked;
    expect((await owner.patch(`/store/${storeId}`, { availability_from_stock: 'on' })).status).toBe(
      200,
    );
    const movements = async () => {
      const rows = await api.sql`select from stock_movement where store_id = ${storeId}::bigint`;
      return rows.length;
    };
    const first = sendEvent(linked, 'stock', STOCK_EVENT);
    await untilUsed(api, 'waiting_requests', 1);
    expect((await sendEvent(linked, 'stock', STOCK_EVENT)).status).toBe(202);
    await sleep(500);
    expect(await movements()).toBe(2);
    expect((await first).status).toBe(202);
    await until(async () => (await movements()) === 1);
  });
});
