import { setTimeout as sleep } from 'node:timers/promises';
import { findUpload } from '../../src/db/upload-views';
import { newId, type UploadId } from '../../src/ids';
import { deferred } from '../support/deferred';
import type { Shop } from '../support/shop';
import { prepareSystem, stopSystems, type System } from '../support/system';
import { createUploadSteps, type UploadSteps } from '../support/upload-steps';
import { versionedMenu } from '../support/versioned-menu';

let system: System;
let steps: UploadSteps;
beforeAll(async () => {
  system = await prepareSystem();
  steps = createUploadSteps(system);
});
afterAll(async () => {
  await steps.close();
  await stopSystems();
});

/** Everything before the push. */
async function prepare(shop: Shop, version = 1, skipUnchanged = false) {
  const upload = await steps.claim(shop, versionedMenu(version), skipUnchanged);
  expect(await steps.fetchToken(upload)).toBe('ready');
  expect(await steps.transformMenu(upload)).toBe('ready');
  return upload;
}

test('an attempt that was taken over does nothing in any step, and never calls the app', async () => {
  const shop = await system.openShop('app-b');
  const upload = await prepare(shop);
  await steps.takeOver(shop);
  const before = await shop.requests('token');
  for (const step of ['fetchToken', 'transformMenu', 'pushMenu', 'confirmTask'] as const) {
    expect(await steps[step](upload)).toBe('stale');
  }
  expect(await steps.recordOutcome({ ...upload, decided: true })).toBe('stale');
  expect(await steps.recordOutcome({ ...upload, decided: false })).toBe('stale');
  expect(await shop.requests('token')).toEqual(before);
  expect(await shop.requests('upload')).toEqual([]);
});

test('an outcome that is recorded twice counts once: the answer to the first may have been lost', async () => {
  const shop = await system.openShop('app-b');
  const upload = await prepare(shop);
  await steps.pushMenu(upload);
  expect(await steps.recordOutcome({ ...upload, decided: true })).toBe('uploaded');
  expect(await steps.recordOutcome({ ...upload, decided: true })).toBe('stale');
});

test('of many who need a token at once, one fetches it', async () => {
  const shop = await system.openShop('app-b');
  const upload = await steps.claim(shop, versionedMenu(1));
  await shop.fault({ kind: 'slow', route: 'token', ms: 200 });
  const results = await Promise.all(Array.from({ length: 10 }, () => steps.fetchToken(upload)));
  expect(new Set(results)).toEqual(new Set(['ready']));
  expect(await shop.requests('token')).toHaveLength(1);
});

test('an integration that was taken apart since the upload was accepted decides it', async () => {
  const shop = await system.openShop('app-b');
  const upload = await prepare(shop);
  await system.sql`
    update store_integration set credential_encrypted = null
    where store_id = ${shop.storeId}::bigint`;
  expect(await steps.pushMenu(upload)).toBe('decided');
  expect(await steps.verdict(upload)).toEqual({
    kind: 'rejected',
    reasons: ['The integration is no longer configured for this store.'],
  });
});

test('a menu that the app cannot be sent is decided before any call, with one sentence per entity', async () => {
  const shop = await system.openShop('app-b');
  const menu = { ...versionedMenu(1), items: versionedMenu('x'.repeat(200)).items };
  const upload = await steps.claim(shop, menu);
  expect(await steps.transformMenu(upload)).toBe('decided');
  const verdict = await steps.verdict(upload);
  expect(verdict).toMatchObject({ kind: 'blocked', reasons: [expect.stringContaining('I1')] });
});

/** What the upload's status shows of its push. */
async function pushStep(uploadId: UploadId) {
  const upload = await findUpload(system.sql, { userId: newId('usr'), seesAll: true }, uploadId);
  return upload?.steps.find((step) => step.name === 'push');
}

test('a push that failed shows what the app answered, until a later one succeeds', async () => {
  const shop = await system.openShop('app-b');
  await shop.fault({ kind: 'status', status: 503, times: 3 });
  const upload = await prepare(shop);
  expect(await steps.pushMenu(upload)).toBe('later');
  expect(await pushStep(upload.uploadId)).toMatchObject({
    state: 'failed',
    answer: { status: 503, error: null, body: expect.any(String) },
  });
  expect(await steps.pushMenu(upload)).toBe('decided');
  expect(await pushStep(upload.uploadId)).toMatchObject({ state: 'done', answer: null });
});

test('a push without an answer shows why there was none', async () => {
  const shop = await system.openShop('app-b');
  await shop.fault({ kind: 'reset_mid', times: 3 });
  const upload = await prepare(shop);
  expect(await steps.pushMenu(upload)).toBe('later');
  expect(await pushStep(upload.uploadId)).toMatchObject({
    state: 'failed',
    answer: { error: expect.stringMatching(/^(reset|closed_early)$/), body: null },
  });
});

async function publish(shop: Shop, version: number): Promise<void> {
  const upload = await prepare(shop, version);
  await steps.pushMenu(upload);
  await steps.recordOutcome({ ...upload, decided: true });
}

describe('with skip_unchanged', () => {
  test('a menu that is live byte by byte is not pushed again', async () => {
    const shop = await system.openShop('app-b');
    await publish(shop, 1);
    const upload = await prepare(shop, 1, true);
    expect(await steps.pushMenu(upload)).toBe('decided');
    expect(await steps.verdict(upload)).toEqual({ kind: 'unchanged' });
    expect(await shop.requests('upload')).toHaveLength(1);
  });

  test('another menu is pushed', async () => {
    const shop = await system.openShop('app-b');
    await publish(shop, 1);
    const upload = await prepare(shop, 2, true);
    expect(await steps.pushMenu(upload)).toBe('decided');
    expect(await shop.shown()).toBe('2');
  });

  test('the menu before is pushed when a newer one may have reached the app without an answer', async () => {
    const shop = await system.openShop('app-b');
    await publish(shop, 1);
    await shop.fault({ kind: 'reset_mid', times: 3 });
    const lost = await prepare(shop, 2);
    expect(await steps.pushMenu(lost)).toBe('later');
    const upload = await prepare(shop, 1, true);
    expect(await steps.pushMenu(upload)).toBe('decided');
    expect(await steps.verdict(upload)).toEqual({ kind: 'live' });
    expect(await shop.shown()).toBe('1');
  });
});

test('a push whose process stood still meanwhile is not sent: another worker may have been given it', async () => {
  const shop = await system.openShop('app-b');
  const upload = await prepare(shop);
  const push = steps.pushMenu(upload);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_700);
  await expect(push).rejects.toThrow('stood still');
  // What it was handed out meanwhile begins now.
  await expect(steps.pushMenu(upload)).rejects.toThrow('stood still');
  expect(await shop.requests('upload')).toEqual([]);
  await sleep(3_000);
  expect(await steps.pushMenu(upload)).toBe('decided');
});

test('of two calls of one push the later one pushes: the earlier was given up by Temporal and does not know', async () => {
  const shop = await system.openShop('app-b');
  const upload = await prepare(shop);
  const [reached, opened] = [deferred(), deferred()];
  const cutOff = createUploadSteps(system, {
    async reach(name) {
      if (name !== 'worker:before-push') return;
      reached.resolve();
      await opened.promise;
    },
  });
  const earlier = cutOff.pushMenu(upload);
  await reached.promise;
  await shop.fault({ kind: 'slow', ms: 500 });
  const later = steps.pushMenu(upload);
  while ((await shop.requests('upload')).length === 0);
  opened.resolve();
  expect(await earlier).toBe('stale');
  expect(await later).toBe('decided');
  expect(await shop.requests('upload')).toHaveLength(1);
  await cutOff.close();
});

test('a push that was given to another call while it was at work is not under way twice at once', async () => {
  const shop = await system.openShop('app-b');
  const upload = await prepare(shop);
  await shop.fault({ kind: 'slow', ms: 2_500 });
  const earlier = steps.pushMenu(upload);
  while ((await shop.requests('upload')).length === 0);
  const later = steps.pushMenu(upload);
  // The workflow claims the upload anew then: it has not heard of the first one's end.
  expect(await Promise.all([earlier, later])).toEqual(['decided', 'stale']);
  expect(await shop.requests('upload')).toHaveLength(1);
});
