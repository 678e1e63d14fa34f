import { setFlagsFromString } from 'node:v8';
import { type Config, ConfigError, loadConfig } from '../platform/config/config';
import { createLog, type Log } from '../platform/observe/log';
import type { RunningProcess } from '../run/run-api';
import { catchUnownedRejections } from '../platform/observe/unowned-rejections';
import { stopOnSignals } from '../run/stop-on-signals';
import { unusablePortSentence } from '../run/unusable-port';

/**
 * Reads the configuration, makes the log, runs until a signal, then stops in order. A second signal, a second later,
 * ends the process at once.
 */
export function runProcess(
  start: (options: { config: Config; log: Log }) => Promise<RunningProcess>,
): void {
  // While a process starts, most of what a collection finds is in use. V8 would conclude that the places where it was
  // made always make what lives long, and put what they make among old memory from then on: decision 0034.
  setFlagsFromString('--no-allocation-site-pretenuring');
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
    const sentence = portSentence(error, config);
    if (sentence === null) log.fatal({ err: error });
    else log.fatal(sentence);
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

/** Which setting gives another port, if the error is that one cannot be listened on; otherwise null. */
function portSentence(error: unknown, { METRICS_PORT }: Config): string | null {
  if (!(error instanceof Error && 'code' in error && 'port' in error)) return null;
  const variable = error.port === METRICS_PORT ? 'METRICS_PORT' : 'PORT';
  return unusablePortSentence(error.code, error.port, variable);
}
