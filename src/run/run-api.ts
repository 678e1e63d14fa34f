import { noCheckpoints, type AtCheckpoint } from '../platform/checkpoint';
import type { Config } from '../platform/config/config';
import { connectAsConfigured, listenAsConfigured } from '../platform/db/configured';
import { createDatabaseClock, followDatabaseClock } from '../platform/db/database-clock';
import { readRowsDone, ROW_DONE } from '../platform/db/row-done';
import { createDocumentStore } from '../uploads/documents';
import { createApp } from './app';
import { createImageInspector } from '../delivery-apps/images/image-inspector';
import { createMenuPreviewer } from '../preview/menu-previewer';
import { BODY_THREADS, LARGE_BODIES } from './large-bodies';
import { createBodyReader } from '../http/body/body-reader';
import { startMetricsServer } from '../metrics/metrics-server';
import { type Patience, startHttpServer } from '../http/server';
import type { Log } from '../platform/observe/log';
import { createMetrics } from '../metrics/metrics';
import type { Metrics } from '../metrics/types';
import { createOutboundClient } from '../platform/outbound/http-client';
import { createOwnFaults } from '../platform/outbound/own-faults';
import { createLookup, type Lookup } from '../platform/outbound/resolve-host';
import { createPosClient } from '../inventory/pos-client';
import { createWaker } from '../platform/queue/waker';
import { createRowWaiters } from '../platform/queue/row-waiters';
import { createBoundPermits } from '../platform/admission/permits';
import { CONNECTIONS, USER_AGENT } from './connections';
import { createConfiguredSecretBox } from './configured-secrets';
import { createTemporalClient, PROMPT_CALL_MS } from '../platform/temporal/connection';
import { startTracing } from './start-tracing';
import { watchTemporal } from '../platform/temporal/reachability';
import { createOutageLog } from '../platform/observe/outage-log';

/**
 * Where `WAITING_REQUESTS` is small or 0, one slow POS would otherwise get the updates for all others refused.
 */
const LEAST_POS_UPDATES = 100;

export interface RunningProcess {
  stop(): Promise<void>;
}

export interface RunningApi extends RunningProcess {
  readonly url: string;
  /** For a worker in the same process, so that both report to the same place. */
  readonly metrics: Metrics;
}

export interface RunOptions {
  readonly config: Config;
  readonly log: Log;
  readonly atCheckpoint?: AtCheckpoint;
}

export interface ApiOptions extends RunOptions {
  /** For tests, which use shorter times. */
  readonly patience?: Patience | undefined;
  /** How to resolve host names; for tests, which use no name server. */
  readonly lookup?: Lookup;
  /** See `MetricsDeps`; for tests, which wait for what a metric says. */
  readonly metricsRenderedMs?: number;
}

/** Starts the HTTP side. It starts without Temporal and without Postgres; readiness says what is missing. */
export async function runApi({
  config,
  log,
  atCheckpoint = noCheckpoints,
  patience,
  lookup = createLookup(),
  metricsRenderedMs,
}: ApiOptions): Promise<RunningApi> {
  const tracing = await startTracing(config, 'api');
  const sql = connectAsConfigured(config, {
    max: CONNECTIONS.all,
    applicationName: 'pos-integrations-api',
  });
  const clock = createDatabaseClock();
  const clockFollower = followDatabaseClock({ sql, clock, log });
  const temporal = createTemporalClient(config, { callTimeoutMs: PROMPT_CALL_MS });
  const waiters = createRowWaiters();
  const waker = createWaker({ temporal, log });
  const listener = await listenAsConfigured(config, [ROW_DONE], {
    log,
    onNotify(_channel, payload) {
      for (const { id, notice } of readRowsDone(payload)) waiters.announce(id, notice);
    },
    onListening: () => waiters.announceAll(),
  });
  const secrets = createConfiguredSecretBox(config);
  const http = createOutboundClient({
    allowCidrs: config.OUTBOUND_ALLOW_CIDRS,
    proxy: config.OUTBOUND_PROXY,
    userAgent: USER_AGENT,
    lookup,
    ownFaults: createOwnFaults({ log, onFault: (kind) => metrics.countOwnFault(kind) }),
  });
  const reachability = watchTemporal(temporal, config.TEMPORAL_ADDRESS, log, () =>
    waiters.releaseAll(),
  );
  const metrics = createMetrics({
    sql,
    temporal: reachability,
    log,
    renderedMs: metricsRenderedMs,
  });
  metrics.watchPool('api', () => sql.usage());
  metrics.watchClock(clock);
  metrics.bounds.declare('connections', { used: () => sql.usage().used });
  const bodyReader = createBodyReader({
    settings: config,
    bounds: metrics.bounds,
    large: LARGE_BODIES,
    threads: BODY_THREADS,
  });
  const previewer = createMenuPreviewer({
    deadlineMs: config.TRANSFORM_TIMEOUT,
    bounds: metrics.bounds,
  });
  const stopping = new AbortController();
  const handle = createApp({
    sql,
    secrets,
    pos: createPosClient({ http, secrets, timeoutMs: config.WEBHOOK_TIMEOUT, now: clock.now }),
    lookup,
    documents: createDocumentStore(sql),
    waker,
    waiters,
    bodyReader,
    previewer,
    http,
    images: createImageInspector({ http, sql, bounds: metrics.bounds }),
    waitingPermits: createBoundPermits('waiting_requests', metrics.bounds, config.WAITING_REQUESTS),
    posUpdatePermits: createBoundPermits(
      'waiting_pos_updates',
      metrics.bounds,
      Math.max(config.WAITING_REQUESTS, LEAST_POS_UPDATES),
    ),
    atCheckpoint,
    log,
    settings: config,
    temporal: reachability,
    clock,
    metrics,
    stopping: stopping.signal,
    readiness: createOutageLog(log, {
      begun: 'not ready: requests cannot be accepted',
      over: 'ready again',
    }),
  });
  const server = await startHttpServer(handle, { host: config.HOST, port: config.PORT, patience });
  const metricsServer = await startMetricsServer(config, { metrics, log });
  log.info({ url: server.url, metrics_url: metricsServer?.url }, 'API is listening');

  return {
    url: server.url,
    metrics,
    async stop() {
      stopping.abort();
      const answered = server.stop();
      waiters.close();
      await answered;
      await metricsServer?.stop();
      await Promise.all([bodyReader.close(), previewer.close()]);
      await http.close();
      await Promise.all([waker.ended(), reachability.stop(), clockFollower.stop()]);
      await listener.stop();
      await temporal.connection.close();
      await sql.end({ timeout: 5 });
      await tracing.stop();
      log.info('API has stopped');
    },
  };
}
