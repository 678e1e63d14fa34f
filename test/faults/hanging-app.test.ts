import { setTimeout as sleep } from 'node:timers/promises';
import { configureIntegration } from '../../src/admin/integrations';
import { loadConfig } from '../../src/platform/config/config';
import { createConfiguredSecretBox } from '../../src/run/configured-secrets';
import type { Shop } from '../support/shop';
import { openStores } from '../support/stores-of-app';
import { prepareSystem, startSystem, stopSystems, type System } from '../support/system';
import { versionedMenu } from '../support/versioned-menu';
import { until } from '../support/until';

afterEach(stopSystems);

/** Uploads a menu for the store without waiting for its outcome. */
async function upload(system: System, apiUrl: string, shop: Shop, storeId: number) {
  const response = await fetch(`${apiUrl}/api/v1/menus/upload`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${system.token}`,
      'content-type': 'application/json',
      prefer: 'respond-async',
    },
    body: JSON.stringify({
      ...versionedMenu(storeId),
      store_id: storeId,
      integration_id: String(shop.integrationId),
    }),
  });
  expect(response.status).toBe(202);
  return response.headers.get('x-upload-id') ?? '';
}

async function limitTo(system: System, shop: Shop, maxInFlight: number): Promise<void> {
  const { sql, env } = system;
  const secrets = createConfiguredSecretBox(loadConfig(env));
  const unchanged = { name: null, baseUrl: null, clientId: null, clientSecret: null, active: null };
  const { integrationId } = shop;
  await configureIntegration(
    { sql, secrets },
    { integrationId, app: 'app-b', ...unchanged, maxInFlight },
  );
}

/** How many uploads wait for their push. */
async function waitingFor({ sql }: System, { integrationId }: Shop): Promise<number> {
  const rows = await sql`
    select from menu_upload where waits_for = ${`push/${integrationId}`}
      and state = 'running' and next_attempt_at > now()`;
  return rows.length;
}

async function openRequests(shop: Shop): Promise<number> {
  return (await shop.requests('upload')).filter((each) => each.finished_at === null).length;
}

test('a hanging app holds only its allowed pushes; its other uploads wait in their rows, and another app continues', async () => {
  const system = await startSystem({ env: { DELIVERY_APP_TIMEOUT: '45s' } });
  const api = await system.startApi();
  const hanging = await system.openShop('app-b');
  const other = await system.openShop('app-b');
  await limitTo(system, hanging, 5);
  expect((await other.upload('warm')).status).toBe(200);
  await hanging.fault({ kind: 'slow', ms: 44_000, times: 1_000 });
  for (const { storeId } of await openStores(system, hanging, 60)) {
    await upload(system, api.url, hanging, storeId);
  }
  await until(async () => (await waitingFor(system, hanging)) >= 55);
  expect(await openRequests(hanging)).toBe(5);

  for (let version = 1; version <= 10; version++) {
    const answer = await other.upload(version);
    expect(answer.status).toBe(200);
    expect(answer.ms).toBeLessThan(5_000);
  }
  const [told] = await system.sql<{ uploadId: string }[]>`
    select upload_id from menu_upload where waits_for is not null limit 1`;
  expect((await hanging.status(told?.uploadId ?? '')).messages).toEqual([
    expect.stringMatching(
      /^The menu waits for other menus that are being sent to the delivery system, until 2/,
    ),
  ]);
});

test('uploads that wait for others are pushed in the order of acceptance, and none is lost', async () => {
  const system = await startSystem({});
  const api = await system.startApi();
  const shop = await system.openShop('app-b');
  await limitTo(system, shop, 1);
  await shop.fault({ kind: 'slow', ms: 6_000 });
  await shop.fault({ kind: 'slow', ms: 300, times: 1_000 });
  const [first = 0, ...others] = (await openStores(system, shop, 8)).map(({ storeId }) => storeId);
  const ids = [await upload(system, api.url, shop, first)];
  await until(async () => (await openRequests(shop)) !== 0);
  for (const storeId of others) ids.push(await upload(system, api.url, shop, storeId));
  await until(async () => (await waitingFor(system, shop)) >= others.length);
  for (const id of ids) expect((await shop.ended(id)).state).toBe('uploaded');
  const ends = await system.sql<{ uploadId: string }[]>`
    select upload_id from menu_upload order by finished_at`;
  expect(ends.map(({ uploadId }) => uploadId)).toEqual(ids);
  const pushes = (await shop.requests('upload')).map((each) => ({
    from: Date.parse(each.started_at),
    to: Date.parse(each.finished_at ?? ''),
  }));
  pushes.forEach(({ to }, n) => expect(pushes[n + 1]?.from ?? to).toBeGreaterThanOrEqual(to));
});

test('a hanging token endpoint holds one upload of its integration; the others wait in their rows and continue with its token', async () => {
  const system = await startSystem({ env: { DELIVERY_APP_TIMEOUT: '45s' } });
  const api = await system.startApi();
  const hanging = await system.openShop('app-b');
  const other = await system.openShop('app-b');
  await hanging.fault({ kind: 'slow', route: 'token', ms: 6_000 });
  const ids: string[] = [];
  for (const { storeId } of await openStores(system, hanging, 30)) {
    ids.push(await upload(system, api.url, hanging, storeId));
  }
  await sleep(2_000);
  for (let version = 1; version <= 3; version++) {
    const answer = await other.upload(version);
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.ms).toBeLessThan(5_000);
  }
  for (const id of ids) expect((await hanging.ended(id)).state).toBe('uploaded');
  expect(await hanging.requests('token')).toHaveLength(1);
});

test.each([0, 501])('an integration may not have %d pushes at once', async (maxInFlight) => {
  const system = await prepareSystem();
  const shop = await system.openShop('app-b');
  await expect(limitTo(system, shop, maxInFlight)).rejects.toThrow(
    'The pushes at once must be from 1 to 500.',
  );
});
