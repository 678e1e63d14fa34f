import { until } from './until';
import type { AtCheckpoint } from '../../src/platform/checkpoint';
import type { Sql } from '../../src/platform/db/client';
import type { LineReport } from '../../src/webhooks/lines/line-report';
import type { RetryTable } from '../../src/webhooks/attempt/next-attempt';
import { createLog } from '../../src/platform/observe/log';
import { parseCidrs } from '../../src/platform/outbound/addresses';
import { createOutboundClient } from '../../src/platform/outbound/http-client';
import type { OwnFaults } from '../../src/platform/outbound/own-faults';
import type { OutboundClient, OutboundRequest } from '../../src/platform/outbound/types';
import { createDrains, type Drains } from '../../src/webhooks/drain/drains';
import { createTestDatabase, type TestDatabase } from './database';
import { startWebhookReceiver, type WebhookReceiver } from './webhook-receiver';
import { createWebhookRows, type TestSubscription, type WebhookRows } from './webhook-rows';

export interface WorkerOptions {
  readonly timeoutMs?: number;
  readonly retryTable?: RetryTable;
  readonly atCheckpoint?: AtCheckpoint;
  /** Shorter than in production: tests wait for drains to end. */
  readonly lingerMs?: number;
  /** For payloads. */
  readonly memoryBytes?: number;
  /** Hears of each request in the order in which they start. */
  readonly onRequest?: (request: OutboundRequest) => void;
  /** Another way to the same database. */
  readonly sql?: Sql;
  /** The same, for the promises of lines. */
  readonly watchSql?: Sql;
  /** Another way to receivers, and what it tells of trouble of our own. */
  readonly out?: { readonly http: OutboundClient; readonly ownFaults: OwnFaults };
}

/** A running drain of a subscription's line. */
export interface StartedDrain {
  readonly report: Promise<LineReport>;
  /** Ends it as a cancelled activity is. */
  cancel(): Promise<LineReport>;
}

/** Workers with their own database and receiver, without Temporal: each represents a worker process. */
export interface DrainBench {
  readonly database: TestDatabase;
  readonly rows: WebhookRows;
  readonly receiver: WebhookReceiver;
  startWorker(options?: WorkerOptions): Drains;
  startDrain(worker: Drains, of: TestSubscription): StartedDrain;
  /** Lets the promise of the line's current drain expire, as if its process were frozen. */
  lapse(of: TestSubscription): Promise<void>;
  /** Drains until nothing is pending, and ends the drain then. */
  drainAll(worker: Drains, of: TestSubscription): Promise<LineReport>;
  close(): Promise<void>;
}

export async function createDrainBench(): Promise<DrainBench> {
  const database = await createTestDatabase();
  const receiver = await startWebhookReceiver();
  const rows = await createWebhookRows(database.sql);
  const http = createOutboundClient({
    allowCidrs: parseCidrs('127.0.0.0/8'),
    userAgent: 'test',
    connections: 5_000,
  });
  const running = new Set<StartedDrain>();
  const workers: Drains[] = [];

  function startDrain(worker: Drains, of: TestSubscription): StartedDrain {
    const stop = new AbortController();
    const report = worker.drainLine(of.line, stop.signal);
    const drain: StartedDrain = {
      report,
      cancel() {
        stop.abort();
        return report;
      },
    };
    running.add(drain);
    return drain;
  }

  /** A drain that ended by itself leaves nothing behind; there is no Temporal here to start another. */
  async function requireAllSent(of: TestSubscription): Promise<void> {
    const pending = await rows.countPending(of);
    if (pending > 0) throw new Error(`The drain has ended with ${pending} deliveries pending.`);
  }

  return {
    database,
    rows,
    receiver,
    startWorker({
      timeoutMs = 1_000,
      retryTable = [200, 400],
      atCheckpoint,
      lingerMs = 500,
      memoryBytes = 128 * 2 ** 20,
      onRequest,
      sql = database.sql,
      watchSql = sql,
      out,
    }: WorkerOptions = {}) {
      const worker = createDrains({
        sql,
        sharedSql: sql,
        watchSql,
        ownFaults: out?.ownFaults,
        http: onRequest ? heard(out?.http ?? http, onRequest) : (out?.http ?? http),
        secrets: rows.secrets,
        lingerMs,
        log: createLog(process.env['TEST_LOG_LEVEL'] ?? 'silent'),
        ...(atCheckpoint ? { atCheckpoint } : {}),
        settings: {
          WEBHOOK_MEMORY: memoryBytes,
          WEBHOOK_TIMEOUT: timeoutMs,
          WEBHOOK_RETRY_SCHEDULE: retryTable,
        },
      });
      workers.push(worker);
      return worker;
    },
    startDrain,
    // One that is not set is not renewed either.
    async lapse({ line }) {
      await database.sql`update webhook_line set alive_until = null where line = ${line}::smallint`;
    },
    async drainAll(worker, of) {
      const drain = startDrain(worker, of);
      const allSent = until(async () => (await rows.countPending(of)) === 0);
      await Promise.race([allSent, drain.report.then(() => requireAllSent(of))]);
      return drain.cancel();
    },
    async close() {
      await Promise.allSettled([...running].map((drain) => drain.cancel()));
      await Promise.all(workers.map((worker) => worker.close()));
      await receiver.close();
      await http.close();
      await database.drop();
    },
  };
}

function heard(
  client: OutboundClient,
  onRequest: (request: OutboundRequest) => void,
): OutboundClient {
  return {
    request(each) {
      onRequest(each);
      return client.request(each);
    },
    close: () => client.close(),
  };
}
