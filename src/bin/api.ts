import { runProcess } from './run-process';
import { runApi } from '../run/run-api';

runProcess(({ config, log }) => runApi({ config, log }));
