import { keepAppTask } from '../../src/uploads/sql/app-tasks';
import { confirmNext, uploadWithOpenTask, uploadWithTask } from '../support/open-task';
import type { Shop } from '../support/shop';
import { type ClaimedUpload, useUploadSteps } from '../support/upload-steps';
import { until } from '../support/until';
import { versionedMenu } from '../support/versioned-menu';

const { system, steps } = useUploadSteps({ env: { APP_D: 'rappi' } });

/** An open task; all workers were away for `away` since then. */
async function awayWhileAccepted(app: 'app-c' | 'app-d', away: string) {
  return passTime(await uploadWithOpenTask(system, steps, app), away);
}

async function passTime<T extends { shop: Shop; upload: ClaimedUpload }>(
  uploaded: T,
  away: string,
): Promise<T> {
  await system.sql`
    update publication set slot_until = slot_until - ${away}::interval,
      slot_settles_until = slot_settles_until - ${away}::interval
    where store_id = ${uploaded.shop.storeId}::bigint`;
  await system.sql`
    update menu_upload set pushed_at = pushed_at - ${away}::interval,
      created_at = created_at - ${away}::interval
    where upload_id = ${uploaded.upload.uploadId}`;
  return uploaded;
}

/** Another upload is fetching the token, for two seconds. */
async function forgetToken(): Promise<void> {
  await system.sql`
    update app_token set token_encrypted = null, refresh_until = now() + interval '2 s', refresh_owner = 'another'`;
}

describe('if all workers are away until a task’s time is over', () => {
  test('the app’s answer that came meanwhile counts, and its menu is not pushed again', async () => {
    const { shop, upload, taskId } = await awayWhileAccepted('app-c', '31 min');
    await keepAppTask(system.sql, shop.integrationId, taskId, { kind: 'live' });
    expect(await confirmNext(steps, shop)).toMatchObject({ next: 'ended', state: 'uploaded' });
    expect(await steps.claimNewest(shop)).toMatchObject({ kind: 'publish' });
    expect(await steps.outcome(upload)).toEqual({ state: 'uploaded', messages: [] });
    expect(await shop.requests('upload')).toHaveLength(1);
  });

  test.each([
    ['app-c', '31 min', 'The delivery system did not finish its task in time.'],
    ['app-d', '73 h', 'The delivery system did not approve the menu in time.'],
  ] as const)('%s is asked once more, then its upload ends', async (app, away, sentence) => {
    const { shop, upload } = await awayWhileAccepted(app, away);
    expect(await confirmNext(steps, shop)).toMatchObject({ next: 'ended', state: 'failed' });
    expect((await steps.outcome(upload)).messages).toContain(sentence);
    expect(await shop.requests('poll')).toHaveLength(1);
    expect(await steps.claimNewest(shop)).toMatchObject({ kind: 'publish' });
  });

  test('a call for its push that Temporal makes again pushes nothing', async () => {
    const { shop, upload } = await awayWhileAccepted('app-c', '31 min');
    expect(await steps.pushMenu(upload)).toEqual({ next: 'stale' });
    expect(await shop.requests('upload')).toHaveLength(1);
  });

  test.each([
    ['whose token another upload fetches', forgetToken],
    [
      'whose token has expired at the app',
      (shop: Shop) => shop.fault({ kind: 'status', status: 401, route: 'poll', times: 1 }),
    ],
    [
      'that is away for a moment',
      (shop: Shop) => shop.fault({ kind: 'status', status: 503, route: 'poll', times: 2 }),
    ],
  ])('an app %s is asked again', async (_, trouble) => {
    const shop = await system.openShop('app-c');
    const { upload } = await uploadWithTask(system, steps, shop);
    await until(async () => (await shop.shown()) === '1');
    await passTime({ shop, upload }, '31 min');
    await trouble(shop);
    expect(await confirmNext(steps, shop)).toMatchObject({ next: 'ended', state: 'uploaded' });
    expect(await steps.outcome(upload)).toEqual({ state: 'uploaded', messages: [] });
  });
});

async function makeOld({ uploadId }: ClaimedUpload): Promise<void> {
  await system.sql`
    update menu_upload set created_at = now() - interval '30 h' where upload_id = ${uploadId}`;
}

describe('an upload that is more than 24 hours old, and whose step was broken off by Postgres,', () => {
  test.each(['app-c', 'app-d'] as const)(
    'is asked about again while %s works on its task',
    async (app) => {
      const { shop, upload } = await uploadWithOpenTask(system, steps, app);
      await makeOld(upload);
      await steps.insert(shop, versionedMenu(2));
      expect(await steps.postpone({ ...upload, isDue: true })).toEqual({
        next: 'later',
        summary: 'the next try is in 0 s',
      });
      expect(await steps.claimNewest(shop)).toMatchObject({
        kind: 'confirm',
        uploadId: upload.uploadId,
      });
    },
  );

  test('is asked about once more if the deadline of its task is over meanwhile', async () => {
    const { shop, upload } = await awayWhileAccepted('app-d', '73 h');
    expect(await steps.postpone({ ...upload, isDue: true })).toMatchObject({ next: 'later' });
    expect(await confirmNext(steps, shop)).toMatchObject({ next: 'ended', state: 'failed' });
    expect(await shop.requests('poll')).toHaveLength(1);
  });
});

test('a question about an overdue task that fails at every try does not keep newer menus waiting', async () => {
  const { upload } = await awayWhileAccepted('app-c', '31 min');
  expect(await steps.postpone(upload)).toMatchObject({ next: 'ended', state: 'failed' });
});
