import type { AtCheckpoint } from '../../platform/checkpoint';
import type { Config } from '../../platform/config/config';
import type { PoolUsage, Sql } from '../../platform/db/client';
import type { DatabaseClock } from '../../platform/db/database-clock';
import { connectAsConfigured, listenAsConfigured } from '../../platform/db/configured';
import { LINES_ASLEEP, readAnnouncement, readLineAsleep, WEBHOOKS_DUE } from '../sql/announcements';
import type { Log } from '../../platform/observe/log';
import type { Bounds } from '../../platform/config/bounds';
import type { WebhookMetrics } from '../webhook-metrics';
import { createOutboundClient } from '../../platform/outbound/http-client';
import type { OwnFaults } from '../../platform/outbound/own-faults';
import type { SecretBox } from '../../platform/crypto/secrets';
import { createDrains, type Drains } from './drains';

export interface DrainsOptions {
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
  /** See `DrainsDeps`. */
  readonly lingerMs?: number | undefined;
  /** See `DrainsDeps`. */
  readonly onLapsed: (line: number, epoch: number) => void;
  /** Deliveries were written in a line without a drain, by somebody who cannot nudge its workflow. */
  readonly onAsleep: (line: number, epoch: number) => void;
  readonly metrics:
    | (WebhookMetrics & {
        readonly bounds: Bounds;
        /** Exports a pool under a name from now on. */
        readonly watchPool: (pool: string, usage: () => PoolUsage) => void;
      })
    | undefined;
}

export interface RunningDrains {
  readonly drains: Drains;
  /** Closes what it opened; drains must have ended. */
  close(): Promise<void>;
}

/** Connections to Postgres of the drains of a process. */
export const DRAIN_CONNECTIONS = {
  /** Two statements for claims and two for outcomes at a time. */
  shared: 4,
  /**
   * One each for renewing promises, for finding due deliveries and for the timeline of Postgres, because the last two
   * may take long, and no promise may expire meanwhile.
   */
  watch: 3,
} as const;
/**
 * Connections to one origin, which many subscriptions may share. If the limit were lower than the sum of what they
 * may use, one hanging subscription could take the connections of the others. `max_in_flight` limits each
 * subscription.
 */
const CONNECTIONS_PER_ORIGIN = 20_000;

/**
 * Starts what drains need besides their activities: their own connections, and a listener for announced deliveries.
 */
export async function startDrains(options: DrainsOptions): Promise<RunningDrains> {
  const { config, sql, secrets, log, atCheckpoint } = options;
  const sharedSql = connectAsConfigured(config, {
    max: DRAIN_CONNECTIONS.shared,
    applicationName: 'pos-integrations-webhooks',
  });
  const watchSql = connectAsConfigured(config, {
    max: DRAIN_CONNECTIONS.watch,
    applicationName: 'pos-integrations-lines',
  });
  options.metrics?.watchPool('webhooks', () => sharedSql.usage());
  options.metrics?.watchPool('lines', () => watchSql.usage());
  const http = createOutboundClient({
    allowCidrs: config.OUTBOUND_ALLOW_CIDRS,
    proxy: config.OUTBOUND_PROXY,
    userAgent: options.userAgent,
    ownFaults: options.ownFaults,
    connections: CONNECTIONS_PER_ORIGIN,
  });
  const drains = createDrains({
    sql,
    sharedSql,
    watchSql,
    http,
    ownFaults: options.ownFaults,
    clock: options.clock,
    secrets,
    log,
    atCheckpoint,
    metrics: options.metrics,
    bounds: options.metrics?.bounds,
    onLapsed: options.onLapsed,
    settings: config,
    ...(options.lingerMs === undefined ? {} : { lingerMs: options.lingerMs }),
  });
  const listener = await listenAsConfigured(config, [WEBHOOKS_DUE, LINES_ASLEEP], {
    log,
    onNotify(channel, text) {
      if (channel === WEBHOOKS_DUE) return drains.wake(readAnnouncement(text));
      const asleep = readLineAsleep(text);
      drains.wakeAsleep(asleep);
      if (asleep.subscriptionId === undefined) options.onAsleep(asleep.line, asleep.epoch);
    },
    onListening: () => drains.wakeAll(),
  });
  return {
    drains,
    async close() {
      await drains.close();
      await listener.stop();
      await http.close();
      await Promise.all([sharedSql, watchSql].map((each) => each.end({ timeout: 5 })));
    },
  };
}
