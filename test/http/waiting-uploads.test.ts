import { type AddressInfo, createServer, type Socket } from 'node:net';
import { configureIntegration } from '../../src/admin/integrations';
import { loadConfig } from '../../src/platform/config/config';
import { createConfiguredSecretBox } from '../../src/run/configured-secrets';
import type { Shop } from '../support/shop';
import { openStores } from '../support/stores-of-app';
import { prepareSystem, startSystem, stopSystems, type System } from '../support/system';
import { until } from '../support/until';
import { versionedMenu } from '../support/versioned-menu';
import { read, untilItWaits, type Waiting } from '../support/waiting';

const NO_WAIT = { headers: { prefer: 'respond-async' } };
/** Long enough to be seen: a quick try comes after 4 s, and a round after 30 s. */
const TIMING = { quickPausesMs: [4_000], slowRetryMs: [30_000], approvalFirstMs: 60_000 } as const;

let system: System;
beforeAll(async () => {
  system = await startSystem({
    env: { APP_D: 'rappi', DELIVERY_APP_TIMEOUT: '30s' },
    timing: TIMING,
  });
});
const onceDone: (() => void)[] = [];
afterAll(async () => {
  for (const close of onceDone) close();
  await stopSystems();
});

const own = (uploadId: string, of = system) => read<Waiting>(of, `/menus/uploads/${uploadId}`);

/** It is the same in the list, and its message is what `messages` says. */
async function expectListed(uploadId: string, storeId: number, reason: string, of = system) {
  const alone = await own(uploadId, of);
  expect(alone.messages).toEqual([alone.waiting_for?.message]);
  const list = await read<(Waiting & { upload_id: string })[]>(
    of,
    `/menus/uploads?store_id=${storeId}`,
  );
  const listed = list.find((each) => each.upload_id === uploadId);
  expect(listed?.waiting_for).toMatchObject({ reason });
  expect(listed?.messages).toEqual([listed?.waiting_for?.message]);
}

async function cancel(uploadId: string) {
  const response = await fetch(`${system.apiUrl()}/api/v1/menus/uploads/${uploadId}/cancel`, {
    method: 'POST',
    headers: { authorization: `Bearer ${system.token}` },
  });
  return { status: response.status, json: await response.json() };
}

async function untilPushed(shop: Shop, times = 1) {
  await until(async () => (await shop.requests('upload')).length >= times);
}

test.concurrent('an upload whose app is away waits for it, between quick tries and between rounds, and can be canceled', async () => {
  const shop = await system.openShop('app-b');
  await shop.fault({ kind: 'status', status: 503, times: 10 });
  const startedAt = Date.now();
  const { uploadId } = await shop.upload(1, NO_WAIT);
  const quick = await untilItWaits(() => own(uploadId), 'app_unavailable');
  expect(quick).toMatchObject({ message: 'status 503', attempts: 1 });
  expect(Date.parse(quick.since)).toBeGreaterThan(startedAt - 1_000);
  expect(Date.parse(quick.next_attempt_at ?? '') - Date.parse(quick.since)).toBeLessThan(5_000);
  await expectListed(uploadId, shop.storeId, 'app_unavailable');

  await until(async () => (await own(uploadId)).waiting_for?.attempts === 2);
  const slow = (await own(uploadId)).waiting_for;
  expect(slow?.since).toBe(quick.since);
  expect(Date.parse(slow?.next_attempt_at ?? '') - Date.now()).toBeGreaterThan(10_000);
  expect(await cancel(uploadId)).toMatchObject({
    status: 200,
    json: {
      data: {
        state: 'canceled',
        messages: ['The upload was canceled.', 'status 503'],
        waiting_for: null,
      },
    },
  });
});

test.concurrent('an upload between two quick tries is canceled, and the next one is not made', async () => {
  const shop = await system.openShop('app-b');
  await shop.fault({ kind: 'status', status: 503, times: 10 });
  const { uploadId } = await shop.upload(1, NO_WAIT);
  await untilItWaits(() => own(uploadId), 'app_unavailable');
  expect(await cancel(uploadId)).toMatchObject({
    status: 200,
    json: { data: { state: 'canceled', messages: ['The upload was canceled.', 'status 503'] } },
  });
  // What comes next is not held up.
  const next = await shop.upload(2, NO_WAIT);
  await until(async () => (await shop.requests('upload')).length > 1);
  const [row] = await system.sql<{ attempts: number }[]>`
    select attempts from upload_step where upload_id = ${uploadId} and name = 'push'`;
  expect(row?.attempts).toBe(1);
  expect((await cancel(next.uploadId)).status).toBe(200);
});

test.concurrent('an upload whose last quick try got no answer is not canceled', async () => {
  const shop = await system.openShop('app-b');
  await shop.fault({ kind: 'reset_mid', times: 10 });
  const { uploadId } = await shop.upload(1, NO_WAIT);
  await untilItWaits(() => own(uploadId), 'app_unavailable');
  expect((await cancel(uploadId)).status).toBe(409);
});

test.concurrent('an upload whose app asks for patience waits for a busy app', async () => {
  const shop = await system.openShop('app-b');
  await shop.fault({ kind: 'rate_limit', s: 60 });
  const { uploadId } = await shop.upload(1, NO_WAIT);
  const waits = await untilItWaits(() => own(uploadId), 'app_busy');
  expect(waits).toMatchObject({ message: 'status 429', attempts: 1 });
  expect(Date.parse(waits.next_attempt_at ?? '') - Date.now()).toBeGreaterThan(40_000);
  await expectListed(uploadId, shop.storeId, 'app_busy');
});

test.concurrent('an upload waits for its token while the call for it is under way, and after it failed', async () => {
  const shop = await system.openShop('app-b');
  await shop.fault({ kind: 'slow', ms: 3_000, route: 'token' });
  await shop.fault({ kind: 'status', status: 503, route: 'token', times: 10 });
  const slow = await shop.upload(1, NO_WAIT);
  await untilItWaits(() => own(slow.uploadId), 'token');
  await expectListed(slow.uploadId, shop.storeId, 'token');

  const failing = await system.openShop('app-b');
  await failing.fault({ kind: 'status', status: 503, route: 'token', times: 10 });
  const { uploadId } = await failing.upload(1, NO_WAIT);
  await until(async () => (await own(uploadId)).waiting_for?.attempts === 1);
  expect((await own(uploadId)).waiting_for).toMatchObject({
    reason: 'token',
    message: 'status 503',
    next_attempt_at: expect.any(String),
  });
  await expectListed(uploadId, failing.storeId, 'token');
});

test.concurrent('an upload that people at the app review waits for their approval', async () => {
  const shop = await system.openShop('app-d');
  await shop.fault({ kind: 'approval', mode: 'never' });
  const { uploadId } = await shop.upload(1, NO_WAIT);
  const waits = await untilItWaits(() => own(uploadId), 'approval');
  expect(Date.parse(waits.next_attempt_at ?? '') - Date.parse(waits.since)).toBe(60_000);
  await expectListed(uploadId, shop.storeId, 'approval');
});

test.concurrent('an upload behind one that is being pushed waits for the earlier menu', async () => {
  const shop = await system.openShop('app-b');
  await shop.fault({ kind: 'slow', ms: 5_000 });
  await shop.upload(1, NO_WAIT);
  await untilPushed(shop);
  const { uploadId } = await shop.upload(2, NO_WAIT);
  expect((await own(uploadId)).waiting_for).toMatchObject({ reason: 'earlier_menu', attempts: 0 });
  await expectListed(uploadId, shop.storeId, 'earlier_menu');
});

test.concurrent('an upload whose images come slowly waits for their host', async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => sockets.push(socket));
  onceDone.push(() => {
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as AddressInfo;
  const shop = await system.openShop('app-a');
  const menu = versionedMenu(1);
  const image_url = `https://127.0.0.1:${port}/pizza.png`;
  const response = await fetch(`${system.apiUrl()}/api/v1/menus/upload`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${system.token}`,
      'content-type': 'application/json',
      ...NO_WAIT.headers,
    },
    body: JSON.stringify({
      ...menu,
      items: menu.items.map((item) => ({ ...item, image_url })),
      store_id: shop.storeId,
      integration_id: String(shop.integrationId),
    }),
  });
  const uploadId = response.headers.get('x-upload-id') ?? '';
  const waits = await untilItWaits(() => own(uploadId), 'image_host');
  expect(waits).toMatchObject({ attempts: 0, next_attempt_at: null });
  await expectListed(uploadId, shop.storeId, 'image_host');
});

test.concurrent('an upload that finds no permit of its integration free waits for one, and one in a rollout for its turn', async () => {
  const shop = await system.openShop('app-b');
  const secrets = createConfiguredSecretBox(loadConfig(system.env));
  await configureIntegration(
    { sql: system.sql, secrets },
    {
      integrationId: shop.integrationId,
      app: 'app-b',
      name: null,
      baseUrl: null,
      clientId: null,
      clientSecret: null,
      active: null,
      maxInFlight: 1,
    },
  );
  await shop.fault({ kind: 'slow', ms: 9_000, times: 10 });
  const stores = await openStores(system, shop, 2);
  const targets = [shop.storeId, ...stores.map(({ storeId }) => storeId)].map((store_id) => ({
    store_id,
    integration_id: String(shop.integrationId),
  }));
  const response = await fetch(`${system.apiUrl()}/api/v1/menus/rollouts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${system.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ targets, parallel: 2, ...versionedMenu(1) }),
  });
  const { data } = (await response.json()) as { data: { rollout_id: string } };
  const path = `/menus/rollouts/${data.rollout_id}/targets`;
  type Target = Waiting & { upload_id: string; store_id: number };
  const targetsThatWait = async () =>
    (await read<Target[]>(system, path)).filter((each) => each.waiting_for?.reason === 'permit');
  await until(async () => (await targetsThatWait()).length === 2);
  const waiting = await targetsThatWait();
  expect(waiting.map(({ state, messages }) => [state, messages[0]?.slice(0, 30)])).toEqual([
    ['running', 'The menu waits for other menus'],
    ['waiting', 'The menu waits for a place in '],
  ]);
  for (const { upload_id: id, store_id: storeId } of waiting) {
    await expectListed(id, storeId, 'permit');
  }
});

test('an upload waits for Temporal while it is away, and for our own side while there is no worker', async () => {
  const away = await prepareSystem({ env: { TEMPORAL_ADDRESS: '127.0.0.1:1' } });
  await away.startApi();
  const shop = await away.openShop('app-b');
  const { uploadId } = await shop.upload(1);
  await untilItWaits(() => own(uploadId, away), 'temporal');
  await expectListed(uploadId, shop.storeId, 'temporal', away);

  const idle = await prepareSystem();
  await idle.startApi();
  const other = await idle.openShop('app-b');
  const lone = await other.upload(1, NO_WAIT);
  expect((await own(lone.uploadId, idle)).waiting_for).toBeNull();
  await idle.sql`update menu_upload set created_at = created_at - interval '1 min'`;
  expect((await own(lone.uploadId, idle)).waiting_for).toMatchObject({ reason: 'our_side' });
  await expectListed(lone.uploadId, other.storeId, 'our_side', idle);
});
