import type { Client } from '@temporalio/client';
import type { Config } from '../platform/config/config';
import type { Sql } from '../platform/db/client';
import { startMetricsServer } from '../metrics/metrics-server';
import type { Log } from '../platform/observe/log';
import { createMetrics } from '../metrics/metrics';
import type { Metrics } from '../metrics/types';
import { watchTemporal } from '../platform/temporal/reachability';

export interface WorkerReporting {
  /** Undefined if nothing could read them. */
  readonly metrics: Metrics | undefined;
  stop(): Promise<void>;
}

export interface ReportingOptions {
  readonly config: Pick<Config, 'HOST' | 'METRICS_PORT' | 'TEMPORAL_ADDRESS'>;
  readonly log: Log;
  readonly sql: Sql;
  readonly temporal: Client;
  /** The metrics of the API in the same process. */
  readonly shared: Metrics | undefined;
}

/** Where a worker's metrics go: to the API of its process, to METRICS_PORT, or nowhere. */
export async function startWorkerReporting(options: ReportingOptions): Promise<WorkerReporting> {
  const { config, log, sql, temporal, shared } = options;
  if (shared || config.METRICS_PORT === 0) return { metrics: shared, stop: async () => {} };
  const reachability = watchTemporal(temporal, config.TEMPORAL_ADDRESS, log, () => {});
  const metrics = createMetrics({ sql, temporal: reachability, log });
  const server = await startMetricsServer(config, { metrics, log }).catch((error: unknown) => {
    // An API on the same host may have the port. Menus and webhooks matter more than their metrics.
    log.error({ err: error }, 'METRICS_PORT cannot be used; this worker serves no metrics');
  });
  return {
    metrics,
    async stop() {
      await reachability.stop();
      await server?.stop();
    },
  };
}
