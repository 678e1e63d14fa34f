import type { Checkpoint, AtCheckpoint } from '../../src/platform/checkpoint';
import { loadConfig } from '../../src/platform/config/config';
import { createLog } from '../../src/platform/observe/log';
import { runApi, type RunningProcess } from '../../src/run/run-api';
import { runWorker } from '../../src/run/run-worker';
import type { ChildMessage, ChildPlan, ParentMessage } from './child-process';
import { deferred } from './deferred';
import { testWorkflowBundle } from './workflow-bundle';

/** The entry of a child process: runs an API or a worker, and stops where its plan says. */
let running: RunningProcess | undefined;
/** The callers that wait at a checkpoint. */
const standing: (() => void)[] = [];

process.on('message', (message: ParentMessage) => {
  switch (message.kind) {
    case 'plan':
      void run(message.plan);
      break;
    case 'go':
      for (const go of standing.splice(0)) go();
      break;
    case 'stop':
      void running?.stop();
  }
});
// The test is gone and would never stop this process.
process.once('disconnect', () => process.exit());

async function run({ role, env, stopAt = [], timing = {} }: ChildPlan): Promise<void> {
  const config = loadConfig(env);
  const options = { config, log: createLog(config.LOG_LEVEL), atCheckpoint: stopper(stopAt) };
  if (role === 'api') {
    const api = await runApi(options);
    running = api;
    tell({ kind: 'ready', url: api.url });
    return;
  }
  const workflowBundle = testWorkflowBundle();
  running = await runWorker({ ...options, timing, onReady: tellPolling, workflowBundle });
}

function tellPolling(): void {
  tell({ kind: 'ready', url: '' });
}

function stopper(stopAt: readonly Checkpoint[]): AtCheckpoint {
  const left = [...stopAt];
  return async (name) => {
    if (name !== left[0]) return;
    left.shift();
    const { promise, resolve } = deferred();
    standing.push(resolve);
    tell({ kind: 'reached', checkpoint: name });
    await promise;
  };
}

function tell(message: ChildMessage): void {
  process.send?.(message);
}
