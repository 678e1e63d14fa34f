import { createCaller, type TestCaller } from '../support/api';
import type { Shop } from '../support/shop';
import { startSystem, stopSystems } from '../support/system';
import { until } from '../support/until';

// Side by side, each with a system of its own: both wait for seconds.
afterAll(stopSystems);

const checkOf = (user: TestCaller, { storeId, integrationId }: Shop) =>
  user.post('/menus/live/check', { store_id: storeId, integration_id: String(integrationId) });

test.concurrent('our own menu, approved by App D and not yet confirmed to us, is no drift', async () => {
  const slow = await startSystem({
    env: { APP_D: 'rappi', WEBHOOK_ALLOW_HTTP: 'true' },
    timing: { approvalFirstMs: 4_000, approvalEveryMs: 3_600_000 },
  });
  const user = createCaller(slow.apiUrl(), '', slow.token);
  const shop = await slow.openShop('app-d');
  const registered = await user.post('/events/webhook/manage', {
    url: 'http://127.0.0.1:9/',
    events: ['menu.drifted'],
  });
  expect(registered.status).toBe(200);
  await shop.upload('first');
  const { uploadId } = await shop.upload('second', { headers: { prefer: 'respond-async' } });
  await until(async () => (await shop.accepted()).at(-1) === 'second');
  const meanwhile = await checkOf(user, shop);
  expect((await shop.status(uploadId)).state).toBe('running');
  expect([meanwhile.status, meanwhile.json.data.changes]).toEqual([200, []]);
  expect(meanwhile.json.data.drift).toMatchObject({ state: 'unknown', checked_at: null });
  await shop.ended(uploadId);
  expect((await checkOf(user, shop)).json.data).toMatchObject({
    upload_id: uploadId,
    drift: { state: 'same' },
  });
  expect(await slow.sql`select from delivery where event_type = 'menu.drifted'`).toHaveLength(0);
});

test.concurrent('the schedule detects a changed menu without a request, and reports it once', async () => {
  const scheduled = await startSystem({
    env: { DRIFT_CHECK_EVERY: '10s', WEBHOOK_ALLOW_HTTP: 'true' },
    sweepEveryMs: 500,
  });
  const user = createCaller(scheduled.apiUrl(), '', scheduled.token);
  const shop = await scheduled.openShop('app-a');
  const registered = await user.post('/events/webhook/manage', {
    url: 'http://127.0.0.1:9/',
    events: ['menu.drifted'],
  });
  expect(registered.status).toBe(200);
  await shop.upload(1);
  const shown = JSON.stringify(await shop.payload()).replaceAll('Water', 'Tap water');
  await shop.showInstead(JSON.parse(shown));
  const live = async () =>
    (await user.get(`/menus/live?store_id=${shop.storeId}`)).json.data[0].drift;
  await until(async () => (await live()).state === 'changed');
  expect((await checkOf(user, shop)).json.data.drift.state).toBe('changed');
  const events = await scheduled.sql<{ payload: { data: object } }[]>`
    select payload from delivery where event_type = 'menu.drifted'`;
  expect(events.map(({ payload }) => payload.data)).toEqual([
    expect.objectContaining({
      store_id: shop.storeId,
      integration_id: String(shop.integrationId),
      drift: expect.objectContaining({ state: 'changed', changes_count: 1 }),
    }),
  ]);
});
