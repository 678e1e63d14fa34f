import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { noCheckpoints, type ReachCheckpoint } from './checkpoint';
import type { Config } from './config';
import { connect } from './db/client';
import { listenResiliently } from './db/listen';
import { ROW_DONE } from './db/row-done';
import { createDocumentStore } from './documents';
import { createApp } from './http/app';
import type { Log } from './log';
import { createOutboundClient } from './outbound/http-client';
import { createLookup } from './outbound/resolve-host';
import { createPosClient } from './pos/pos-client';
import { createNudger } from './queue/nudger';
import { createRowWaiters } from './queue/row-waiters';
import { createConfiguredSecretBox } from './configured-secrets';
import { createTemporalClient } from './temporal/connection';
import { watchTemporal } from './temporal/reachability';

export interface RunningProcess {
  stop(): Promise<void>;
}

export interface RunningApi extends RunningProcess {
  readonly url: string;
}

export interface RunOptions {
  readonly config: Config;
  readonly log: Log;
  readonly reach?: ReachCheckpoint;
}

/** Longest time that answers under way get before their connections are cut. */
const FORCE_AFTER_MS = 10_000;
const USER_AGENT = 'pos-integrations/1';

/** Starts the HTTP side. Needs neither Temporal nor Postgres to come up: readiness says what is missing. */
export async function runApi({
  config,
  log,
  reach = noCheckpoints,
}: RunOptions): Promise<RunningApi> {
  const sql = connect(config.DATABASE_URL, { max: 20, applicationName: 'pos-integrations-api' });
  const temporal = createTemporalClient(config);
  const waiters = createRowWaiters();
  const nudger = createNudger({ sql, temporal, log });
  const listener = await listenResiliently(config.DATABASE_URL, [ROW_DONE], {
    onNotify: (_channel, payload) => waiters.announce(payload.split(',')),
    onListening: () => waiters.announceAll(),
  });
  const secrets = createConfiguredSecretBox(config);
  const lookup = createLookup();
  const http = createOutboundClient({
    allowCidrs: config.OUTBOUND_ALLOW_CIDRS,
    userAgent: USER_AGENT,
    lookup,
  });
  const reachability = watchTemporal(temporal, log, () => waiters.releaseAll());
  let stopping = false;
  const app = createApp({
    sql,
    secrets,
    pos: createPosClient({ http, secrets, timeoutMs: config.WEBHOOK_TIMEOUT }),
    lookup,
    documents: createDocumentStore(sql),
    nudger,
    waiters,
    reach,
    log,
    settings: config,
    temporal: reachability,
    isStopping: () => stopping,
  });
  const handle = app.callback();
  const answering = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    answering.add(response);
    response.once('close', () => answering.delete(response));
    if (stopping) response.setHeader('Connection', 'close');
    void handle(request, response);
  });
  // Longer than a load balancer's idle time, or it sends a request into a connection that we are closing.
  server.keepAliveTimeout = 65_000;
  const url = await listen(server, config);
  log.info({ url }, 'API is listening');

  return {
    url,
    async stop() {
      stopping = true;
      for (const response of answering) {
        if (!response.headersSent) response.setHeader('Connection', 'close');
      }
      waiters.close();
      await close(server);
      await http.close();
      await nudger.drained();
      reachability.stop();
      await listener.stop();
      await temporal.connection.close();
      await sql.end({ timeout: 5 });
      log.info('API has stopped');
    },
  };
}

async function listen(server: Server, { HOST, PORT }: Config): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(PORT, HOST, resolve);
  });
  const { address, port } = server.address() as AddressInfo;
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
}

/** No new connections, idle ones closed, busy ones answered; what is left after 10 s is cut. */
async function close(server: Server): Promise<void> {
  const force = setTimeout(() => server.closeAllConnections(), FORCE_AFTER_MS);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  clearTimeout(force);
}
