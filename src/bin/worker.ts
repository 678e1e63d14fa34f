import { runProcess } from './run-process';
import { runWorker } from '../run/run-worker';

runProcess(({ config, log }) => runWorker({ config, log }));
