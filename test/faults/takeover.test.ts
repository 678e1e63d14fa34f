import { setTimeout as sleep } from 'node:timers/promises';
import type { Shop } from '../support/shop';
import { prepareSystem, stopSystems, type System } from '../support/system';

let system: System;
beforeEach(async () => {
  system = await prepareSystem();
  await system.startApi();
});
afterEach(stopSystems);

/** When the n-th (1-based) push reached the app, ms since epoch. */
async function pushedAt(shop: Shop, n: number): Promise<number> {
  for (;;) {
    const push = (await shop.requests('upload'))[n - 1];
    if (push) return Date.parse(push.started_at);
    await sleep(20);
  }
}

// 2.2 s without a heartbeat and 0.2 s until the next try; the rest is for a machine that runs other tests.
const PROMPTLY_MS = 4_500;

test('a push whose worker is killed is restarted by another within three seconds', async () => {
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
  expect((await pushedAt(shop, 2)) - killedAt).toBeLessThan(PROMPTLY_MS);
  expect((await answer).status).toBe(200);
});

test('an upload whose worker is killed in a local step is taken over within about four seconds', async () => {
  const shop = await system.openShop('app-b');
  const mortal = await system.startChild({ role: 'worker', stopAt: ['worker:before-transform'] });
  const answer = shop.upload(1);
  await mortal.reached(1);
  await system.startWorker();
  const killedAt = Date.now();
  mortal.kill('SIGKILL');
  expect((await pushedAt(shop, 1)) - killedAt).toBeLessThan(8_000);
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
