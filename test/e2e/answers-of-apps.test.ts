import { availabilityOf } from '../support/availability-calls';
import { type SharedSystem, startSystem, stopSystems } from '../support/system';

let system: SharedSystem;
beforeAll(async () => {
  system = await startSystem();
});
afterAll(stopSystems);

test('a caller hears that the app takes no token of the integration', async () => {
  const shop = await system.openShop('app-b');
  await shop.fault({ kind: 'token_expired', mode: 'always' });
  const { status, body } = await shop.upload(1);
  expect([status, body.message]).toEqual([
    409,
    expect.arrayContaining(['The delivery system did not accept the token.']),
  ]);
});

test('a caller hears that the app took only a part of the menu', async () => {
  const shop = await system.openShop('app-c');
  await shop.fault({ kind: 'task_partial', ids: ['I2'] });
  const { status, body } = await shop.upload(1);
  expect([status, body.message]).toEqual([
    409,
    expect.arrayContaining(['The delivery system did not accept the whole menu.']),
  ]);
});

test('of menus sent at once the newest is shown, and the callers of the others hear it', async () => {
  const shop = await system.openShop('app-b');
  await shop.fault({ kind: 'slow', ms: 300, times: 10 });
  const answers = await Promise.all([1, 2, 3, 4, 5].map((version) => shop.upload(version)));
  const newest = await system.sql<{ uploadId: string }[]>`
    select upload_id from menu_upload where store_id = ${shop.storeId}::bigint order by seq desc limit 1`;
  const winner = answers.findIndex(({ uploadId }) => uploadId === newest[0]?.uploadId);
  expect(answers[winner]?.status).toBe(200);
  expect(await shop.shown()).toBe(String(winner + 1));
  expect(
    answers.filter(({ status }) => status === 409).map(({ body }) => body.message),
  ).toContainEqual(['A newer menu replaced this upload.']);
});

test.each(['app-a', 'app-b', 'app-c'] as const)(
  'in %s an item goes off sale and comes back, and the store pauses and goes on',
  async (app) => {
    const shop = await system.openShop(app);
    const calls = availabilityOf(system, shop);
    await shop.upload(1);
    for (const available of [false, true]) {
      expect(await calls.switch([{ external_id: 'I1', available }])).toMatchObject({ status: 200 });
    }
    expect(await calls.pause()).toMatchObject({ status: 200 });
    expect((await shop.store()).paused).toBe(true);
    expect(await calls.resume()).toMatchObject({ status: 200 });
    expect((await shop.store()).paused).toBe(false);
  },
);
