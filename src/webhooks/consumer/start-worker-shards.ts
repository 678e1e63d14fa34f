import type { AtCheckpoint } from '../../platform/checkpoint';
import type { Config } from '../../platform/config/config';
import type { PoolUsage, Sql } from '../../platform/db/client';
import type { DatabaseClock } from '../../platform/db/database-clock';
import { connectAsConfigured, listenAsConfigured } from '../../platform/db/configured';
import { readAnnouncement, WEBHOOKS_DUE } from '../sql/announcements';
import { lockStatement, SHARDS_FREE } from '../sql/shard-owners';
import type { Log } from '../../platform/observe/log';
import type { Bounds } from '../../platform/admission/bound-metrics';
import type { WebhookMetrics } from '../webhook-metrics';
import { createOutboundClient } from '../../platform/outbound/http-client';
import type { OwnFaults } from '../../platform/outbound/own-faults';
import type { SecretBox } from '../../platform/crypto/secrets';
import { type WorkerShards, consumeShards, thisWorker } from './worker-shards';

export interface WorkerShardsOptions {
  readonly config: Pick<
    Config,
    | 'DATABASE_URL'
    | 'DATABASE_DIRECT_URL'
    | 'OUTBOUND_ALLOW_CIDRS'
    | 'OUTBOUND_PROXY'
    | 'WEBHOOK_TIMEOUT'
    | 'WEBHOOK_RETRY_SCHEDULE'
    | 'WEBHOOK_MEMORY'
  >;
  readonly sql: Sql;
  readonly secrets: SecretBox;
  readonly log: Log;
  readonly atCheckpoint: AtCheckpoint;
  readonly userAgent: string;
  readonly ownFaults: OwnFaults;
  readonly clock: DatabaseClock;
  /** See `WorkerShardsDeps`. */
  readonly onLater: (shard: number) => void;
  readonly metrics:
    | (WebhookMetrics & {
        readonly bounds: Bounds;
        /** Exports a pool under a name from now on. */
        readonly watchPool: (pool: string, usage: () => PoolUsage) => void;
      })
    | undefined;
}

export type RunningShards = Pick<WorkerShards, 'stop' | 'close'>;

/** Connections to Postgres of the consumer of a process. */
export const CONSUMER_CONNECTIONS = {
  /** Two statements for claims and two for outcomes at a time. */
  shared: 4,
  /**
   * One each for the lease, for finding due deliveries and for the timeline of Postgres, because the last two may take
   * long, and the lease must be renewed meanwhile.
   */
  lease: 3,
} as const;
/**
 * Connections to one origin, which many subscriptions may share. If the limit were lower than the sum of what they
 * may use, one hanging subscription could take the connections of the others. `max_in_flight` limits each
 * subscription.
 */
const CONNECTIONS_PER_ORIGIN = 20_000;

/**
 * Starts to consume webhooks, with connections of its own and a listener for announced deliveries. The session of the
 * listener holds the lock that shows that this worker lives.
 */
export async function startWorkerShards(options: WorkerShardsOptions): Promise<RunningShards> {
  const { config, log, metrics } = options;
  const sharedSql = connectAsConfigured(config, {
    max: CONSUMER_CONNECTIONS.shared,
    applicationName: 'pos-integrations-webhooks',
  });
  const leaseSql = connectAsConfigured(config, {
    max: CONSUMER_CONNECTIONS.lease,
    applicationName: 'pos-integrations-shards',
  });
  metrics?.watchPool('webhooks', () => sharedSql.usage());
  metrics?.watchPool('shards', () => leaseSql.usage());
  const http = createOutboundClient({
    allowCidrs: config.OUTBOUND_ALLOW_CIDRS,
    proxy: config.OUTBOUND_PROXY,
    userAgent: options.userAgent,
    ownFaults: options.ownFaults,
    connections: CONNECTIONS_PER_ORIGIN,
  });
  const worker = thisWorker();
  let running: WorkerShards | undefined;
  const listener = await listenAsConfigured(config, [WEBHOOKS_DUE, SHARDS_FREE], {
    log,
    sessionStatement: lockStatement(worker),
    onNotify(channel, text) {
      if (channel === SHARDS_FREE) running?.takeFree();
      else running?.wake(readAnnouncement(text));
    },
    onListening: () => running?.wakeAll(),
  });
  // After the listener: a worker without its lock would be taken for dead.
  const started = consumeShards({
    ...options,
    sharedSql,
    leaseSql,
    worker,
    http,
    bounds: metrics?.bounds,
    settings: config,
  });
  running = started;
  return {
    stop: () => started.stop(),
    async close() {
      await started.close();
      await listener.stop();
      await http.close();
      await Promise.all([sharedSql, leaseSql].map((each) => each.end({ timeout: 5 })));
    },
  };
}
