import { newId } from '../../src/platform/ids';
import { startTestApi, type TestApi, type TestCaller } from '../support/api';
import { createSystem, linkStore, manageWebhook } from '../support/inventory';
import { startRollout } from '../support/rollouts';
import { only, openShop, type Shop } from './timeline-shop';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi({ ACK_WAIT: '0s', UPLOAD_WAIT: '0s' });
});
afterAll(() => api.stop());

/** As the worker leaves it. */
async function endUpload(uploadId: string, state: string, messages: readonly string[] = []) {
  await api.sql`
    update menu_upload set state = ${state}, finished_at = now(),
      messages = ${JSON.stringify(messages)}::text::json
    where upload_id = ${uploadId}`;
}

test.each([
  ['queued', [], 'A menu waits to be sent to App B'],
  ['uploaded', [], 'The menu went live in App B'],
  [
    'failed',
    ['Could not upload menu to delivery system.', 'The menu is empty.'],
    'The menu did not go live in App B: The menu is empty.',
  ],
  ['superseded', [], 'The menu for App B was replaced by a newer one'],
  ['canceled', [], 'The menu for App B was canceled'],
])('an upload that is %s', async (state, messages, title) => {
  const shop = await openShop(api);
  const uploadId = await shop.rows.insert();
  if (state !== 'queued') await endUpload(uploadId, state, messages);
  const [entry, ...more] = await shop.timeline();
  expect(more).toEqual([]);
  expect(entry).toEqual({
    at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    kind: 'upload',
    title,
    state,
    // Of another user, and this one is no operator.
    by: null,
    url: `/api/v1/menus/uploads/${uploadId}`,
  });
});

test('items off sale, with their time by the clock of the store', async () => {
  const shop = await openShop(api);
  await shop.owner.patch(`/store/${shop.storeId}`, { time_zone: 'America/Mexico_City' });
  const until = new Date(Date.now() + 5 * 86_400_000);
  until.setUTCHours(18, 30, 0, 0);
  const made = await shop.owner.post('/menus/availability', {
    store_id: shop.storeId,
    integration_ids: [shop.integrationId],
    items: [{ external_id: 'I1', available: false, until: until.toISOString() }],
  });
  const [{ change_id: changeId }] = made.json.data.changes;
  await api.sql`
    update availability_change set state = 'queued', finished_at = null, messages = '[]'
    where change_id = ${changeId}`;
  const entry = only(await shop.timeline(), 'availability');
  const day = until.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' });
  expect(entry).toMatchObject({
    title: `Item I1 is to be taken off sale in App B until 12:30 on ${day}`,
    state: 'queued',
    by: { user_id: shop.owner.userId, name: 'A user' },
    url: `/api/v1/menus/availability/changes/${changeId}`,
  });
  await api.sql`
    update availability_change set state = 'failed', finished_at = now(),
      messages = '["The app is closed."]'::json where change_id = ${changeId}`;
  expect(only(await shop.timeline(), 'availability').title).toBe(
    `Item I1 could not be taken off sale in App B until 12:30 on ${day}: The app is closed.`,
  );
  await api.sql`
    update availability_change set messages = '["The item I1 was refused: closed","Twice!"]'::json
    where change_id = ${changeId}`;
  expect(only(await shop.timeline(), 'availability').title).toMatch(
    /: The item I1 was refused: closed\. Twice!$/,
  );
  await api.sql`
    update availability_change set messages = '["One","Two","Three","Four","Five"]'::json
    where change_id = ${changeId}`;
  expect(only(await shop.timeline(), 'availability').title).toMatch(
    /: One\. Two\. Three\. And 2 more\.$/,
  );
  await api.sql`
    update availability_change set state = 'done', messages = '["The item can not be ordered: I2"]'::json
    where change_id = ${changeId}`;
  expect(only(await shop.timeline(), 'availability').title).toMatch(
    / is off sale in App B until .*\. The item can not be ordered: I2$/,
  );
});

test.each([
  ['done', 'stock', [['I1', false]], 'Item I1 is off sale in App B, by its stock'],
  ['done', 'api', [['I1', true]], 'Item I1 is back on sale in App B'],
  [
    'superseded',
    'api',
    [['I1', true]],
    'Item I1 was to be put back on sale in App B, and a newer change took its place',
  ],
  [
    'done',
    'api',
    [
      ['I1', false],
      ['I2', false],
      ['I3', false],
      ['I4', false],
    ],
    '4 items (I1, I2, I3 and more) are off sale in App B',
  ],
  [
    'done',
    'api',
    [
      ['I1', false],
      ['I2', true],
    ],
    '2 items (I1, I2) are switched on or off in App B',
  ],
] as const)('a change of items that is %s, by %s: %j', async (state, cause, items, title) => {
  const shop = await openShop(api);
  const changeId = newId('avc');
  await api.sql`
    insert into availability_change (change_id, request_row_id, store_id, integration_id, named_integration, kind,
      cause, state, request_id, finished_at)
    values (${changeId}, 'r', ${shop.storeId}::bigint, ${shop.integrationId}::bigint, 'x', 'items', ${cause}, ${state},
      'r', now())`;
  for (const [position, [externalId, available]] of items.entries()) {
    await api.sql`
      insert into availability_item (change_id, position, store_id, integration_id, external_id, available, state)
      values (${changeId}, ${position}::int, ${shop.storeId}::bigint, ${shop.integrationId}::bigint, ${externalId},
        ${available}::boolean, 'done')`;
  }
  expect(only(await shop.timeline(), 'availability')).toMatchObject({ title, state, by: null });
});

test('a pause with its reason', async () => {
  const shop = await openShop(api);
  const made = await shop.owner.post(`/store/${shop.storeId}/pause`, {
    reason: 'The oven is broken.',
  });
  const [change] = made.json.data.changes;
  expect(change).toMatchObject({ reason: 'The oven is broken.' });
  expect(only(await shop.timeline(), 'pause')).toMatchObject({
    title: 'The store is to be paused in App B: The oven is broken.',
    state: 'queued',
    by: { user_id: shop.owner.userId },
    url: `/api/v1/menus/availability/changes/${change.change_id}`,
  });
});

test('a rollout, for who started it, and for another user who has the store', async () => {
  const shop = await openShop(api);
  const rolloutId = await startRollout(shop.owner, 1, [
    { store_id: shop.storeId, integration_id: shop.integrationId },
  ]);
  expect(only(await shop.timeline(), 'rollout')).toMatchObject({
    title: 'A rollout to this store was started',
    state: 'running',
    by: { user_id: shop.owner.userId },
    url: `/api/v1/menus/rollouts/${rolloutId}`,
  });
  const colleague = await api.user();
  await api.sql`
    insert into user_store (store_id, user_id)
    values (${shop.storeId}::bigint, ${colleague.userId})`;
  const seen = await shop.timeline('', colleague);
  expect(only(seen, 'rollout')).toMatchObject({ by: null, url: null });
  expect(only(seen, 'upload').url).not.toBeNull();
});

test('a live menu that differs, once, and that it is as sent again', async () => {
  const shop = await openShop(api);
  await shop.rows.insert();
  const reading = (state: string, told: string | null, count: number) => api.sql`
    update publication set drift_state = ${state}, drift_checked_at = now(),
      drift_changes_count = ${count}::int, drift_told = ${told}
    where store_id = ${shop.storeId}::bigint`;
  await reading('same', null, 0);
  await reading('changed', 'a', 1);
  await reading('changed', 'a', 1);
  await reading('changed', 'b', 2);
  await reading('same', null, 0);
  const found = (await shop.timeline()).filter(({ kind }) => kind === 'drift');
  expect(found.map(({ title }) => title)).toEqual([
    'App B shows the menu as it was sent again',
    'App B shows another menu than was sent (2 differences)',
    'App B shows another menu than was sent (1 difference)',
  ]);
  expect(found[0]).toMatchObject({
    state: 'same',
    by: null,
    url: `/api/v1/menus/live?store_id=${shop.storeId}`,
  });
});

/** As if a delivery about the store had ended so. */
async function endDelivery(shop: Shop, systemId: string, state: string, message: string | null) {
  const deliveryId = newId('dlv');
  await api.sql`
    insert into ended_delivery (delivery_id, subscription_id, user_id, inventory_system_id, store_id, sequence,
      created_at, finished_at, attempts_made, attempts_before_resend, type, state, message, request_id, attempts, payload)
    select ${deliveryId}, subscription_id, ${shop.owner.userId}, inventory_system_id, ${shop.storeId}::bigint, 1,
      now(), now(), 3, 0, 2, ${state}, ${message}, 'r', '{}', ${message === null ? '{}' : '{"external_id":"soup"}'}::text::json
    from subscription where inventory_system_id = ${systemId}::uuid and type = 2`;
  return deliveryId;
}

test('webhooks that failed, and none that did not; a system is named to who may know it', async () => {
  const shop = await openShop(api);
  const maker = await api.user('inventory:create');
  const systemId = await createSystem(maker, `Stock keeper ${shop.storeId}`);
  await manageWebhook(maker, systemId, 2);
  const operator = await api.user('operator');
  await linkStore(operator, systemId, shop.storeId);
  const refused = await endDelivery(shop, systemId, 'refused', 'No such item.');
  await endDelivery(shop, systemId, 'exhausted', null);
  await endDelivery(shop, systemId, 'discarded', null);
  await endDelivery(shop, systemId, 'acknowledged', null);
  const titles = async (caller?: TestCaller) =>
    (await shop.timeline('', caller)).map(({ title }) => title);
  expect(await titles()).toEqual([
    'A webhook with a stock movement for an inventory system was discarded',
    'A webhook with a stock movement for an inventory system was given up after 3 attempts',
    'A webhook with a stock movement of soup was refused by an inventory system: No such item.',
  ]);
  for (const caller of [operator, await api.user('support')]) {
    expect((await titles(caller)).at(-1)).toBe(
      `A webhook with a stock movement of soup was refused by Stock keeper ${shop.storeId}: No such item.`,
    );
  }
  expect((await shop.timeline()).at(-1)).toMatchObject({
    state: 'refused',
    url: `/api/v1/webhooks/deliveries/${refused}`,
  });
});
