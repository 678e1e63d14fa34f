import { setTimeout as sleep } from 'node:timers/promises';
import { loadConfig } from '../../src/platform/config/config';
import { createLog } from '../../src/platform/observe/log';
import { runWorker } from '../../src/run/run-worker';
import { deferred } from '../support/deferred';
import { startFaultProxy } from '../support/fault-proxy';
import { prepareSystem, stopSystems } from '../support/system';
import { testWorkflowBundle } from '../support/workflow-bundle';

afterEach(stopSystems);

test('a worker logs an outage of Temporal once, not every second, and its return once', async () => {
  const system = await prepareSystem();
  const [host = '', port] = (system.env['TEMPORAL_ADDRESS'] ?? '').split(':');
  const proxy = await startFaultProxy({ host, port: Number(port) });
  proxy.mode = 'refuse';
  const lines: string[] = [];
  const polling = deferred();
  const worker = await runWorker({
    config: loadConfig({ ...system.env, TEMPORAL_ADDRESS: `127.0.0.1:${proxy.port}` }),
    log: createLog('info', { write: (line) => void lines.push(line) }),
    workflowBundle: testWorkflowBundle(),
    onReady: polling.resolve,
  });
  await sleep(5_000);
  proxy.mode = 'pass';
  await polling.promise;
  const atStart = lines.splice(0).map((line) => JSON.parse(line));
  proxy.mode = 'refuse';
  proxy.cut();
  await sleep(8_000);
  proxy.mode = 'pass';
  await sleep(1_000);
  await worker.stop();
  await proxy.close();
  const said = (msg: string) => atStart.filter((line) => line.msg === msg).length;
  expect(said('the worker cannot run; trying again')).toBe(1);
  expect(said('the worker can run again')).toBe(1);
  const loud = lines.map((line) => JSON.parse(line)).filter(({ level }) => level >= 40);
  expect(loud.length).toBeLessThanOrEqual(5);
});
