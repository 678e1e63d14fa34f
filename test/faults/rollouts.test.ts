import { createCaller, type TestCaller } from '../support/api';
import { hasEnded, listTargets, seeRollout, startRollout, untilRollout } from '../support/rollouts';
import type { Shop } from '../support/shop';
import { type AppStore, openStores } from '../support/stores-of-app';
import { prepareSystem, startSystem, stopSystems, type System } from '../support/system';
import { until } from '../support/until';

afterAll(stopSystems);

const callerOf = (system: System): TestCaller => createCaller(system.apiUrl(), '', system.token);
const placesOf = (shop: Shop, stores: readonly Pick<AppStore, 'storeId'>[]) =>
  stores.map(({ storeId }) => ({ store_id: storeId, integration_id: shop.integrationId }));

test('fifty targets end once each while workers are killed, and are reverted', async () => {
  const system = await prepareSystem();
  await system.startApi();
  const caller = callerOf(system);
  const shop = await system.openShop('app-b');
  const failing = await system.openShop('app-b');
  await failing.fault({ kind: 'status', status: 400, times: 1_000 });
  const stores = await openStores(system, shop, 48);
  const bad = await openStores(system, failing, 2);
  const good = placesOf(shop, stores);

  let worker = await system.startChild({ role: 'worker' });
  const first = await startRollout(caller, 1, good, { parallel: 10 });
  await untilRollout(caller, first, hasEnded);
  const second = await startRollout(caller, 2, [...placesOf(failing, bad), ...good], {
    parallel: 10,
  });
  for (const uploaded of [10, 30]) {
    await untilRollout(caller, second, ({ counts }) => counts.uploaded >= uploaded);
    worker.kill('SIGKILL');
    await worker.ended;
    worker = await system.startChild({ role: 'worker' });
  }
  const done = await untilRollout(caller, second, hasEnded);
  expect(done).toMatchObject({ state: 'done', counts: { uploaded: 48, failed: 2 }, revert: null });
  expect(await versionsOf(shop, stores)).toEqual(new Set(['2']));
  const targets = await listTargets(caller, second);
  expect(targets.map(({ state, live }) => [state, live])).toEqual([
    ['failed', false],
    ['failed', false],
    ...good.map(() => ['uploaded', true]),
  ]);

  await caller.post(`/menus/rollouts/${second}/revert`, {});
  await untilRollout(caller, second, ({ revert }) => (revert?.reverted ?? 0) >= 20);
  worker.kill('SIGKILL');
  await worker.ended;
  await system.startChild({ role: 'worker' });
  const reverted = await untilRollout(caller, second, hasEnded);
  expect(reverted).toMatchObject({ state: 'reverted', revert: { reverted: 48, not_live: 2 } });
  expect(await versionsOf(shop, stores)).toEqual(new Set(['1']));

  await caller.post(`/menus/rollouts/${first}/revert`, {});
  // The menus of the first rollout are live again, by other uploads than its own.
  expect(await untilRollout(caller, first, hasEnded)).toMatchObject({ revert: { not_live: 48 } });
  // Its workflow has checked it since.
  expect(await seeRollout(caller, second)).toEqual(reverted);
  await system.stop();
}, 240_000);

/** The versions that the app shows of these stores; one that it does not show is `undefined`. */
async function versionsOf(
  shop: Shop,
  stores: readonly AppStore[],
): Promise<Set<string | undefined>> {
  const shown = await shop.shownByStore();
  return new Set(stores.map(({ appStoreId }) => shown.get(appStoreId)));
}

test('a target lost since the rollout was accepted is refused when it would start', async () => {
  const system = await prepareSystem();
  await system.startApi();
  const caller = callerOf(system);
  const shop = await system.openShop('app-b');
  const [lost, deleted, ...rest] = await openStores(system, shop, 3);
  const rolloutId = await startRollout(
    caller,
    1,
    placesOf(
      shop,
      [lost, deleted, ...rest].flatMap((each) => each ?? []),
    ),
  );
  await system.sql`delete from user_store where store_id = ${lost?.storeId ?? 0}::bigint`;
  await system.sql`update app_user set permissions = array_remove(permissions, 'operator')`;
  await caller.remove(`/store/${deleted?.storeId ?? 0}`);
  await system.startWorker();
  const ended = await untilRollout(caller, rolloutId, hasEnded);
  expect(ended).toMatchObject({ state: 'done', counts: { uploaded: 1, refused: 2 } });
  expect((await listTargets(caller, rolloutId)).map(({ messages }) => messages)).toEqual([
    ["You don't have this store available."],
    ['The store was not found.'],
    [],
  ]);
  await system.stop();
});

describe('in one system', () => {
  let system: System;
  let caller: TestCaller;
  beforeAll(async () => {
    const timing = { approvalFirstMs: 1_000, approvalEveryMs: 1_000 };
    system = await startSystem({ env: { APP_D: 'rappi' }, timing });
    caller = callerOf(system);
  });

  test.concurrent('an upload accepted after the rollout wins, and its target ends without a push', async () => {
    const [slow, shop] = [await system.openShop('app-b'), await system.openShop('app-b')];
    await slow.fault({ kind: 'slow', ms: 3_000, times: 1 });
    const places = [...placesOf(slow, [slow]), ...placesOf(shop, [shop])];
    const rolloutId = await startRollout(caller, 1, places, { parallel: 1 });
    await untilRollout(caller, rolloutId, ({ counts }) => counts.running + counts.queued === 1);
    expect((await shop.upload(2)).status).toBe(200);
    const ended = await untilRollout(caller, rolloutId, hasEnded);
    expect(ended).toMatchObject({ state: 'done', counts: { uploaded: 1, superseded: 1 } });
    expect(await shop.accepted()).toEqual(['2']);
  });

  test.concurrent('of two rollouts the one accepted later wins on common targets', async () => {
    const [slow, shop] = [await system.openShop('app-b'), await system.openShop('app-b')];
    await slow.fault({ kind: 'slow', ms: 2_000, times: 1 });
    const first = await startRollout(
      caller,
      1,
      [...placesOf(slow, [slow]), ...placesOf(shop, [shop])],
      { parallel: 1 },
    );
    const second = await startRollout(caller, 2, placesOf(shop, [shop]));
    expect(await untilRollout(caller, second, hasEnded)).toMatchObject({ counts: { uploaded: 1 } });
    expect(await untilRollout(caller, first, hasEnded)).toMatchObject({
      counts: { uploaded: 1, superseded: 1 },
    });
    expect(await shop.accepted()).toEqual(['2']);
  });

  test.concurrent('after the allowed failures no further target starts', async () => {
    const failing = await system.openShop('app-b');
    await failing.fault({ kind: 'status', status: 400, times: 1_000 });
    const stores = await openStores(system, failing, 6);
    const rolloutId = await startRollout(caller, 1, placesOf(failing, stores), {
      parallel: 1,
      stop_after_failures: 2,
    });
    const stopped = await untilRollout(caller, rolloutId, hasEnded);
    expect(stopped).toMatchObject({ state: 'stopped', counts: { failed: 2, canceled: 4 } });
  });

  test.concurrent('a target that waits for an app gives up its permit, and canceling ends it', async () => {
    const [away, shop] = [await system.openShop('app-b'), await system.openShop('app-b')];
    await away.fault({ kind: 'status', status: 503, times: 1_000 });
    const places = [...placesOf(away, [away]), ...placesOf(shop, [shop])];
    const rolloutId = await startRollout(caller, 1, places, { parallel: 1 });
    await untilRollout(caller, rolloutId, ({ counts }) => counts.uploaded === 1);
    expect(await seeRollout(caller, rolloutId)).toMatchObject({
      state: 'running',
      counts: { running: 1, uploaded: 1 },
    });
    const waiting = async () => {
      const [target] = await listTargets(caller, rolloutId);
      const upload = await caller.get(`/menus/uploads/${target?.upload_id ?? ''}`);
      return upload.json.data.next_attempt_at !== null;
    };
    await until(async () => await waiting());
    await caller.post(`/menus/rollouts/${rolloutId}/cancel`, {});
    expect(await untilRollout(caller, rolloutId, hasEnded)).toMatchObject({
      state: 'canceled',
      counts: { uploaded: 1, canceled: 1 },
    });
    const [target] = await listTargets(caller, rolloutId);
    expect(target?.messages).toEqual(['The upload was canceled.', expect.stringMatching(/503/)]);
  });

  test.concurrent('a menu that waits for people at App D gives up its permit to the next target', async () => {
    const [slow, shop] = [await system.openShop('app-d'), await system.openShop('app-b')];
    await slow.fault({ kind: 'approval', mode: 'never' });
    const places = [...placesOf(slow, [slow]), ...placesOf(shop, [shop])];
    const rolloutId = await startRollout(caller, 1, places, { parallel: 1 });
    const rollout = await untilRollout(caller, rolloutId, ({ counts }) => counts.uploaded === 1);
    expect(rollout).toMatchObject({ state: 'running', counts: { running: 1 } });
  });

  test.concurrent('in a rollout that failures can stop, nothing starts before people at App D have decided', async () => {
    const [refused, shop] = [await system.openShop('app-d'), await system.openShop('app-b')];
    await refused.fault({ kind: 'approval', mode: 'rejected' });
    const places = [...placesOf(refused, [refused]), ...placesOf(shop, [shop])];
    const options = { parallel: 1, stop_after_failures: 1 };
    const rolloutId = await startRollout(caller, 1, places, options);
    expect(await untilRollout(caller, rolloutId, hasEnded)).toMatchObject({
      state: 'stopped',
      counts: { failed: 1, canceled: 1 },
    });
    expect(await shop.requests('upload')).toEqual([]);
  });
});
