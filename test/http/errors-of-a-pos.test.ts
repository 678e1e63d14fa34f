import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { attachPos, createPos } from '../../src/inventory/sql/pos-systems';
import { generateSecret } from '../../src/platform/crypto/signing';
import { createConfiguredSecretBox } from '../../src/run/configured-secrets';
import { startTestApi, type TestApi } from '../support/api';
import { createSystem } from '../support/inventory';

let api: TestApi;
let server: Server;
let logged = '';

beforeAll(async () => {
  server = createServer((_request, response) => response.writeHead(500).end());
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const logTo = new PassThrough().setEncoding('utf8').on('data', (text: string) => {
    logged += text;
  });
  api = await startTestApi({ LOG_LEVEL: 'warn' }, { logTo });
});
afterAll(async () => {
  await api.stop();
  await new Promise((resolve) => {
    server.close(resolve);
  });
});

/** How many answers with 5xx were our own, and how many a POS's. */
async function counted(): Promise<number[]> {
  const text = await (await fetch(`${api.url}/metrics`)).text();
  return ['own', 'pos'].map((source) => {
    const series = `http_responses_total{class="5xx",source="${source}"} `;
    return Number(
      text
        .split('\n')
        .find((line) => line.startsWith(series))
        ?.slice(series.length),
    );
  });
}

test('a 500 of a POS itself is logged as a warning, and counts as the POS’s', async () => {
  const owner = await api.user('inventory:create');
  const storeId = await api.store(owner);
  const posId = await createPos(api.sql, createConfiguredSecretBox(api.config), {
    name: 'POS',
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    secret: generateSecret(),
  });
  await attachPos(api.sql, storeId, posId);
  const answer = await owner.post(
    `/inventory/system/store/${storeId}/pos/stock/update`,
    {
      inventory_system_id: await createSystem(owner, 'Stocky'),
      pos_id: posId,
      current_stock: '12',
      quantity: '2',
      date: '2026-11-21T10:00:00Z',
      movement_type: '1',
      external_id: 'item-1',
    },
    { 'x-request-id': 'their-500' },
  );
  expect([answer.status, answer.headers.get('x-error-source')]).toEqual([500, 'pos']);
  expect(await counted()).toEqual([0, 1]);
  const line = logged.split('\n').find((each) => each.includes('their-500')) ?? '{}';
  expect(JSON.parse(line)).toMatchObject({ level: 40, status: 500, pos_answer: 'refused' });
});
