import type { Checkpoint, ReachCheckpoint } from '../../src/checkpoint';
import { loadConfig } from '../../src/config';
import { createLog } from '../../src/log';
import { runApi, type RunningProcess } from '../../src/run-api';
import { runWorker } from '../../src/run-worker';
import type { ChildMessage, ChildPlan, ParentMessage } from './child-process';
import { testWorkflowBundle } from './workflow-bundle';

/** The entry of a child process: runs an API or a worker, and stops where its plan says. */
process.once('message', (first: ParentMessage) => {
  if (first.kind === 'plan') void run(first.plan);
});
// The test is gone: nobody would stop this process later.
process.once('disconnect', () => process.exit());

async function run({ role, env, stopAt = [], timing = {} }: ChildPlan): Promise<void> {
  const config = loadConfig(env);
  const options = { config, log: createLog(config.LOG_LEVEL), reach: stopper(stopAt) };
  if (role === 'api') {
    const api = await runApi(options);
    stopWhenTold(api);
    tell({ kind: 'ready', url: api.url });
    return;
  }
  const onReady = () => tell({ kind: 'ready', url: '' });
  const workflowBundle = testWorkflowBundle();
  stopWhenTold(await runWorker({ ...options, timing, onReady, workflowBundle }));
}

function stopWhenTold(running: RunningProcess): void {
  process.on('message', ({ kind }: ParentMessage) => {
    if (kind === 'stop') void running.stop();
  });
}

function stopper(stopAt: readonly Checkpoint[]): ReachCheckpoint {
  const left = [...stopAt];
  return async (name) => {
    if (name !== left[0]) return;
    left.shift();
    await new Promise<void>((resolve) => {
      process.on('message', ({ kind }: ParentMessage) => {
        if (kind === 'go') resolve();
      });
      tell({ kind: 'reached', checkpoint: name });
    });
  };
}

function tell(message: ChildMessage): void {
  process.send?.(message);
}
