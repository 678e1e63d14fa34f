import { setTimeout as sleep } from 'node:timers/promises';
import { appsToldAgain } from '../../src/delivery-apps/registry';
import { availabilityOf } from '../support/availability-calls';
import { until } from '../support/until';
import type { Shop, SimulatedAppName } from '../support/shop';
import { prepareSystem, startSystem, stopSystems, type System } from '../support/system';

const APPS: readonly SimulatedAppName[] = ['app-a', 'app-b', 'app-c', 'app-d'];
const ENV = { APP_D: 'rappi', DELIVERY_APP_TIMEOUT: '4s' };
const TIMING = { slowRetryMs: [300], approvalFirstMs: 100, approvalEveryMs: 200 };

afterAll(stopSystems);

const offIn = async (shop: Shop) => (await shop.store()).off.map(({ id }) => id);

/** Faults of a call, and how often the app is called for one item. */
const FAULTS = [
  [{ kind: 'status', status: 500 }, 2],
  [{ kind: 'rate_limit', s: 1 }, 2],
  [{ kind: 'reset_before' }, 2],
  [{ kind: 'reset_mid' }, 2],
  [{ kind: 'late', ms: 8_000 }, 2],
  [{ kind: 'slow', ms: 300 }, 1],
  [{ kind: 'token_expired' }, 2],
] as const;

/** Apps that are told again after a menu are told once more if the item goes off sale before the upload has seen that nothing was. */
const toldAgain = (app: SimulatedAppName) => (appsToldAgain().includes(app) ? 1 : 0);

describe('in one system', () => {
  let system: System;
  beforeAll(async () => {
    system = await startSystem({ env: ENV, timing: TIMING });
  });
  afterAll(() => system.stop());

  test.concurrent.each(APPS)(
    '%s that fails for a moment gets the change in the end',
    async (app) => {
      await Promise.all(
        FAULTS.map(async ([fault, calls]) => {
          const shop = await system.openShop(app);
          await shop.upload(1);
          await shop.fault({ ...fault, route: 'availability' });
          const changed = await availabilityOf(system, shop).switch([
            { external_id: 'I1', available: false },
          ]);
          expect([fault.kind, changed.status]).toEqual([fault.kind, 200]);
          expect([fault.kind, await offIn(shop)]).toEqual([fault.kind, ['I1']]);
          const requests = (await shop.requests('availability')).length;
          expect([fault.kind, requests >= calls]).toEqual([fault.kind, true]);
          expect([fault.kind, requests <= calls + toldAgain(app)]).toEqual([fault.kind, true]);
        }),
      );
    },
  );

  test.concurrent.each(APPS)(
    '%s that refuses one item switches the others, and the caller learns which one failed',
    async (app) => {
      const shop = await system.openShop(app);
      await shop.upload(1);
      // App D names none, so it is called again for each.
      await shop.fault({ kind: 'item_failed', ids: ['I2'], times: 10 });
      const calls = availabilityOf(system, shop);
      const changed = await calls.switch([
        { external_id: 'I1', available: false },
        { external_id: 'I2', available: false },
      ]);
      expect(changed).toMatchObject({
        status: 409,
        changes: [
          { state: 'failed', messages: [expect.stringMatching(/^The item I2 was refused: ./)] },
        ],
      });
      expect(await offIn(shop)).toEqual(['I1']);
      expect(await calls.list()).toMatchObject([{ state: 'failed' }, { state: 'done' }]);
    },
  );

  test.concurrent('a refused token ends the change, and a pause', async () => {
    const shop = await system.openShop('app-b');
    await shop.upload(1);
    await shop.fault({ kind: 'token_expired', mode: 'always', route: 'availability' });
    await shop.fault({ kind: 'token_expired', mode: 'always', route: 'pause' });
    const calls = availabilityOf(system, shop);
    const sentence = 'The delivery system did not accept the token.';
    expect(await calls.switch([{ external_id: 'I1', available: false }])).toMatchObject({
      status: 409,
      changes: [{ state: 'failed', messages: [sentence] }],
    });
    expect(await calls.pause()).toMatchObject({
      status: 409,
      message: ['Could not update the store in delivery system.', sentence],
    });
    expect(await calls.paused()).toMatchObject({ state: 'failed' });
  });

  test.concurrent('items are switched while the app fails to pause the store', async () => {
    const shop = await system.openShop('app-b');
    await shop.upload(1);
    await shop.fault({ kind: 'status', status: 503, route: 'pause', times: 10 });
    const calls = availabilityOf(system, shop);
    const pausing = calls.pause();
    await until(async () => (await shop.requests('pause')).length > 0);
    expect((await calls.switch([{ external_id: 'I1', available: false }])).status).toBe(200);
    expect((await pausing).status).toBe(200);
    const shown = (await shop.timeline()).map(({ off, paused }) => [off.join(), paused]);
    expect(shown.slice(-2)).toEqual([
      ['I1', false],
      ['I1', true],
    ]);
  });

  test.concurrent('a call about items and a push never run at the same time', async () => {
    const shop = await system.openShop('app-b');
    await shop.upload(1);
    const calls = availabilityOf(system, shop);
    await shop.fault({ kind: 'slow', ms: 1_000, times: 3 });
    await shop.fault({ kind: 'slow', ms: 300, route: 'availability', times: 10 });
    const uploads = [2, 3, 4].map((version) => shop.upload(version));
    for (const available of [false, true, false]) {
      await calls.switch([{ external_id: 'I1', available }]);
    }
    await Promise.all(uploads);
    const [pushes, switches] = [await shop.requests('upload'), await shop.requests('availability')];
    expect(switches.length).toBeGreaterThan(0);
    for (const push of pushes) {
      for (const one of switches) {
        const isBefore = (one.finished_at ?? '') <= push.started_at;
        expect(isBefore || one.started_at >= (push.finished_at ?? '')).toBe(true);
      }
    }
    expect(await offIn(shop)).toEqual(['I1']);
  });
});

test('an app that was away gets the newest change, and no replaced ones', async () => {
  const system = await startSystem({ env: { ...ENV, UPLOAD_WAIT: '500ms' }, timing: TIMING });
  const shop = await system.openShop('app-b');
  await shop.ended((await shop.upload(1)).uploadId);
  await shop.fault({ kind: 'status', status: 503, route: 'availability', times: 3 });
  const calls = availabilityOf(system, shop);
  await calls.switch([{ external_id: 'I1', available: false }]);
  await calls.switch([
    { external_id: 'I1', available: true },
    { external_id: 'I2', available: false },
  ]);
  await until(async () => (await offIn(shop)).join() === 'I2');
  const timeline = await shop.timeline();
  expect(timeline.flatMap(({ off }) => off)).not.toContain('I1');
  await system.stop();
});

async function withChildWorker(env = {}): Promise<{ system: System; shop: Shop }> {
  const system = await prepareSystem({
    env: { ...ENV, ...env },
    timing: TIMING,
    sweepEveryMs: 1_000,
  });
  await system.startApi();
  const shop = await system.openShop('app-b');
  return { system, shop };
}

test('when every worker is killed before an `until`, the item comes back after one returns', async () => {
  const { system, shop } = await withChildWorker();
  const worker = await system.startChild({ role: 'worker' });
  await shop.upload(1);
  const calls = availabilityOf(system, shop);
  const end = Date.now() + 3_000;
  const items = [{ external_id: 'I1', available: false, until: new Date(end).toISOString() }];
  expect((await calls.switch(items)).status).toBe(200);
  await calls.pause({ until: new Date(end).toISOString() });
  worker.kill('SIGKILL');
  await worker.ended;
  await sleep(Math.max(0, end - Date.now()) + 500);
  expect(await offIn(shop)).toEqual(['I1']);
  await system.startWorker();
  await until(async () => (await offIn(shop)).length === 0);
  await until(async () => !(await shop.store()).paused);
  expect(await calls.list()).toEqual([]);
});

test('an `until` that passes while the app is away ends the change without a call', async () => {
  const { system, shop } = await withChildWorker();
  const worker = await system.startWorker();
  await shop.upload(1);
  await worker.stop();
  const calls = availabilityOf(system, shop);
  const until1 = new Date(Date.now() + 1_000).toISOString();
  const items = [{ external_id: 'I1', available: false, until: until1 }];
  const changed = await calls.switch(items, { prefer: 'respond-async' });
  await sleep(1_500);
  await system.startWorker();
  const id = changed.changes[0]?.change_id ?? '';
  await until(async () => (await calls.change(id))['state'] === 'superseded');
  expect(await calls.change(id)).toMatchObject({ messages: ['The time has passed.'] });
  expect(await shop.requests('availability')).toEqual([]);
});

test('an item that the live menu no longer has is not reported as refused by the app', async () => {
  const { system, shop } = await withChildWorker();
  const worker = await system.startWorker();
  const { uploadId } = await shop.upload(1);
  await worker.stop();
  const calls = availabilityOf(system, shop);
  const items = ['I1', 'I2'].map((external_id) => ({ external_id, available: false }));
  const changed = await calls.switch(items, { prefer: 'respond-async' });
  await system.sql`
    update menu_upload set item_ids = item_ids - 'I2' where upload_id = ${uploadId}`;
  await shop.fault({ kind: 'status', status: 400, route: 'availability' });
  await system.startWorker();
  const id = changed.changes[0]?.change_id ?? '';
  await until(async () => (await calls.change(id))['state'] === 'failed');
  expect(await calls.change(id)).toMatchObject({
    items: [
      { external_id: 'I1', state: 'failed' },
      { external_id: 'I2', state: 'done', message: null },
    ],
  });
});
