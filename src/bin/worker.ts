import { runProcess } from './run-process';
import { runWorker } from '../run-worker';

runProcess(({ config, log }) => runWorker({ config, log }));
