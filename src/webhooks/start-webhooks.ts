import type { ReachCheckpoint } from '../checkpoint';
import type { Config } from '../config';
import { connect, type Sql } from '../db/client';
import { listenResiliently } from '../db/listen';
import { WEBHOOKS_DUE } from '../db/webhook-lines';
import type { SubscriptionId } from '../ids';
import type { Log } from '../log';
import type { Metrics, WebhookMetrics } from '../metrics';
import { createOutboundClient } from '../outbound/http-client';
import type { SecretBox } from '../secrets';
import { createWebhookEngine, type WebhookEngine } from './webhook-engine';

export interface WebhookOptions {
  readonly config: Pick<
    Config,
    | 'DATABASE_URL'
    | 'OUTBOUND_ALLOW_CIDRS'
    | 'WEBHOOK_TIMEOUT'
    | 'WEBHOOK_RETRY_SCHEDULE'
    | 'WEBHOOK_MEMORY'
  >;
  readonly sql: Sql;
  readonly secrets: SecretBox;
  readonly log: Log;
  readonly reach: ReachCheckpoint;
  readonly userAgent: string;
  /** See `WebhookEngineDeps`. */
  readonly lingerMs?: number | undefined;
  /** See `WebhookEngineDeps`. */
  readonly onLapsed: (line: number, epoch: number) => void;
  readonly metrics: (WebhookMetrics & Pick<Metrics, 'bounds'>) | undefined;
}

export interface RunningWebhooks {
  readonly engine: WebhookEngine;
  /** Closes what it opened; drains must have ended. */
  close(): Promise<void>;
}

/** Two statements for claims and two for outcomes at a time. */
const SHARED_CONNECTIONS = 4;
/** One for renewing promises, one for looking what is due. */
const WATCH_CONNECTIONS = 2;
/**
 * To one origin, which many subscriptions may have in common: were it fewer than all of them may use, one that hangs
 * could take the connections of the others. How many a subscription uses is limited by its `max_in_flight`.
 */
const CONNECTIONS_PER_ORIGIN = 20_000;

/** Starts what drains need besides their activities: connections of their own, and an ear for announced deliveries. */
export async function startWebhooks(options: WebhookOptions): Promise<RunningWebhooks> {
  const { config, sql, secrets, log, reach } = options;
  const sharedSql = connect(config.DATABASE_URL, {
    max: SHARED_CONNECTIONS,
    applicationName: 'pos-integrations-webhooks',
  });
  const watchSql = connect(config.DATABASE_URL, {
    max: WATCH_CONNECTIONS,
    applicationName: 'pos-integrations-lines',
  });
  const http = createOutboundClient({
    allowCidrs: config.OUTBOUND_ALLOW_CIDRS,
    userAgent: options.userAgent,
    connections: CONNECTIONS_PER_ORIGIN,
  });
  const engine = createWebhookEngine({
    sql,
    sharedSql,
    watchSql,
    http,
    secrets,
    log,
    reach,
    metrics: options.metrics,
    bounds: options.metrics?.bounds,
    onLapsed: options.onLapsed,
    settings: config,
    ...(options.lingerMs === undefined ? {} : { lingerMs: options.lingerMs }),
  });
  const listener = await listenResiliently(config.DATABASE_URL, [WEBHOOKS_DUE], {
    onNotify: (_channel, announcement) => {
      const [line, subscriptionId] = announcement.split(' ');
      engine.wake({ line: Number(line), subscriptionId: subscriptionId as SubscriptionId });
    },
    onListening: () => engine.wakeAll(),
  });
  return {
    engine,
    async close() {
      await engine.close();
      await listener.stop();
      await http.close();
      await Promise.all([sharedSql, watchSql].map((each) => each.end({ timeout: 5 })));
    },
  };
}
