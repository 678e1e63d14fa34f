import { loadConfig } from '../../src/platform/config/config';
import { createLog } from '../../src/platform/observe/log';
import { runWorker } from '../../src/run/run-worker';
import { prepareSystem, stopSystems } from './system';
import { testWorkflowBundle } from './workflow-bundle';

/** API and worker in one process and with one registry, which has all metrics that there are. */
export async function startWithSharedMetrics() {
  const system = await prepareSystem();
  const api = await system.startApi();
  const worker = await runWorker({
    config: loadConfig(system.env),
    log: createLog('silent'),
    workflowBundle: testWorkflowBundle(),
    metrics: api.metrics,
  });
  let stopped: Promise<void> | undefined;
  const stopWorker = () => (stopped ??= worker.stop());
  return {
    system,
    api,
    stopWorker,
    stop: async () => {
      await stopWorker();
      await stopSystems();
    },
  };
}
