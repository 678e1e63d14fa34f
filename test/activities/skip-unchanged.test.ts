import { randomUUID } from 'node:crypto';
import {
  configureIntegration,
  connectStoreTo,
  type IntegrationInput,
} from '../../src/admin/integrations';
import { loadConfig } from '../../src/platform/config/config';
import { createConfiguredSecretBox } from '../../src/run/configured-secrets';
import {
  claimCheck,
  type Reading,
  recordReading,
  requestCheck,
} from '../../src/drift/sql/drift-checks';
import { findUploadTarget } from '../../src/uploads/sql/upload-target';
import type { Shop } from '../support/shop';
import { until } from '../support/until';
import { useUploadSteps } from '../support/upload-steps';

const { system, steps } = useUploadSteps();

async function publish(shop: Shop, version: number): Promise<void> {
  const upload = await steps.prepare(shop, version);
  await steps.pushMenu(upload);
}

const SKIPPED = { next: 'ended', state: 'uploaded', summary: 'live already, not pushed' };

const deps = () => ({
  sql: system.sql,
  secrets: createConfiguredSecretBox(loadConfig(system.env)),
});

/** Connects the shop to another store of its app. */
async function move({ storeId, integrationId }: Shop, appStoreId: string): Promise<void> {
  const credential = JSON.stringify({ app_shop_id: appStoreId });
  await connectStoreTo(deps(), { storeId, integrationId, appStoreId, credential });
}

/** Records a reading of the shop's live menu. */
async function recordDrift(
  { storeId, integrationId }: Shop,
  { state, count }: Pick<Reading, 'state' | 'count'>,
): Promise<void> {
  const key = { storeId, integrationId };
  await requestCheck(system.sql, key, 0);
  const due = await claimCheck(system.sql, key);
  if (!due) throw new Error('No reading is due.');
  const sha256 = state === 'changed' ? `${due.uploadId}/${count}` : null;
  await recordReading(system.sql, key, due, { state, count, changes: [], sha256 }, null);
  expect(await driftOf(key)).toEqual({ state, count, isRead: true });
}

async function driftOf({ storeId, integrationId }: Pick<Shop, 'storeId' | 'integrationId'>) {
  const [row] = await system.sql<{ state: string; count: number | null; isRead: boolean }[]>`
    select drift_state as state, drift_changes_count as count,
      drift_checked_at is not null as is_read
    from publication
    where store_id = ${storeId}::bigint and integration_id = ${integrationId}::bigint`;
  return row;
}

describe('with skip_unchanged', () => {
  test('a menu that is already live byte for byte is not pushed again', async () => {
    const shop = await system.openShop('app-b');
    await publish(shop, 1);
    const upload = await steps.prepare(shop, 1, true);
    expect(await steps.pushMenu(upload)).toMatchObject(SKIPPED);
    expect(
      await system.sql`
      select state, answer from upload_step where upload_id = ${upload.uploadId} and name = 'push'`,
    ).toEqual([{ state: 'skipped', answer: null }]);
    expect(await shop.requests('upload')).toHaveLength(1);
  });

  test('its payload is that of the push that made it live, whatever the current transform would make', async () => {
    const shop = await system.openShop('app-a');
    await publish(shop, 1);
    // A currency without decimals: other prices for the app.
    await system.sql`update store set country_code = 'CL' where store_id = ${shop.storeId}::bigint`;
    const upload = await steps.prepare(shop, 1, true);
    const kept = () =>
      system.sql`select distinct payload_sha256 from menu_upload where store_id = ${shop.storeId}`;
    expect(await kept()).toHaveLength(2);
    expect(await steps.pushMenu(upload)).toMatchObject({ summary: 'live already, not pushed' });
    expect(await kept()).toHaveLength(1);
  });

  test('a menu that is live in one store of the app is pushed to another', async () => {
    const shop = await system.openShop('app-b');
    await publish(shop, 1);
    const another = randomUUID();
    await move(shop, another);
    expect(await steps.pushMenu(await steps.prepare(shop, 1, true))).toMatchObject({
      summary: expect.stringMatching(/^live: /),
    });
    expect((await shop.shownByStore()).get(another)).toBe('1');
    expect(await steps.pushMenu(await steps.prepare(shop, 1, true))).toMatchObject(SKIPPED);
  });

  test('a menu that was on its way to one store of the app is pushed to another', async () => {
    const shop = await system.openShop('app-b');
    await shop.fault({ kind: 'slow', route: 'upload', ms: 1_000 });
    const pushing = publish(shop, 1);
    await until(async () => (await shop.requests('upload')).length === 1);
    await move(shop, randomUUID());
    await pushing;
    const upload = await steps.prepare(shop, 1, true);
    expect(await steps.pushMenu(upload)).not.toMatchObject(SKIPPED);
    expect(await shop.requests('upload')).toHaveLength(2);
  });

  test('what is live at another address of the app, or was sent by another client, is not known to be live', async () => {
    const shop = await system.openShop('app-b');
    await publish(shop, 1);
    const upload = await steps.prepare(shop, 1, true);
    const unchanged = { clientSecret: null, clientId: null, baseUrl: null, active: null };
    const isKnownAfter = async (changed: Partial<IntegrationInput>) => {
      const { integrationId } = shop;
      const input = { integrationId, app: 'app-b', name: null, ...unchanged, ...changed };
      await configureIntegration(deps(), input);
      return (await findUploadTarget(system.sql, upload))?.liveDocumentSha256 !== null;
    };
    const [before] = await system.sql<{ baseUrl: string; clientId: string }[]>`
    select base_url, client_id from integration
    where integration_id = ${shop.integrationId}::bigint`;
    expect(await isKnownAfter({ clientSecret: 'another', name: 'Another' })).toBe(true);
    expect(await isKnownAfter({ clientId: 'another' })).toBe(false);
    expect(await isKnownAfter({ ...before })).toBe(true);
    expect(await isKnownAfter({ baseUrl: 'https://another.example' })).toBe(false);
  });

  test.each([{ app_shop_id: 'another' }, { client_id: 'another', client_secret: 'secret' }])(
    'what was sent before the store got the credential %j is not known to be live',
    async (credential) => {
      const shop = await system.openShop('app-b');
      await publish(shop, 1);
      const upload = await steps.prepare(shop, 1, true);
      const target = await findUploadTarget(system.sql, upload);
      expect(target).toMatchObject({ liveDocumentSha256: expect.any(String) });
      await connectStoreTo(deps(), {
        storeId: shop.storeId,
        integrationId: shop.integrationId,
        appStoreId: target!.appStoreId,
        credential: JSON.stringify(credential),
      });
      expect(await findUploadTarget(system.sql, upload)).toMatchObject({
        liveDocumentSha256: null,
      });
    },
  );

  test('the live menu is pushed if the app was last seen to show another one, and then counts as live again', async () => {
    const shop = await system.openShop('app-a');
    await publish(shop, 1);
    await recordDrift(shop, { state: 'changed', count: 7 });
    expect(await steps.pushMenu(await steps.prepare(shop, 1, true))).toMatchObject({
      summary: expect.stringMatching(/^live: /),
    });
    expect(await driftOf(shop)).toEqual({ state: 'unknown', count: null, isRead: false });
    expect(await steps.pushMenu(await steps.prepare(shop, 1, true))).toMatchObject(SKIPPED);
  });

  test('so is one that the app was seen not to show before it could no longer be read', async () => {
    const shop = await system.openShop('app-a');
    await publish(shop, 1);
    await recordDrift(shop, { state: 'changed', count: 7 });
    await recordDrift(shop, { state: 'unreadable', count: null });
    expect(await steps.pushMenu(await steps.prepare(shop, 1, true))).toMatchObject({
      summary: expect.stringMatching(/^live: /),
    });
    await recordDrift(shop, { state: 'unreadable', count: null });
    expect(await steps.pushMenu(await steps.prepare(shop, 1, true))).toMatchObject(SKIPPED);
  });

  test.each([
    { state: 'same', count: 0 },
    { state: 'unreadable', count: null },
  ] as const)('a menu that is not pushed leaves the last reading $state', async (reading) => {
    const shop = await system.openShop('app-a');
    await publish(shop, 1);
    await recordDrift(shop, reading);
    expect(await steps.pushMenu(await steps.prepare(shop, 1, true))).toMatchObject(SKIPPED);
    expect(await driftOf(shop)).toEqual({ ...reading, isRead: true });
  });

  test('another menu is pushed', async () => {
    const shop = await system.openShop('app-b');
    await publish(shop, 1);
    const upload = await steps.prepare(shop, 2, true);
    expect(await steps.pushMenu(upload)).toMatchObject({ next: 'ended' });
    expect(await shop.shown()).toBe('2');
  });

  test('the same menu is pushed when a newer one may have reached the app without an answer', async () => {
    const shop = await system.openShop('app-b');
    await publish(shop, 1);
    await shop.fault({ kind: 'reset_mid', times: 3 });
    const lost = await steps.prepare(shop, 2);
    expect(await steps.pushMenu(lost)).toMatchObject({
      next: 'later',
      summary: expect.stringMatching(/^unknown: no answer \(\w+\), \d+ ms; .* is in 10 s$/),
    });
    const upload = await steps.prepare(shop, 1, true);
    expect(await steps.pushMenu(upload)).toMatchObject({ next: 'ended', state: 'uploaded' });
    expect(await shop.shown()).toBe('1');
  });
});
