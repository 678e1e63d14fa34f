import { availabilityOf } from '../support/availability-calls';
import type { Shop } from '../support/shop';
import { prepareSystem, stopSystems, type System } from '../support/system';
import { until } from '../support/until';

/** Until the item, or the store, comes back. */
const LEFT_MS = 12_000;
/** How soon after that the app is told, at most. */
const SOON_MS = 20_000;

afterAll(stopSystems);

/** A worker is killed when the app has done what it was told, and has not answered; the next try is refused. */
async function refusedAfterKill(
  system: System,
  shop: Shop,
  route: 'availability' | 'pause',
  change: () => Promise<unknown>,
  isDone: () => Promise<boolean>,
): Promise<void> {
  const worker = await system.startChild({ role: 'worker' });
  await shop.upload(1);
  await shop.fault({ kind: 'late', ms: 20_000, route });
  await shop.fault({ kind: 'status', status: 400, route });
  await change();
  await until(isDone);
  worker.kill('SIGKILL');
  await worker.ended;
  await system.startWorker();
}

const ended = () => ({ until: new Date(Date.now() + LEFT_MS).toISOString() });
const NO_WAIT = { prefer: 'respond-async' };

test('an item that a killed worker took off sale comes back in time, though the app then refused the change', async () => {
  const system = await prepareSystem({ timing: { slowRetryMs: [300] } });
  await system.startApi();
  const shop = await system.openShop('app-b');
  const calls = availabilityOf(system, shop);
  const item = { external_id: 'I1', available: false };
  await refusedAfterKill(
    system,
    shop,
    'availability',
    () => calls.switch([{ ...item, ...ended() }], NO_WAIT),
    async () => (await shop.store()).off.length === 1,
  );
  await until(async () => (await calls.list())[0]?.['state'] === 'failed');
  expect((await shop.store()).off).toMatchObject([{ id: 'I1' }]);
  await until(async () => (await calls.list()).length === 0);
  await until(async () => (await shop.store()).off.length === 0, SOON_MS);
});

test('nor does a store stay paused', async () => {
  const system = await prepareSystem({ timing: { slowRetryMs: [300] } });
  await system.startApi();
  const shop = await system.openShop('app-b');
  const calls = availabilityOf(system, shop);
  await refusedAfterKill(
    system,
    shop,
    'pause',
    () => calls.pause(ended(), NO_WAIT),
    async () => (await shop.store()).paused,
  );
  await until(async () => (await calls.paused())?.['state'] === 'failed');
  expect(await shop.store()).toMatchObject({ paused: true });
  await until(async () => (await calls.paused()) === null);
  await until(async () => !(await shop.store()).paused, SOON_MS);
});
