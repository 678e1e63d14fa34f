import type { DrainReport } from '../../src/domain/drain-report';
import { createLog } from '../../src/log';
import { parseCidrs } from '../../src/outbound/addresses';
import { createOutboundClient } from '../../src/outbound/http-client';
import { createWebhookEngine, type WebhookEngine } from '../../src/webhooks/webhook-engine';
import type { ReachCheckpoint } from '../../src/checkpoint';
import { createTestDatabase, type TestDatabase } from './database';
import { startWebhookReceiver, type WebhookReceiver } from './webhook-receiver';
import { createWebhookRows, type TestSubscription, type WebhookRows } from './webhook-rows';

export interface DrainBenchOptions {
  readonly timeoutMs?: number;
  readonly retryTable?: readonly number[];
  readonly reach?: ReachCheckpoint;
}

/** An engine with a database and a receiver of its own, without Temporal. */
export interface DrainBench {
  readonly database: TestDatabase;
  readonly rows: WebhookRows;
  readonly receiver: WebhookReceiver;
  readonly engine: WebhookEngine;
  drain(subscription: TestSubscription, signal?: AbortSignal): Promise<DrainReport>;
  /** Another engine on the same rows: another worker process. */
  startEngine(options?: DrainBenchOptions): WebhookEngine;
  close(): Promise<void>;
}

export async function createDrainBench(options: DrainBenchOptions = {}): Promise<DrainBench> {
  const database = await createTestDatabase();
  const receiver = await startWebhookReceiver();
  const rows = await createWebhookRows(database.sql);
  const http = createOutboundClient({
    allowCidrs: parseCidrs('127.0.0.0/8'),
    userAgent: 'test',
    connections: 5_000,
  });
  const stops = new AbortController();
  const startEngine = ({ timeoutMs = 1_000, retryTable = [200, 400], reach }: DrainBenchOptions = {}) =>
    createWebhookEngine({
      sql: database.sql,
      sharedSql: database.sql,
      http,
      secrets: rows.secrets,
      log: createLog('silent'),
      ...(reach === undefined ? {} : { reach }),
      settings: { WEBHOOK_TIMEOUT: timeoutMs, WEBHOOK_RETRY_SCHEDULE: retryTable },
    });
  const engine = startEngine(options);
  return {
    database,
    rows,
    receiver,
    engine,
    startEngine,
    drain: ({ subscriptionId }, signal = stops.signal) => engine.drain(subscriptionId, signal),
    async close() {
      stops.abort();
      await receiver.close();
      await http.close();
      await database.drop();
    },
  };
}
