import type { Checkpoint, AtCheckpoint } from '../../src/platform/checkpoint';
import { loadConfig } from '../../src/platform/config/config';
import { createLog } from '../../src/platform/observe/log';
import type * as apiPart from '../../src/run/run-api';
import type * as workerPart from '../../src/run/run-worker';
import type { ChildMessage, ChildPlan, ParentMessage } from './child-process';
import { deferred } from './deferred';
import type * as bundlePart from './workflow-bundle';

/** The entry of a child process: runs an API or a worker, and stops where its plan says. */
let running: apiPart.RunningProcess | undefined;
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
  // Each loads only its own part: an API needs nothing of what runs workflows.
  if (role === 'api') {
    const { runApi } = require('../../src/run/run-api') as typeof apiPart;
    const api = await runApi(options);
    running = api;
    tell({ kind: 'ready', url: api.url });
    return;
  }
  const { runWorker } = require('../../src/run/run-worker') as typeof workerPart;
  const { testWorkflowBundle } = require('./workflow-bundle') as typeof bundlePart;
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
