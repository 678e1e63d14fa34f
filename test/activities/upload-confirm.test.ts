import { setTimeout as sleep } from 'node:timers/promises';
import type { FailedEntity } from '../../src/delivery-apps/app-client';
import { updateIntegration } from '../../src/delivery-apps/sql/integrations';
import type { MenuDocument } from '../../src/menus/menu';
import { keepAppTask } from '../../src/uploads/sql/app-tasks';
import type { Shop } from '../support/shop';
import { confirmNext, uploadWithOpenTask } from '../support/open-task';
import { useUploadSteps } from '../support/upload-steps';
import { versionedMenu } from '../support/versioned-menu';
import { category, group, item, uses } from '../unit/app-c-menus';

const { system, steps } = useUploadSteps({ env: { APP_D: 'rappi' } });

test('while a task is asked after, newer uploads need not wake the workflow, and do not make it ask at once', async () => {
  const { shop, upload } = await uploadWithOpenTask(system, steps, 'app-c');
  // The lease of the claim has run out.
  await system.sql`
    update publication set lease_until = now() - interval '1 s'
    where store_id = ${shop.storeId}::bigint`;
  expect(await steps.confirmTask(upload)).toMatchObject({ next: 'running' });
  const [row] = await system.sql<{ awake: boolean }[]>`
    select lease_until > now() + interval '100 s' as awake from publication
    where store_id = ${shop.storeId}::bigint`;
  expect(row).toEqual({ awake: true });
  await steps.takeOver(shop);
  expect(await steps.confirmTask(upload)).toEqual({ next: 'stale' });
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
      const { shop, upload } = await uploadWithOpenTask(system, steps, app);
      const other = await changeApp(shop, next);
      expect(await confirmNext(steps, shop)).toMatchObject({ next: 'ended', state: 'failed' });
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
    const { shop, upload, taskId } = await uploadWithOpenTask(system, steps, 'app-c');
    await keepAppTask(system.sql, shop.integrationId, taskId, { kind: 'live' });
    await changeApp(shop, 'app-b');
    expect(await confirmNext(steps, shop)).toMatchObject({ next: 'ended', state: 'uploaded' });
    expect(await steps.outcome(upload)).toEqual({ state: 'uploaded', messages: [] });
    const [row] = await system.sql`
      select live_upload_id from publication where store_id = ${shop.storeId}::bigint`;
    expect(row).toEqual({ liveUploadId: null });
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
