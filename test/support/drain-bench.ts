import { setTimeout as sleep } from 'node:timers/promises';
import type { ReachCheckpoint } from '../../src/checkpoint';
import type { Sql } from '../../src/db/client';
import type { LineReport } from '../../src/domain/line-report';
import type { RetryTable } from '../../src/domain/retry-table';
import { createLog } from '../../src/log';
import { parseCidrs } from '../../src/outbound/addresses';
import { createOutboundClient } from '../../src/outbound/http-client';
import { createWebhookEngine, type WebhookEngine } from '../../src/webhooks/webhook-engine';
import { createTestDatabase, type TestDatabase } from './database';
import { startWebhookReceiver, type WebhookReceiver } from './webhook-receiver';
import { createWebhookRows, type TestSubscription, type WebhookRows } from './webhook-rows';

export interface EngineOptions {
  readonly timeoutMs?: number;
  readonly retryTable?: RetryTable;
  readonly reach?: ReachCheckpoint;
  /** Shorter than in production: tests wait for drains to end. */
  readonly lingerMs?: number;
  /** For payloads. */
  readonly memoryBytes?: number;
  /** Another way to the same database. */
  readonly sql?: Sql;
}

/** A drain of a subscription's line that is under way. */
export interface StartedDrain {
  readonly report: Promise<LineReport>;
  /** Ends it as a cancelled activity is. */
  cancel(): Promise<LineReport>;
}

/** Engines on a database and a receiver of their own, without Temporal: each engine stands for a worker process. */
export interface DrainBench {
  readonly database: TestDatabase;
  readonly rows: WebhookRows;
  readonly receiver: WebhookReceiver;
  startEngine(options?: EngineOptions): WebhookEngine;
  startDrain(engine: WebhookEngine, of: TestSubscription): StartedDrain;
  /** Lets the promise of whoever has the line run out, as if that process stood still. */
  lapse(of: TestSubscription): Promise<void>;
  /** Drains until nothing is pending, and ends the drain then. */
  drainAll(engine: WebhookEngine, of: TestSubscription): Promise<LineReport>;
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
  const engines: WebhookEngine[] = [];

  function startDrain(engine: WebhookEngine, of: TestSubscription): StartedDrain {
    const stop = new AbortController();
    const report = engine.drainLine(of.line, stop.signal);
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

  return {
    database,
    rows,
    receiver,
    startEngine({
      timeoutMs = 1_000,
      retryTable = [200, 400],
      reach,
      lingerMs = 2_000,
      memoryBytes = 128 * 2 ** 20,
      sql = database.sql,
    } = {}) {
      const engine = createWebhookEngine({
        sql,
        sharedSql: sql,
        http,
        secrets: rows.secrets,
        lingerMs,
        log: createLog(process.env['TEST_LOG_LEVEL'] ?? 'silent'),
        ...(reach ? { reach } : {}),
        settings: {
          WEBHOOK_MEMORY: memoryBytes,
          WEBHOOK_TIMEOUT: timeoutMs,
          WEBHOOK_RETRY_SCHEDULE: retryTable,
        },
      });
      engines.push(engine);
      return engine;
    },
    startDrain,
    // One that is not set is not renewed either.
    async lapse({ line }) {
      await database.sql`update webhook_line set alive_until = null where line = ${line}::smallint`;
    },
    async drainAll(engine, of) {
      const drain = startDrain(engine, of);
      await until(async () => (await rows.countPending(of)) === 0);
      return drain.cancel();
    },
    async close() {
      await Promise.allSettled([...running].map((drain) => drain.cancel()));
      await Promise.all(engines.map((engine) => engine.close()));
      await receiver.close();
      await http.close();
      await database.drop();
    },
  };
}

/** Waits until `condition` holds, looking every 10 ms; throws after `ms`. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  ms = 10_000,
): Promise<void> {
  const deadline = Date.now() + ms;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`condition not met in ${ms} ms`);
    await sleep(10);
  }
}
