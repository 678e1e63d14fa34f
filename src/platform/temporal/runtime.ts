import { type Logger, type LogLevel, type LogMetadata, Runtime } from '@temporalio/worker';
import type { Log } from '../observe/log';
import type { SdkMetrics } from './sdk-metrics';

let installed: { readonly metrics: SdkMetrics | undefined } | undefined;

/**
 * Sends what the SDK says through our log, from warnings up, and its numbers to where `metrics` says; answers where they
 * are. The runtime is one per process: the first call wins.
 */
export function installRuntime(log: Log, metrics?: SdkMetrics): SdkMetrics | undefined {
  if (installed) return installed.metrics;
  installed = { metrics };
  Runtime.install({
    logger: toSdkLogger(log.child({ component: 'temporal' })),
    telemetryOptions: {
      logging: { filter: { core: 'WARN', other: 'ERROR' }, forward: {} },
      ...(metrics && {
        metrics: { prometheus: { bindAddress: metrics.bindAddress, useSecondsForDurations: true } },
      }),
    },
    // Signals are handled where the process is assembled: everything stops in order, not just the workers.
    shutdownSignals: [],
  });
  return metrics;
}

/** While Temporal is away each of dozens of polls says so again and again; once a minute says as much. */
const POLL_FAILED = /^gRPC call \w+ retried/;
const AGAIN_MS = 60_000;

function toSdkLogger(log: Log): Logger {
  let pollFailedAt = -AGAIN_MS;
  const isRepeat = (message: string): boolean => {
    if (!POLL_FAILED.test(message)) return false;
    const now = performance.now();
    if (now - pollFailedAt < AGAIN_MS) return true;
    pollFailedAt = now;
    return false;
  };
  const write = (level: 'debug' | 'warn' | 'error') => (message: string, meta?: LogMetadata) => {
    // It has something to say about every activity, mostly for nobody.
    if (!log.isLevelEnabled(level) || isRepeat(message)) return;
    log[level](withoutPayloads(meta), message);
  };
  // Its "info" is a line per worker state; ours says the same once.
  const [debug, warn, error] = [write('debug'), write('warn'), write('error')];
  return {
    log: (level: LogLevel, message: string, meta?: LogMetadata) =>
      (level === 'ERROR' ? error : level === 'WARN' ? warn : debug)(message, meta),
    trace: debug,
    debug,
    info: debug,
    warn,
    error,
  };
}

/** The wide metadata of the SDK holds whole errors and inputs; the error itself is what helps. */
function withoutPayloads(meta: LogMetadata | undefined): Record<string, unknown> {
  const { error, ...rest } = meta ?? {};
  const plain = Object.entries(rest).filter(([, value]) => typeof value !== 'object');
  return { ...Object.fromEntries(plain), ...(error === undefined ? {} : { err: error }) };
}
