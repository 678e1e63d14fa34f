import { type Config, ConfigError, loadConfig } from '../config';
import { createLog, type Log } from '../log';
import type { RunningProcess } from '../run-api';
import { catchUnownedRejections } from '../unowned-rejections';
import { stopOnSignals } from '../stop-on-signals';

/** Configuration, log, run until a signal asks to stop, stop in order. A second signal, a second later, does not wait. */
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
    stopOnSignals({
      signals: ['SIGTERM', 'SIGINT'],
      stop(signal) {
        log.info({ signal }, 'stopping');
        return running.stop();
      },
      onFailure: (error) => log.fatal({ err: error }),
    });
  }, fail);
}
