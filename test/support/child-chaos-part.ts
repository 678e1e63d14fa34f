/**
 * Runs an API or a worker of the production build, but with shorter delays for delivery apps: pauses of minutes would
 * outlast the run.
 */
import type { RunningProcess, RunOptions } from '../../src/run/run-api';
import type { WorkerRunOptions } from '../../src/run/run-worker';

interface Built {
  readonly runProcess: (start: (options: RunOptions) => Promise<RunningProcess>) => void;
  readonly runApi: (options: RunOptions) => Promise<RunningProcess>;
  readonly runWorker: (options: WorkerRunOptions) => Promise<RunningProcess>;
}

const TIMING = { slowRetryMs: [1_000, 3_000], settleMs: 3_000 } as const;

const [role, directory = ''] = process.argv.slice(2);
const load = <K extends keyof Built>(file: string, name: K): Built[K] =>
  // The compiled sources are where the run has put them.
  (require(`${directory}/${file}`) as Pick<Built, K>)[name];

const runProcess = load('bin/run-process', 'runProcess');
if (role === 'api') runProcess(load('run/run-api', 'runApi'));
else runProcess((options) => load('run/run-worker', 'runWorker')({ ...options, timing: TIMING }));
// Its parent is gone and would never stop it.
process.once('disconnect', () => process.exit());
