import { setTimeout as sleep } from 'node:timers/promises';
import { findUpload } from '../../src/uploads/sql/upload-views';
import { SLOW_PUSH } from '../../src/uploads/upload-report';
import { newId, type UploadId } from '../../src/platform/ids';
import { deferred } from '../support/deferred';
import type { Shop } from '../support/shop';
import { createUploadSteps, useUploadSteps } from '../support/upload-steps';
import { versionedMenu } from '../support/versioned-menu';
import { until } from '../support/until';

const { system, steps } = useUploadSteps();

test('an attempt that was taken over does nothing in any step, and never calls the app', async () => {
  const shop = await system.openShop('app-b');
  const upload = await steps.prepare(shop);
  await steps.takeOver(shop);
  const before = await shop.requests('token');
  for (const step of [
    'fetchToken',
    'transformMenu',
    'checkImages',
    'pushMenu',
    'pushPromptly',
    'confirmTask',
    'postpone',
  ] as const) {
    expect(await steps[step](upload)).toEqual({ next: 'stale' });
  }
  expect(await shop.requests('token')).toEqual(before);
  expect(await shop.requests('upload')).toEqual([]);
});

test('an upload that its push has ended is not pushed again, even if the report of the first call was lost', async () => {
  const shop = await system.openShop('app-b');
  const upload = await steps.prepare(shop);
  expect(await steps.pushMenu(upload)).toEqual({
    next: 'ended',
    state: 'uploaded',
    summary: expect.stringMatching(/^live: status 200, \d+ ms$/),
    rests: true,
  });
  expect(await steps.pushMenu(upload)).toEqual({ next: 'stale' });
  expect(await shop.requests('upload')).toHaveLength(1);
});

test('the statement that ends an upload keeps the publication alive while a newer one waits', async () => {
  const shop = await system.openShop('app-b');
  const upload = await steps.prepare(shop);
  await steps.insert(shop, versionedMenu(2));
  expect(await steps.pushMenu(upload)).toMatchObject({ next: 'ended', rests: false });
});

test('of many uploads that need a token at once, one fetches it', async () => {
  const shop = await system.openShop('app-b');
  const upload = await steps.claim(shop, versionedMenu(1));
  await shop.fault({ kind: 'slow', route: 'token', ms: 200 });
  const results = await Promise.all(Array.from({ length: 10 }, () => steps.fetchToken(upload)));
  expect(new Set(results.map(({ next }) => next))).toEqual(new Set(['ready']));
  expect(await shop.requests('token')).toHaveLength(1);
});

test('an upload ends when its integration was removed after it was accepted', async () => {
  const shop = await system.openShop('app-b');
  const upload = await steps.prepare(shop);
  await system.sql`
    update store_integration set credential_encrypted = null
    where store_id = ${shop.storeId}::bigint`;
  expect(await steps.pushMenu(upload)).toMatchObject({ next: 'ended', state: 'failed' });
  expect(await steps.outcome(upload)).toEqual({
    state: 'failed',
    messages: [
      'Could not upload menu to delivery system.',
      'The integration is no longer configured for this store.',
    ],
  });
});

test('a menu that the app cannot be sent fails before any call, with one sentence per entity', async () => {
  const shop = await system.openShop('app-b');
  const menu = { ...versionedMenu(1), items: versionedMenu('x'.repeat(200)).items };
  const upload = await steps.claim(shop, menu);
  expect(await steps.transformMenu({ ...upload, tokenFetched: true })).toMatchObject({
    next: 'ended',
    state: 'failed',
  });
  const { messages } = await steps.outcome(upload);
  expect(messages).toEqual([
    'Could not upload menu to delivery system.',
    expect.stringContaining('I1'),
  ]);
  expect(await shop.requests('token')).toEqual([]);
});

/** What the upload's status shows of its push. */
async function pushStep(uploadId: UploadId) {
  const upload = await findUpload(system.sql, { userId: newId('usr'), seesAll: true }, uploadId);
  return upload?.steps.find((step) => step.name === 'push');
}

test('a failed push shows the app’s answer until a later one succeeds', async () => {
  const shop = await system.openShop('app-b');
  await shop.fault({ kind: 'status', status: 503, times: 3 });
  const upload = await steps.prepare(shop);
  expect(await steps.pushMenu(upload)).toMatchObject({ next: 'later' });
  expect(await pushStep(upload.uploadId)).toMatchObject({
    state: 'failed',
    answer: { status: 503, error: null, body: expect.any(String) },
  });
  const again = await steps.takeOver(shop);
  expect(await steps.pushMenu(again)).toMatchObject({ next: 'ended', state: 'uploaded' });
  expect(await pushStep(upload.uploadId)).toMatchObject({ state: 'done', answer: null });
});

test('a postponed push frees the app’s lease: the next menu does not wait', async () => {
  const shop = await system.openShop('app-b');
  await shop.fault({ kind: 'rate_limit', s: 60 });
  const upload = await steps.prepare(shop);
  expect(await steps.pushMenu(upload)).toMatchObject({
    next: 'later',
    summary: expect.stringMatching(/^retry: status 429, \d+ ms; the next try is in 60 s$/),
  });
  const [row] = await system.sql`
    select push_until from publication where store_id = ${shop.storeId}::bigint`;
  expect(row).toEqual({ pushUntil: null });
});

test('a refused token is renewed once, within the push', async () => {
  const shop = await system.openShop('app-b');
  const upload = await steps.prepare(shop);
  await shop.fault({ kind: 'token_expired' });
  expect(await steps.pushMenu(upload)).toMatchObject({ next: 'ended', state: 'uploaded' });
  expect(await shop.requests('token')).toHaveLength(2);
  expect(await shop.requests('upload')).toHaveLength(2);
  expect(await pushStep(upload.uploadId)).toMatchObject({ state: 'done', attempts: 1 });

  const refused = await steps.prepare(shop, 2);
  await shop.fault({ kind: 'token_expired', mode: 'always' });
  expect(await steps.pushMenu(refused)).toMatchObject({ next: 'ended', state: 'failed' });
  expect((await steps.outcome(refused)).messages).toContain(
    'The delivery system did not accept the token.',
  );
  expect(await shop.requests('upload')).toHaveLength(4);
});

test('a push without an answer shows the reason', async () => {
  const shop = await system.openShop('app-b');
  await shop.fault({ kind: 'reset_mid', times: 3 });
  const upload = await steps.prepare(shop);
  expect(await steps.pushMenu(upload)).toMatchObject({ next: 'later' });
  expect(await pushStep(upload.uploadId)).toMatchObject({
    state: 'failed',
    answer: { error: expect.stringMatching(/^(reset|closed_early)$/), body: null },
  });
});

async function publish(shop: Shop, version: number): Promise<void> {
  const upload = await steps.prepare(shop, version);
  await steps.pushMenu(upload);
}

describe('with skip_unchanged', () => {
  test('a menu that is already live byte for byte is not pushed again', async () => {
    const shop = await system.openShop('app-b');
    await publish(shop, 1);
    const upload = await steps.prepare(shop, 1, true);
    const end = { next: 'ended', state: 'uploaded', summary: 'live already, not pushed' };
    expect(await steps.pushMenu(upload)).toMatchObject(end);
    expect(await pushStep(upload.uploadId)).toMatchObject({ state: 'skipped', answer: null });
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

test('a push whose process was frozen is not sent, because another worker may have it', async () => {
  const shop = await system.openShop('app-b');
  const upload = await steps.prepare(shop);
  const push = steps.pushMenu(upload);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_700);
  await expect(push).rejects.toThrow('was frozen');
  // Work that was handed out meanwhile starts now.
  await expect(steps.pushMenu(upload)).rejects.toThrow('was frozen');
  expect(await shop.requests('upload')).toEqual([]);
  await sleep(3_000);
  expect(await steps.pushMenu(upload)).toMatchObject({ next: 'ended' });
});

test('of two calls for one push the later one pushes: Temporal has given up the earlier one, which does not know', async () => {
  const shop = await system.openShop('app-b');
  const upload = await steps.prepare(shop);
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
  await until(async () => (await shop.requests('upload')).length !== 0);
  opened.resolve();
  expect(await earlier).toEqual({ next: 'stale' });
  expect(await later).toMatchObject({ next: 'ended' });
  expect(await shop.requests('upload')).toHaveLength(1);
  await cutOff.close();
});

test('a push handed to another process while it runs is never made twice at once', async () => {
  const shop = await system.openShop('app-b');
  const upload = await steps.prepare(shop);
  const other = createUploadSteps(system);
  await shop.fault({ kind: 'slow', ms: 2_500 });
  const earlier = steps.pushMenu(upload);
  await until(async () => (await shop.requests('upload')).length !== 0);
  const later = other.pushMenu(upload);
  expect([(await earlier).next, (await later).next]).toEqual(['ended', 'stale']);
  // Between the answer and the row's end the other call may push the same menu once more: behind the first, never beside it.
  const pushes = await shop.requests('upload');
  const ends = pushes.map((push) => Date.parse(push.finished_at ?? ''));
  const begins = pushes.map((push) => Date.parse(push.started_at));
  expect(begins.slice(1).every((begin, nth) => begin >= (ends[nth] ?? begin))).toBe(true);
});

describe('a push that takes longer than a prompt call waits', () => {
  test('goes on, and the next call of its process reports its end', async () => {
    const shop = await system.openShop('app-b');
    const upload = await steps.prepare(shop);
    await shop.fault({ kind: 'slow', ms: 1_500 });
    expect(await steps.pushPromptly(upload)).toEqual(SLOW_PUSH);
    expect(await steps.pushMenu(upload)).toMatchObject({ next: 'ended', state: 'uploaded' });
    expect(await shop.requests('upload')).toHaveLength(1);
  });

  test('reports its end even if it comes between the two calls', async () => {
    const shop = await system.openShop('app-b');
    const upload = await steps.prepare(shop);
    await shop.fault({ kind: 'slow', ms: 1_500 });
    expect(await steps.pushPromptly(upload)).toEqual(SLOW_PUSH);
    await until(async () => (await steps.outcome(upload)).state === 'uploaded');
    expect(await steps.pushMenu(upload)).toMatchObject({ next: 'ended', state: 'uploaded' });
    expect(await shop.requests('upload')).toHaveLength(1);
  });

  test('is not made again beside the first if the next call comes to another process', async () => {
    const shop = await system.openShop('app-b');
    const upload = await steps.prepare(shop);
    const other = createUploadSteps(system);
    await shop.fault({ kind: 'slow', ms: 2_500 });
    expect(await steps.pushPromptly(upload)).toEqual(SLOW_PUSH);
    expect(await other.pushMenu(upload)).toEqual({ next: 'stale' });
    expect(await steps.outcome(upload)).toEqual({ state: 'uploaded', messages: [] });
    expect(await shop.requests('upload')).toHaveLength(1);
    await other.close();
  });
});
