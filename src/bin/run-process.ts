import { type Config, ConfigError, loadConfig } from '../config';
import { createLog, type Log } from '../log';
import type { RunningProcess } from '../run-api';
import { catchUnownedRejections } from '../unowned-rejections';

/** Configuration, log, run until a signal asks to stop, stop in order. A second signal does not wait. */
export function runProcess(
  start: (options: { config: Config; log: Log }) => Promise<RunningProcess>,
): void {
  let config: Config;
  try {
    config = loadConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
    return;
  }
  const log = createLog(config.LOG_LEVEL);
  catchUnownedRejections(log);
  const fail = (error: unknown): void => {
    log.fatal({ err: error });
    process.exit(1);
  };
  start({ config, log }).then((running) => {
    let stopping = false;
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        if (stopping) process.exit(1);
        stopping = true;
        log.info({ signal }, 'stopping');
        running.stop().then(() => process.exit(0), fail);
      });
    }
  }, fail);
}
