import { createPos } from '../../dev/sandbox/pos';
import type { ReceivedRequest } from '../../dev/sandbox/receiver/received-requests';
import { type Sandbox, startSandbox } from '../../dev/sandbox/sandbox';
import { createConfiguredSecretBox } from '../../src/run/configured-secrets';
import { attachPos, createPos as registerPos } from '../../src/inventory/sql/pos-systems';
import { generateSecret } from '../../src/platform/crypto/signing';
import { startTestApi, type TestApi, type TestCaller } from '../support/api';
import { createSystem } from '../support/inventory';
import { startMisbehavingServer } from '../support/misbehaving-server';

const secret = generateSecret();

let api: TestApi;
let sandbox: Sandbox;
let owner: TestCaller;
let systemId: string;
let storeId: number;
let posId: number;

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, parts: [createPos({ secret })] });
  api = await startTestApi({ WEBHOOK_TIMEOUT: '300ms' });
  owner = await api.user('inventory:create');
  systemId = await createSystem(owner, 'Stocky');
  ({ storeId, posId } = await storeWithPos(`${sandbox.url}/pos`));
});
afterAll(async () => {
  await api.stop();
  await sandbox.close();
});
beforeEach(async () => {
  await fetch(`${sandbox.url}/pos/_sandbox/requests`, { method: 'DELETE' });
  await api.sql`delete from pos_request`;
});

async function storeWithPos(baseUrl: string): Promise<{ storeId: number; posId: number }> {
  const store = await api.store(owner);
  const secrets = createConfiguredSecretBox(api.config);
  const pos = await registerPos(api.sql, secrets, { name: 'POS', baseUrl, secret });
  await attachPos(api.sql, store, pos);
  return { storeId: store, posId: pos };
}

function update(
  target: { storeId: unknown; posId: unknown } = { storeId, posId },
  headers: Record<string, string> = {},
  body: Record<string, unknown> = {},
) {
  return owner.post(
    `/inventory/system/store/${String(target.storeId)}/pos/stock/update`,
    {
      inventory_system_id: systemId,
      pos_id: target.posId,
      current_stock: '10.50',
      quantity: '2',
      date: '2026-11-21T10:00:00Z',
      movement_type: '1',
      external_id: 'item-1',
      ...body,
    },
    headers,
  );
}

async function nextAnswer(answer: object): Promise<void> {
  const queued = await fetch(`${sandbox.url}/pos/_sandbox/answers`, {
    method: 'POST',
    body: JSON.stringify(answer),
  });
  expect(queued.status).toBe(201);
}

async function received(): Promise<ReceivedRequest[]> {
  const answer = await fetch(`${sandbox.url}/pos/_sandbox/requests`);
  return (await answer.json()) as ReceivedRequest[];
}

test('a stock update reaches the POS at once, signed, and its success is 200', async () => {
  expect(await update()).toMatchObject({
    status: 200,
    json: { message: 'Stock successfully updated.', data: null },
  });
  const [request, ...others] = await received();
  if (!request) throw new Error('the POS got nothing');
  expect(others).toEqual([]);
  expect(request).toMatchObject({ method: 'POST', url: '/pos/stock', signature_valid: true });
  expect(JSON.parse(request.body)).toEqual({
    inventory_system_id: systemId,
    store_id: String(storeId),
    pos_id: String(posId),
    current_stock: '10.50',
    quantity: '2',
    date: '2026-11-21T10:00:00Z',
    movement_type: 1,
    external_id: 'item-1',
  });
});

test.each([400, 401, 404, 409, 422, 429, 500, 503])(
  'the POS’s own %i is passed through as it is, to problem+json clients too',
  async (status) => {
    const body = { message: ['No such item.'], data: { n: 1 } };
    await nextAnswer({ status, body });
    const answer = await update(undefined, { accept: 'application/problem+json' });
    expect(answer.status).toBe(status);
    expect(answer.text).toBe(JSON.stringify(body));
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('x-error-source')).toBe('pos');
  },
);

test('an error that is not JSON is put into our shape, cleaned and cut', async () => {
  await nextAnswer({ status: 500, body: `<h1>Oops</h1>\n${'x'.repeat(1_000)}` });
  const { status, json } = await update();
  expect(status).toBe(500);
  expect(json.data).toBeNull();
  expect(json.message[0]).toMatch(/^<h1>Oops<\/h1> x+$/);
  expect(json.message[0]).toHaveLength(500);
});

test('an error without a body gets a message', async () => {
  await nextAnswer({ status: 418 });
  expect(await update()).toMatchObject({
    status: 418,
    json: { message: ['The POS system gave no reason.'], data: null },
  });
});

test('a redirect is not followed: 502', async () => {
  await nextAnswer({ status: 307, headers: { location: `${sandbox.url}/pos/elsewhere` } });
  expect(await update()).toMatchObject({
    status: 502,
    json: { message: ['The POS system answered unexpectedly.'], data: null },
  });
  expect(await received()).toHaveLength(1);
});

test('a POS that cannot be reached is 502, and recorded as not reached', async () => {
  const gone = await startSandbox({ port: 0, parts: [] });
  await gone.close();
  const target = await storeWithPos(gone.url);
  expect(await update(target)).toMatchObject({
    status: 502,
    json: { message: ['The POS system did not answer.'], data: null },
  });
  expect(await api.sql`select pos_id, outcome, error from pos_request`).toEqual([
    { posId: target.posId, outcome: 'not_reached', error: 'connect_refused' },
  ]);
});

test.each([
  ['hang', 'timeout'],
  ['close-without-answer', 'closed_early'],
] as const)(
  'a POS that may have acted is 504, and recorded as unknown: %s',
  async (behaviour, error) => {
    const server = await startMisbehavingServer();
    try {
      const target = await storeWithPos(server.url(behaviour));
      expect(await update(target)).toMatchObject({
        status: 504,
        json: { message: ['The POS system did not answer in time.'], data: null },
      });
      expect(await api.sql`select outcome, error from pos_request`).toEqual([
        { outcome: 'unknown', error },
      ]);
    } finally {
      await server.close();
    }
  },
);

test('a repeat under one idempotency key is one movement to the POS: same key, id and bytes', async () => {
  const key = { 'idempotency-key': 'move-1' };
  await nextAnswer({ status: 503, body: { message: 'busy' } });
  expect((await update(undefined, key)).status).toBe(503);
  expect((await update(undefined, key)).status).toBe(200);
  expect((await update(undefined, key)).headers.get('idempotency-replayed')).toBe('true');
  const [first, second, ...others] = await received();
  expect(others).toEqual([]);
  expect(first?.headers['idempotency-key']).toBe('move-1');
  expect(second?.headers['idempotency-key']).toBe('move-1');
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  expect(second?.body).toBe(first?.body);
});

test('without an idempotency key each request is a separate movement', async () => {
  await update();
  await update();
  const [first, second] = await received();
  expect(first?.headers['idempotency-key']).toBeUndefined();
  expect(second?.headers['webhook-id']).not.toBe(first?.headers['webhook-id']);
});

test('a pos that is unknown, or another store’s, is 422', async () => {
  const other = await storeWithPos(`${sandbox.url}/pos`);
  for (const wrong of [other.posId, 99_999_999]) {
    expect(await update({ storeId, posId: wrong })).toMatchObject({
      status: 422,
      json: { pos_id: ['The selected pos id is invalid.'] },
    });
  }
  expect(await received()).toEqual([]);
});

test('store and system must be the caller’s', async () => {
  expect(await update({ storeId: 99_999_999, posId })).toMatchObject({
    status: 404,
    json: { message: ['The store was not found.'] },
  });
  const foreign = await api.store();
  expect(await update({ storeId: foreign, posId })).toMatchObject({
    status: 409,
    json: { message: ["You don't have this store available."] },
  });
  const stranger = await api.user('inventory:create');
  const system = await createSystem(stranger, 'Foreign');
  expect(await update(undefined, {}, { inventory_system_id: system })).toMatchObject({
    status: 422,
    json: { inventory_system_id: ['The selected inventory system id is invalid.'] },
  });
});

test('quantities are digits, dates are dates', async () => {
  const body = { current_stock: '1e3', quantity: '1234567890123', date: '2026-02-30' };
  expect(await update(undefined, {}, body)).toMatchObject({
    status: 422,
    json: {
      current_stock: ['The current stock format is invalid.'],
      quantity: ['The quantity format is invalid.'],
      date: ['The date format is invalid.'],
    },
  });
});
