import { type Logger, type LogLevel, type LogMetadata, Runtime } from '@temporalio/worker';
import type { Log } from '../observe/log';
import type { SdkMetrics } from './sdk-metrics';

let installed: { readonly metrics: SdkMetrics | undefined } | undefined;

/**
 * Sends the SDK's messages through our log, from warnings up, and its metrics to where `metrics` says; returns that
 * place. There is one runtime per process: the first call wins.
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
    // Signals are handled by the process itself, which stops all parts in order, not just the workers.
    shutdownSignals: [],
  });
  return metrics;
}

/** While Temporal is away, dozens of polls report it again and again; once a minute is enough. */
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
    // The SDK logs something about every activity, which is rarely needed.
    if (!log.isLevelEnabled(level) || isRepeat(message)) return;
    log[level](withoutPayloads(meta), message);
  };
  // Its "info" is one line per worker state; we log the same once.
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

/** The SDK's wide metadata contains whole errors and inputs; only the error itself helps. */
function withoutPayloads(meta: LogMetadata | undefined): Record<string, unknown> {
  const { error, ...rest } = meta ?? {};
  const plain = Object.entries(rest).filter(([, value]) => typeof value !== 'object');
  return { ...Object.fromEntries(plain), ...(error === undefined ? {} : { err: error }) };
}
