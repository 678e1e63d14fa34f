import { setTimeout as sleep } from 'node:timers/promises';
import type { FailedEntity } from '../../src/delivery-apps/app-client';
import { updateIntegration } from '../../src/delivery-apps/sql/integrations';
import type { MenuDocument } from '../../src/menus/menu';
import { keepAppTask } from '../../src/uploads/sql/app-tasks';
import type { Shop } from '../support/shop';
import { type ClaimedUpload, useUploadSteps } from '../support/upload-steps';
import { versionedMenu } from '../support/versioned-menu';
import { category, group, item, uses } from '../unit/app-c-menus';

const { system, steps } = useUploadSteps({ env: { APP_D: 'rappi' } });

test('while a task is asked after, newer uploads need not wake the workflow, and do not make it ask at once', async () => {
  const { shop, upload } = await uploadWithOpenTask('app-c');
  // The promise of the claim has run out.
  await system.sql`
    update publication set alive_until = now() - interval '1 s'
    where store_id = ${shop.storeId}::bigint`;
  expect(await steps.confirmTask(upload)).toMatchObject({ next: 'running' });
  const [row] = await system.sql<{ awake: boolean }[]>`
    select alive_until > now() + interval '100 s' as awake from publication
    where store_id = ${shop.storeId}::bigint`;
  expect(row).toEqual({ awake: true });
  await steps.takeOver(shop);
  expect(await steps.confirmTask(upload)).toEqual({ next: 'stale' });
});

/** Uploads version 1 to the app, whose answer about its task stays open. */
async function uploadWithOpenTask(app: 'app-c' | 'app-d') {
  const shop = await system.openShop(app);
  await shop.fault(app === 'app-c' ? { kind: 'task_stuck' } : { kind: 'approval', mode: 'never' });
  const upload = await steps.claim(shop, versionedMenu(1));
  await steps.fetchToken(upload);
  await steps.transformMenu({ ...upload, tokenFetched: true });
  expect(await steps.pushMenu(upload)).toMatchObject({ next: 'accepted' });
  const [row] = await system.sql<{ taskId: string }[]>`
    select task_id from menu_upload where upload_id = ${upload.uploadId}`;
  return { shop, upload, taskId: row?.taskId ?? '' };
}

/** The same; all workers were away for `away` since then. */
async function awayWhileAccepted(app: 'app-c' | 'app-d', away: string) {
  const uploaded = await uploadWithOpenTask(app);
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

/** What the next claim after that makes of it; a newer menu waits by then. */
async function confirmNext(shop: Shop) {
  await steps.insert(shop, versionedMenu(2));
  const claim = await steps.claimNewest(shop);
  expect(claim).toMatchObject({ kind: 'confirm' });
  if (!('attemptNo' in claim)) throw new Error(`not claimed: ${claim.kind}`);
  return steps.confirmTask(claim);
}

describe('if all workers are away until a task’s time is over', () => {
  test('the app’s answer that came meanwhile counts, and its menu is not pushed again', async () => {
    const { shop, upload, taskId } = await awayWhileAccepted('app-c', '31 min');
    await keepAppTask(system.sql, shop.integrationId, taskId, { kind: 'live' });
    expect(await confirmNext(shop)).toMatchObject({ next: 'ended', state: 'uploaded' });
    expect(await steps.claimNewest(shop)).toMatchObject({ kind: 'publish' });
    expect(await steps.outcome(upload)).toEqual({ state: 'uploaded', messages: [] });
    expect(await shop.requests('upload')).toHaveLength(1);
  });

  test.each([
    ['app-c', '31 min', 'The delivery system did not finish its task in time.'],
    ['app-d', '73 h', 'The delivery system did not approve the menu in time.'],
  ] as const)('%s is asked once more, then its upload ends', async (app, away, sentence) => {
    const { shop, upload } = await awayWhileAccepted(app, away);
    expect(await confirmNext(shop)).toMatchObject({ next: 'ended', state: 'failed' });
    expect((await steps.outcome(upload)).messages).toContain(sentence);
    expect(await shop.requests('poll')).toHaveLength(1);
    expect(await steps.claimNewest(shop)).toMatchObject({ kind: 'publish' });
  });

  test('a call for its push that Temporal makes again pushes nothing', async () => {
    const { shop, upload } = await awayWhileAccepted('app-c', '31 min');
    expect(await steps.pushMenu(upload)).toEqual({ next: 'stale' });
    expect(await shop.requests('upload')).toHaveLength(1);
  });
});

/** Gives the shop's integration that app; returns a shop that is in it. */
async function changeApp({ integrationId }: Shop, app: 'app-b' | 'app-d'): Promise<Shop> {
  const other = await system.openShop(app);
  const [row] = await system.sql<{ baseUrl: string; clientId: string }[]>`
    select base_url, client_id from integration where integration_id = ${other.integrationId}::bigint`;
  const unchanged = { name: null, clientSecretEncrypted: null, webhookSecretEncrypted: null };
  await updateIntegration(system.sql, integrationId, {
    ...unchanged,
    app,
    baseUrl: row?.baseUrl ?? null,
    clientId: row?.clientId ?? null,
    active: null,
    maxInFlight: null,
  });
  return other;
}

describe('if the integration gets another app while a task runs', () => {
  test.each([
    ['app-c', 'app-b'],
    ['app-c', 'app-d'],
    ['app-d', 'app-b'],
  ] as const)(
    'its upload ends at once, without a question to the other app: from %s to %s',
    async (app, next) => {
      const { shop, upload } = await uploadWithOpenTask(app);
      const other = await changeApp(shop, next);
      expect(await confirmNext(shop)).toMatchObject({ next: 'ended', state: 'failed' });
      expect(await steps.outcome(upload)).toEqual({
        state: 'failed',
        messages: [
          'Could not upload menu to delivery system.',
          'The integration got another delivery app before the outcome was known.',
        ],
      });
      expect([await other.requests('token'), await other.requests('poll')]).toEqual([[], []]);
      // Its slot is free for the newer menu.
      expect(await steps.claimNewest(shop)).toMatchObject({ kind: 'publish' });
    },
  );

  test('what the app has said about it by then counts', async () => {
    const { shop, upload, taskId } = await uploadWithOpenTask('app-c');
    await keepAppTask(system.sql, shop.integrationId, taskId, { kind: 'live' });
    await changeApp(shop, 'app-b');
    expect(await confirmNext(shop)).toMatchObject({ next: 'ended', state: 'uploaded' });
    expect(await steps.outcome(upload)).toEqual({ state: 'uploaded', messages: [] });
    const [row] = await system.sql`
      select live_upload_id from publication where store_id = ${shop.storeId}::bigint`;
    expect(row).toEqual({ liveUploadId: null });
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
      const { shop, upload } = await uploadWithOpenTask(app);
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

  test('is given up once the deadline of its task is over', async () => {
    const { shop, upload } = await uploadWithOpenTask('app-c');
    await makeOld(upload);
    await system.sql`
      update publication set slot_until = now() - interval '1 s'
      where store_id = ${shop.storeId}::bigint`;
    expect(await steps.postpone({ ...upload, isDue: true })).toMatchObject({ state: 'failed' });
  });
});

/** `burger` is sold with a group and also an option: App C gets a copy, `burger~option`. A category is called `10` too. */
function menuWithCopy(): MenuDocument {
  const [menu] = versionedMenu(1).menus;
  if (!menu) throw new Error('There is no menu.');
  return {
    menus: [{ ...menu, category_external_ids: ['10'] }],
    categories: [category('10', ['burger', 'set', '10'])],
    items: [
      item('burger', { data_modifier_groups: [uses('G1')] }),
      item('set', { data_modifier_groups: [uses('G2')] }),
      item('10'),
    ],
    modifier_groups: [group('G1', ['10']), group('G2', ['burger'])],
  };
}

/** Uploads the menu; the app's callback about its task, if it is given, says what was refused. */
async function uploadWithCopy(shop: Shop, failed?: readonly FailedEntity[]) {
  const upload = await steps.claim(shop, menuWithCopy());
  await steps.fetchToken(upload);
  await steps.transformMenu({ ...upload, tokenFetched: true });
  expect(await steps.pushMenu(upload)).toMatchObject({ next: 'accepted' });
  if (failed) {
    const [row] = await system.sql<{ taskId: string }[]>`
      select task_id from menu_upload where upload_id = ${upload.uploadId}`;
    const outcome = { kind: 'partly_live', failed } as const;
    await keepAppTask(system.sql, shop.integrationId, row?.taskId ?? '', outcome);
  }
  while ((await steps.confirmTask(upload)).next === 'running') await sleep(50);
  const [row] = await system.sql<{ itemIds: object }[]>`
    select item_ids from menu_upload where upload_id = ${upload.uploadId}`;
  const { state, messages } = await steps.outcome(upload);
  expect([state, messages[0]]).toEqual([
    'partly_uploaded',
    'The delivery system did not accept the whole menu.',
  ]);
  return { sentences: messages.slice(1), itemIds: row?.itemIds };
}

const ALL = { burger: ['burger', 'burger~option'], set: ['set'], '10': ['10'] };

test.each([
  ['a copy', ['burger~option'], { ...ALL, burger: ['burger'] }],
  ['the item of a copy', ['burger'], { ...ALL, burger: ['burger~option'] }],
  ['an item and its copy', ['burger', 'burger~option'], { set: ['set'], '10': ['10'] }],
])(
  'if the app refuses %s, its item is named once, and is switched by what is left of it',
  async (_, ids, itemIds) => {
    const shop = await system.openShop('app-c');
    await shop.fault({ kind: 'task_partial', ids });
    expect(await uploadWithCopy(shop)).toEqual({
      sentences: ['The entity burger was refused: a word is forbidden (errno 80107)'],
      itemIds,
    });
  },
);

test('a refused category leaves an item with the same id as it is', async () => {
  const shop = await system.openShop('app-c');
  const refused = { externalId: '10', message: 'no name', isNoItem: true } as const;
  expect(await uploadWithCopy(shop, [refused])).toEqual({
    sentences: ['The entity 10 was refused: no name'],
    itemIds: ALL,
  });
});

test('if the app refuses every item that a menu has, none can be switched', async () => {
  const shop = await system.openShop('app-c');
  const failed = Object.values(ALL)
    .flat()
    .map((externalId) => ({ externalId, message: 'no' }));
  expect((await uploadWithCopy(shop, failed)).itemIds).toEqual({});
});
