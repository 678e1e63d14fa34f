import { setTimeout as sleep } from 'node:timers/promises';
import { loadConfig } from '../../src/platform/config/config';
import { createLog } from '../../src/platform/observe/log';
import { runWorker } from '../../src/run/run-worker';
import { startFaultProxy } from '../support/fault-proxy';
import { testWorkflowBundle } from '../support/workflow-bundle';
import { prepareSystem, startSystem, stopSystems } from '../support/system';
import { until } from '../support/until';

afterEach(stopSystems);

/** What does not end by itself is ended by force after 10 s; what ends sooner has ended in order. */
const FORCED_MS = 9_000;

test('a stopping API answers every waiting caller 202 at once, and announces that it closes', async () => {
  const system = await prepareSystem(); // no worker: nothing will end
  const api = await system.startApi();
  const shops = await Promise.all(Array.from({ length: 3 }, () => system.openShop('app-b')));
  const waiting = shops.map((shop) => shop.upload(1));
  await until(async () => (await system.sql`select from menu_upload`).length === shops.length);

  const stoppedAt = Date.now();
  await api.stop();
  expect(Date.now() - stoppedAt).toBeLessThan(FORCED_MS);
  for (const answer of await Promise.all(waiting)) {
    expect(answer.status).toBe(202);
    expect(answer.body.message).toBe('Menu upload in progress.');
    expect(answer.headers.get('location')).toBe(`/api/v1/menus/uploads/${answer.uploadId}`);
    expect(answer.headers.get('connection')).toBe('close');
  }
  const rows = await system.sql`select state from menu_upload`;
  expect(rows.map((row) => row['state'])).toEqual(['queued', 'queued', 'queued']);
});

test('a stopping worker finishes its push, and the next worker does not repeat it', async () => {
  const system = await prepareSystem();
  await system.startApi();
  const worker = await system.startWorker();
  const shop = await system.openShop('app-b');
  await shop.fault({ kind: 'slow', ms: 1_500 });
  const answer = shop.upload(1);
  await until(async () => (await shop.requests('upload')).length === 1);
  await Promise.all([worker.stop(), system.startWorker()]);
  expect((await answer).status).toBe(200);
  expect(await shop.accepted()).toEqual(['1']);
});

test('an idle system stops within seconds', async () => {
  const system = await startSystem({});
  const shop = await system.openShop('app-b');
  await shop.upload(1);
  const stoppedAt = Date.now();
  await system.stop();
  expect(Date.now() - stoppedAt).toBeLessThan(FORCED_MS);
});

test.each(['refuse', 'swallow'] as const)(
  'a worker stops within seconds although Temporal is away (%s)',
  async (mode) => {
    const system = await prepareSystem();
    const proxy = await startFaultProxy({ host: '127.0.0.1', port: 1 });
    proxy.mode = mode;
    const worker = await runWorker({
      config: loadConfig({ ...system.env, TEMPORAL_ADDRESS: `127.0.0.1:${proxy.port}` }),
      log: createLog('silent'),
      workflowBundle: testWorkflowBundle(),
    });
    await sleep(500);
    const stoppedAt = Date.now();
    await worker.stop();
    expect(Date.now() - stoppedAt).toBeLessThan(FORCED_MS);
    await proxy.close();
  },
);

test('a worker that stops during a call to Temporal about its shards exits cleanly', async () => {
  const system = await prepareSystem();
  const proxy = await startFaultProxy({ host: '127.0.0.1', port: 1 });
  proxy.mode = 'refuse';
  const worker = await runWorker({
    config: loadConfig({ ...system.env, TEMPORAL_ADDRESS: `127.0.0.1:${proxy.port}` }),
    log: createLog('silent'),
    workflowBundle: testWorkflowBundle(),
  });
  const uncaught = jest.fn();
  process.on('uncaughtExceptionMonitor', uncaught);
  await sleep(2_500);
  await worker.stop();
  // The SDK would try once more by then.
  await sleep(2_500);
  expect(uncaught).not.toHaveBeenCalled();
  process.off('uncaughtExceptionMonitor', uncaught);
  await proxy.close();
});
