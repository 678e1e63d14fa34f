import { setTimeout as delay } from 'node:timers/promises';
import { NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import type { Config } from '../platform/config/config';
import type { Log } from '../platform/observe/log';
import { createOutageLog } from '../platform/observe/outage-log';
import { temporalConnectionOptions } from '../platform/temporal/connection';
import type { RunningProcess } from './run-api';

const RESTART_PAUSE_MS = 1_000;

/**
 * Connects, runs one worker per task queue, and restarts them whenever they end unasked. `onPolling` is called
 * whenever they start.
 */
export function superviseWorkers(
  config: Config,
  log: Log,
  onPolling: () => void,
  prepare: () => Promise<WorkerOptions[]>,
): RunningProcess {
  const stopping = new AbortController();
  const outage = createOutageLog(log, {
    begun: 'the worker cannot run; trying again',
    over: 'the worker can run again',
  });
  let running: Worker[] = [];

  async function runOnce(): Promise<void> {
    const connection = await connectTo(config);
    try {
      const queues = await prepare();
      const workers = await Promise.all(
        queues.map((options) => Worker.create({ ...options, connection })),
      );
      running = workers;
      if (stopping.signal.aborted) return;
      const ended = Promise.all(workers.map((worker) => worker.run()));
      outage.over();
      log.info({ queues: queues.map((each) => each.taskQueue) }, 'worker is polling');
      onPolling();
      await ended;
    } finally {
      for (const worker of running) if (worker.getState() === 'RUNNING') worker.shutdown();
      running = [];
      await connection.close().catch(() => {});
    }
  }

  const ended = (async () => {
    while (!stopping.signal.aborted) {
      try {
        await runOnce();
      } catch (error) {
        outage.failed(error);
      }
      await delay(RESTART_PAUSE_MS, undefined, { signal: stopping.signal }).catch(() => {});
    }
  })();

  return {
    async stop() {
      stopping.abort();
      for (const worker of running) if (worker.getState() === 'RUNNING') worker.shutdown();
      await ended;
    },
  };
}

/** The SDK's own error is Rust's, and names no setting. */
async function connectTo(config: Config): Promise<NativeConnection> {
  try {
    return await NativeConnection.connect({
      ...temporalConnectionOptions(config),
      // Without TLS Temporal is near. Its messages are small, and compressing them costs both sides more than it saves.
      ...(config.TEMPORAL_TLS ? {} : { grpcCompression: { codec: 'none' } }),
    });
  } catch (error) {
    const place = `${config.TEMPORAL_ADDRESS} (TEMPORAL_ADDRESS)`;
    throw new Error(`no connection to Temporal at ${place}`, { cause: error });
  }
}
