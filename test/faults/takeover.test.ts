import { setTimeout as sleep } from 'node:timers/promises';
import type { Shop } from '../support/shop';
import { prepareSystem, stopSystems, type System } from '../support/system';
import { until } from '../support/until';

let system: System;
beforeEach(async () => {
  system = await prepareSystem();
  await system.startApi();
});
afterEach(stopSystems);

/** When the n-th (1-based) push reached the app, ms since epoch. */
async function pushedAt(shop: Shop, n: number): Promise<number> {
  let pushedAtMs: number | undefined;
  await until(async () => {
    const push = (await shop.requests('upload'))[n - 1];
    pushedAtMs = push && Date.parse(push.started_at);
    return push !== undefined;
  });
  return pushedAtMs ?? Number.NaN;
}

// 2.2 s without a heartbeat and 0.2 s until the next try; the rest is for a machine that runs other tests.
const PUSH_AGAIN_MS = 4_500;
// Until another worker may continue a run that the dead one has cached: a local step has no heartbeat.
const LOCAL_STEP_AGAIN_MS = 8_000;

test('a push whose worker is killed is restarted by another, on a busy machine within 4.5 seconds', async () => {
  const shop = await system.openShop('app-b');
  const mortal = await system.startChild({ role: 'worker' });
  await shop.fault({ kind: 'slow', ms: 20_000 });
  const answer = shop.upload(1);
  await pushedAt(shop, 1);
  await system.startWorker();
  // A push that lasts: heartbeats have been sent.
  await sleep(2_000);
  const killedAt = Date.now();
  mortal.kill('SIGKILL');
  expect((await pushedAt(shop, 2)) - killedAt).toBeLessThan(PUSH_AGAIN_MS);
  expect((await answer).status).toBe(200);
});

test('an upload whose worker is killed in a local step is taken over, on a busy machine within eight seconds', async () => {
  const shop = await system.openShop('app-b');
  const mortal = await system.startChild({ role: 'worker', stopAt: ['worker:before-transform'] });
  const answer = shop.upload(1);
  await mortal.reached(1);
  await system.startWorker();
  const killedAt = Date.now();
  mortal.kill('SIGKILL');
  expect((await pushedAt(shop, 1)) - killedAt).toBeLessThan(LOCAL_STEP_AGAIN_MS);
  expect((await answer).status).toBe(200);
});

test('a slow worker sends enough heartbeats: a long push is made once', async () => {
  const shop = await system.openShop('app-b');
  await system.startWorker();
  // More than twice the time without a heartbeat after which a worker counts as dead.
  await shop.fault({ kind: 'slow', ms: 6_000 });
  expect((await shop.upload(1)).status).toBe(200);
  expect(await shop.requests('upload')).toHaveLength(1);
});
