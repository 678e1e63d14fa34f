import { findUpload } from '../../src/uploads/sql/upload-views';
import { newId, type UploadId } from '../../src/platform/ids';
import { useUploadSteps } from '../support/upload-steps';
import { menuWithoutName, versionedMenu } from '../support/versioned-menu';

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
  const summary = 'ended by another call';
  const end = { next: 'ended', state: 'uploaded', summary, rests: false };
  expect(await steps.pushMenu(upload)).toEqual(end);
  expect(await shop.requests('upload')).toHaveLength(1);
});

test('the statement that ends an upload keeps the lease of the publication while a newer one waits', async () => {
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
  const menu = menuWithoutName();
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

test('an upload that was postponed because Postgres was away is due at once, but not before the app allows', async () => {
  const shop = await system.openShop('app-b');
  const upload = await steps.prepare(shop);
  expect(await steps.postpone({ ...upload, isDue: true })).toMatchObject({
    summary: 'the next try is in 0 s',
  });
  const again = await steps.takeOver(shop);
  expect(again.uploadId).toBe(upload.uploadId);
  await system.sql`
    update menu_upload set retry_after_ms = 30000 where upload_id = ${upload.uploadId}`;
  expect(await steps.postpone({ ...again, isDue: true })).toMatchObject({
    summary: 'the next try is in 30 s',
  });
  await system.sql`
    update menu_upload set next_attempt_at = now() where upload_id = ${upload.uploadId}`;
  const later = await steps.takeOver(shop);
  expect(later.uploadId).toBe(upload.uploadId);
  expect(await steps.postpone({ ...later, isDue: true })).toMatchObject({
    summary: 'the next try is in 0 s',
  });
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
    answer: { error: expect.stringMatching(/^(reset|closed_early)$/) },
  });
});
