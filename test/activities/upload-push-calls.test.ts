import { setTimeout as sleep } from 'node:timers/promises';
import { SLOW_PUSH } from '../../src/uploads/upload-report';
import { deferred } from '../support/deferred';
import { type ClaimedUpload, createUploadSteps, useUploadSteps } from '../support/upload-steps';
import { until } from '../support/until';

const { system, steps } = useUploadSteps();

/** The upload's row and that of its push. */
const rowsOf = ({ uploadId }: ClaimedUpload) => system.sql`
  select u.*, s.* from menu_upload u join upload_step s using (upload_id)
  where upload_id = ${uploadId} and s.name = 'push'`;

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
    async atCheckpoint(name) {
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
  expect([(await earlier).next, (await later).next]).toEqual(['ended', 'ended']);
  // Between the answer and the row's end the other call may push the same menu once more: behind the first, never beside it.
  const pushes = await shop.requests('upload');
  const ends = pushes.map((push) => Date.parse(push.finished_at ?? ''));
  const begins = pushes.map((push) => Date.parse(push.started_at));
  expect(begins.slice(1).every((begin, nth) => begin >= (ends[nth] ?? begin))).toBe(true);
  await other.close();
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

  test('is not made again if the next call comes to another process, which takes no permit for it', async () => {
    const shop = await system.openShop('app-b');
    const [upload, other] = [await steps.prepare(shop), createUploadSteps(system)];
    await shop.fault({ kind: 'slow', ms: 2_500 });
    expect(await steps.pushPromptly(upload)).toEqual(SLOW_PUSH);
    expect(await other.pushMenu(upload)).toEqual({
      next: 'ended',
      state: 'uploaded',
      summary: 'ended by another call',
      rests: false,
    });
    expect(await shop.requests('upload')).toHaveLength(1);
    const [row] = await system.sql`
      select u.waits_for, s.attempts from menu_upload u join upload_step s using (upload_id)
      where upload_id = ${upload.uploadId} and s.name = 'push'`;
    expect(row).toEqual({ waitsFor: null, attempts: 1 });
    await other.close();
  });

  test.each([
    ['was accepted as a task', 'app-c', { kind: 'slow', ms: 1_500 }],
    ['is to be repeated in a minute', 'app-b', { kind: 'rate_limit', s: 60 }],
  ] as const)('is not made again by another process after it %s', async (_, app, fault) => {
    const shop = await system.openShop(app);
    const [upload, other] = [await steps.prepare(shop), createUploadSteps(system)];
    await shop.fault(fault);
    await steps.pushPromptly(upload);
    await until(async () => {
      const [row] = await system.sql`
        select from menu_upload where upload_id = ${upload.uploadId}
          and (task_id is not null or next_attempt_at is not null)`;
      return row !== undefined;
    });
    const state = async () => [await shop.requests('upload'), await rowsOf(upload)];
    const before = await state();
    expect(await other.pushMenu(upload)).toEqual({ next: 'stale' });
    // Nor if that process looked just before.
    expect(await other.pushPromptly(upload)).toEqual({ next: 'stale' });
    expect(await state()).toEqual(before);
    await other.close();
  });
});

test.each([
  ['takes the menu', undefined, 'uploaded'],
  ['refuses it', { kind: 'status', status: 400 }, 'failed'],
] as const)('if the app %s, it is free for the next menu at once', async (_, fault, state) => {
  const shop = await system.openShop('app-b');
  if (fault) await shop.fault(fault);
  expect(await steps.pushMenu(await steps.prepare(shop))).toMatchObject({ next: 'ended', state });
  const [row] = await system.sql`
    select push_until from publication where store_id = ${shop.storeId}::bigint`;
  expect(row).toEqual({ pushUntil: null });
});
