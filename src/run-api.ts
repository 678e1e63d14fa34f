import { noCheckpoints, type ReachCheckpoint } from './checkpoint';
import type { Config } from './config';
import { connect } from './db/client';
import { listenResiliently } from './db/listen';
import { ROW_DONE } from './db/row-done';
import { createDocumentStore } from './documents';
import { createApp } from './http/app';
import { createBodyReader } from './http/body-reader';
import { startMetricsServer } from './http/metrics-server';
import { type Patience, startHttpServer } from './http/server';
import type { Log } from './log';
import { createMetrics, type Metrics } from './metrics';
import { createOutboundClient } from './outbound/http-client';
import { createLookup, type Lookup } from './outbound/resolve-host';
import { createPosClient } from './pos/pos-client';
import { createNudger } from './queue/nudger';
import { createRowWaiters } from './queue/row-waiters';
import { createWaitingRoom } from './queue/waiting-room';
import { createConfiguredSecretBox } from './configured-secrets';
import { createTemporalClient } from './temporal/connection';
import { watchTemporal } from './temporal/reachability';
import { createOutageLog } from './outage-log';

export interface RunningProcess {
  stop(): Promise<void>;
}

export interface RunningApi extends RunningProcess {
  readonly url: string;
  /** For a worker in the same process, whose numbers are then found in the same place. */
  readonly metrics: Metrics;
}

export interface RunOptions {
  readonly config: Config;
  readonly log: Log;
  readonly reach?: ReachCheckpoint;
}

export interface ApiOptions extends RunOptions {
  /** For tests, which wait for less. */
  readonly patience?: Patience | undefined;
  /** How host names are found; for tests, which ask no name server. */
  readonly lookup?: Lookup;
}

const USER_AGENT = 'pos-integrations/1';

/** Starts the HTTP side. Needs neither Temporal nor Postgres to come up: readiness says what is missing. */
export async function runApi({
  config,
  log,
  reach = noCheckpoints,
  patience,
  lookup = createLookup(),
}: ApiOptions): Promise<RunningApi> {
  const sql = connect(config.DATABASE_URL, { max: 20, applicationName: 'pos-integrations-api' });
  const temporal = createTemporalClient(config);
  const waiters = createRowWaiters();
  const nudger = createNudger({ temporal, log });
  const listener = await listenResiliently(config.DATABASE_URL, [ROW_DONE], {
    onNotify: (_channel, payload) => waiters.announce(payload.split(',')),
    onListening: () => waiters.announceAll(),
  });
  const secrets = createConfiguredSecretBox(config);
  const http = createOutboundClient({
    allowCidrs: config.OUTBOUND_ALLOW_CIDRS,
    userAgent: USER_AGENT,
    lookup,
  });
  const reachability = watchTemporal(temporal, log, () => waiters.releaseAll());
  const metrics = createMetrics({ sql, temporal: reachability });
  const bodyReader = createBodyReader(config, metrics.bounds);
  let stopping = false;
  const handle = createApp({
    sql,
    secrets,
    pos: createPosClient({ http, secrets, timeoutMs: config.WEBHOOK_TIMEOUT }),
    lookup,
    documents: createDocumentStore(sql),
    nudger,
    waiters,
    bodyReader,
    waitingRoom: createWaitingRoom(config.WAITING_REQUESTS, metrics.bounds),
    reach,
    log,
    settings: config,
    temporal: reachability,
    metrics,
    isStopping: () => stopping,
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
      stopping = true;
      const answered = server.stop();
      waiters.close();
      await answered;
      await metricsServer?.stop();
      await bodyReader.close();
      await http.close();
      await Promise.all([nudger.drained(), reachability.stop()]);
      await listener.stop();
      await temporal.connection.close();
      await sql.end({ timeout: 5 });
      log.info('API has stopped');
    },
  };
}
