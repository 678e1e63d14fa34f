import { availabilityOf } from '../support/availability-calls';
import { until } from '../support/until';
import type { Shop, SimulatedAppName } from '../support/shop';
import { startSystem, stopSystems, type System } from '../support/system';

let system: System;
beforeAll(async () => {
  system = await startSystem({
    env: { APP_D: 'rappi' },
    timing: { approvalFirstMs: 100, approvalEveryMs: 200 },
    // What follows a menu must not have to wait for the sweep.
    sweepEveryMs: 3_600_000,
  });
});
afterAll(stopSystems);

/** Longer than the steps take on a busy machine, and within the test's own time. */
const SOON_MS = 20_000;

const offIn = async (shop: Shop) => (await shop.store()).off.map(({ id }) => id);

async function endOfStep(shop: Shop, uploadId: string): Promise<string | undefined> {
  const { steps } = await shop.status(uploadId);
  return steps.find(({ name }) => name === 'availability')?.state;
}

test.concurrent.each(['app-c', 'app-d'] as const)(
  '%s is told again what is off sale as soon as a menu is live',
  async (app) => {
    const shop = await system.openShop(app, { callbacks: true });
    await shop.upload(1);
    const calls = availabilityOf(system, shop);
    expect((await calls.switch([{ external_id: 'I1', available: false }])).status).toBe(200);
    const { status, uploadId } = await shop.upload(2);
    expect(status).toBe(200);
    await until(async () => (await endOfStep(shop, uploadId)) === 'done', SOON_MS);
    expect(await offIn(shop)).toContain('I1');
  },
);

test.concurrent('the last item off sale that comes back during a task of app-c is on sale after it', async () => {
  const shop = await system.openShop('app-c');
  await shop.upload(1);
  const calls = availabilityOf(system, shop);
  await calls.switch([{ external_id: 'I1', available: false }]);
  const polls = async () => (await shop.requests('poll')).length;
  const before = await polls();
  await shop.fault({ kind: 'task_wait_retry', times: 2 });
  const uploading = shop.upload(2);
  await until(async () => (await polls()) > before);
  expect((await calls.switch([{ external_id: 'I1', available: true }])).status).toBe(200);
  expect((await uploading).status).toBe(200);

  await until(async () => (await offIn(shop)).length === 0, SOON_MS);
});

test.concurrent('an upload is shown with what is off sale now, whether it went off before or after', async () => {
  const shop = await system.openShop('app-b');
  const { uploadId } = await shop.upload(1);
  const calls = availabilityOf(system, shop);
  expect(await calls.shownOff(uploadId)).toEqual([]);
  await calls.switch([{ external_id: 'I1', available: false }]);
  const later = await shop.upload(2);
  expect(await calls.shownOff(uploadId)).toEqual(['I1']);
  expect(await calls.shownOff(later.uploadId)).toEqual(['I1']);
  await calls.switch([{ external_id: 'I1', available: true }]);
  expect(await calls.shownOff(later.uploadId)).toEqual([]);
});

/** A shop whose menu no longer has I1, which is off sale. */
async function shopWithoutI1(app: SimulatedAppName) {
  const shop = await system.openShop(app);
  await shop.upload(1);
  const calls = availabilityOf(system, shop);
  const off = [{ external_id: 'I1', available: false }];
  expect((await calls.switch(off)).status).toBe(200);
  expect((await shop.upload(2, { without: 'I1' })).status).toBe(200);
  return { shop, calls };
}

const BACK = [{ external_id: 'I1', available: true }];

test.concurrent.each(['app-a', 'app-b', 'app-c', 'app-d'] as const)(
  'an item that comes back while a menu that newly contains it is sent to %s is on sale after it',
  async (app) => {
    const { shop, calls } = await shopWithoutI1(app);
    await shop.fault({ kind: 'slow', ms: 3_000, route: 'upload' });
    const uploading = shop.upload(3);
    await until(async () => (await shop.requests('upload')).length === 3);
    expect((await calls.switch(BACK)).status).toBe(200);
    expect((await uploading).status).toBe(200);
    await until(async () => (await offIn(shop)).length === 0, SOON_MS);
    expect(await calls.list()).toEqual([]);
  },
);

test.concurrent('stock that comes back while a menu that newly contains the item is sent puts it on sale after it', async () => {
  const shop = await system.openShop('app-b');
  await shop.upload(1);
  const calls = availabilityOf(system, shop);
  await calls.setFromStock('on');
  await calls.moveStock('I1', '0', '2026-01-01');
  await until(async () => (await offIn(shop)).includes('I1'));
  expect((await shop.upload(2, { without: 'I1' })).status).toBe(200);
  await shop.fault({ kind: 'slow', ms: 3_000 });
  const uploading = shop.upload(3);
  await until(async () => (await shop.requests('upload')).length === 3);
  await calls.moveStock('I1', '5', '2026-01-02');
  expect((await uploading).status).toBe(200);
  await until(async () => (await offIn(shop)).length === 0, SOON_MS);
});

test.concurrent('an item that comes back while app-a is asked which menu it shows is on sale after it', async () => {
  const { shop, calls } = await shopWithoutI1('app-a');
  await shop.fault({ kind: 'slow', ms: 4_000, route: 'read' });
  const before = (await shop.requests('read')).length;
  const uploading = shop.upload(3);
  await until(async () => (await shop.requests('read')).length > before);
  expect((await calls.switch(BACK)).status).toBe(200);
  expect((await uploading).status).toBe(200);
  await until(async () => (await offIn(shop)).length === 0, SOON_MS);
});

test.concurrent('an item in no menu, neither live nor on its way, comes back at once and without a call', async () => {
  const { shop, calls } = await shopWithoutI1('app-b');
  const before = (await shop.requests('availability')).length;
  const { status, changes } = await calls.switch(BACK, { prefer: 'respond-async' });
  expect({ status, changes }).toMatchObject({ status: 200, changes: [{ state: 'done' }] });
  expect(await shop.requests('availability')).toHaveLength(before);
});
