import { setTimeout as sleep } from 'node:timers/promises';
import { availabilityOf } from '../support/availability-calls';
import { until } from '../support/until';
import {
  type MortalServer,
  startMortalPostgres,
  startMortalTemporal,
} from '../support/own-servers';
import { prepareSystem, stopSystems } from '../support/system';

let postgres: MortalServer;
let temporal: MortalServer;
beforeAll(async () => {
  [postgres, temporal] = await Promise.all([startMortalPostgres(), startMortalTemporal()]);
});
afterAll(async () => {
  await stopSystems();
  await Promise.all([postgres.remove(), temporal.remove()]);
});

/** From two requests until everything is killed, on a machine that runs other tests. */
const AHEAD_MS = 10_000;
/** At once by Temporal's own timer; a step that was killed waits for its time-outs and for the sweep. */
const BACK_WITHIN_MS = 150_000;

test('when API, worker, Temporal and Postgres are killed before an `until`, all items come back after they return', async () => {
  const system = await prepareSystem({
    servers: { databaseUrl: postgres.address, temporalAddress: temporal.address },
  });
  const api = await system.startChild({ role: 'api' });
  const worker = await system.startChild({ role: 'worker' });
  let apiUrl = api.url;
  const shop = await system.openShop('app-b');
  const { uploadId } = await shop.upload(1, { apiUrl });
  await until(async () => {
    const rows = await system.sql`
      select from menu_upload where upload_id = ${uploadId} and state = 'uploaded'`;
    return rows.length === 1;
  });
  const calls = availabilityOf({ ...system, apiUrl: () => apiUrl }, shop);
  const wanted = ['I1', 'I2'].map((external_id) => ({ external_id, available: false }));
  expect((await calls.switch(wanted)).status).toBe(200);
  expect((await calls.pause()).status).toBe(200);
  const end = Date.now() + AHEAD_MS;
  const time = { until: new Date(end).toISOString() };
  await calls.pause(time);
  const item = { external_id: 'I1', available: false, ...time };
  expect((await calls.switch([item])).status).toBe(200);

  for (const child of [api, worker]) child.kill('SIGKILL');
  await Promise.all([api.ended, worker.ended, temporal.kill(), postgres.kill()]);
  await sleep(Math.max(0, end - Date.now()) + 500);
  // App B ends no pause by itself, and no process is there to tell it.
  expect(await shop.store()).toMatchObject({ off: [{ id: 'I1' }, { id: 'I2' }], paused: true });

  await Promise.all([postgres.start(), temporal.start()]);
  apiUrl = (await system.startApi()).url;
  await system.startWorker();
  await until(async () => (await shop.store()).off.length === 1, BACK_WITHIN_MS);
  await until(async () => !(await shop.store()).paused, BACK_WITHIN_MS);
  await until(async () => (await calls.list()).length === 1, BACK_WITHIN_MS);
  expect(await calls.list()).toMatchObject([{ external_id: 'I2', until: null, state: 'done' }]);
  expect((await shop.store()).off).toMatchObject([{ id: 'I2' }]);
}, 240_000);
