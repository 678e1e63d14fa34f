import { randomUUID } from 'node:crypto';
import type { AtCheckpoint } from '../../src/platform/checkpoint';
import { connect, type ConnectOptions, type Sql } from '../../src/platform/db/client';
import { type Listener, listenResiliently } from '../../src/platform/db/listen';
import { createLog } from '../../src/platform/observe/log';
import { parseCidrs } from '../../src/platform/outbound/addresses';
import { createOutboundClient } from '../../src/platform/outbound/http-client';
import type { OwnFaults } from '../../src/platform/outbound/own-faults';
import type { OutboundClient, OutboundRequest } from '../../src/platform/outbound/types';
import type { RetryTable } from '../../src/webhooks/attempt/next-attempt';
import { type WorkerShards, consumeShards } from '../../src/webhooks/consumer/worker-shards';
import { readAnnouncement, WEBHOOKS_DUE } from '../../src/webhooks/sql/announcements';
import { lockStatement, SHARDS_FREE, type Worker } from '../../src/webhooks/sql/shard-owners';
import { createTestDatabase, type TestDatabase } from './database';
import { deferred } from './deferred';
import { type FaultProxy, startPostgresProxy } from './fault-proxy';
import { until } from './until';
import { startWebhookReceiver, type WebhookReceiver } from './webhook-receiver';
import { createWebhookRows, type TestSubscription, type WebhookRows } from './webhook-rows';

export interface WorkerOptions {
  readonly timeoutMs?: number;
  readonly retryTable?: RetryTable;
  readonly atCheckpoint?: AtCheckpoint;
  /** For payloads. */
  readonly memoryBytes?: number;
  /** Hears of each request in the order in which they start. */
  readonly onRequest?: (request: OutboundRequest) => void;
  readonly onLater?: (shard: number) => void;
  /** Another way to the same database. */
  readonly sql?: Sql;
  /** The same, for its listener, whose session shows that it lives. */
  readonly listenUrl?: string;
  /** As `sql`, for the lease and for looks. */
  readonly leaseSql?: Sql;
  /** Another way to receivers, and what it tells of trouble of our own. */
  readonly out?: { readonly http: OutboundClient; readonly ownFaults: OwnFaults };
}

/** What stands for a worker process: it takes shards and consumes them from the start. */
export interface BenchWorker {
  readonly id: string;
  /** The shards that it has. */
  readonly shards: WorkerShards['shards'];
  /** Deliveries of this subscription were announced. */
  wake(of: TestSubscription): void;
  /** Stops it in order; resolves when everything is recorded and others may have its shards. */
  leave(): Promise<void>;
  /** It renews its lease no more, as a frozen process, and finds nothing due by itself; its session stays. */
  freeze(): void;
  thaw(): void;
  /** It freezes for good, and its session ends. */
  die(): Promise<void>;
}

export interface CutWay {
  readonly sql: Sql;
  readonly proxy: FaultProxy;
  readonly url: string;
}

/** Workers with their own database and receiver, without Temporal. */
export interface ConsumerBench {
  readonly database: TestDatabase;
  readonly rows: WebhookRows;
  readonly receiver: WebhookReceiver;
  startWorker(options?: WorkerOptions): Promise<BenchWorker>;
  /** Another way to the database, which may be cut; closed when all workers have left it. */
  connectThroughProxy(options?: Pick<ConnectOptions, 'statementTimeoutMs'>): Promise<CutWay>;
  untilSent(...subscriptions: readonly TestSubscription[]): Promise<void>;
  /** Starts a worker, waits until it has sent all that is pending, and has it leave. */
  sendAll(of: TestSubscription, options?: WorkerOptions): Promise<void>;
  /** Until this worker has the shard of the subscription. */
  untilOwned(worker: BenchWorker, of: TestSubscription): Promise<void>;
  /** Has all workers leave. */
  leaveAll(): Promise<void>;
  close(): Promise<void>;
}

export async function createConsumerBench(): Promise<ConsumerBench> {
  const database = await createTestDatabase();
  const receiver = await startWebhookReceiver();
  const rows = await createWebhookRows(database.sql);
  const http = createOutboundClient({
    allowCidrs: parseCidrs('127.0.0.0/8'),
    userAgent: 'test',
    connections: 5_000,
  });
  const workers = new Set<BenchWorker>();

  async function startWorker(options: WorkerOptions = {}): Promise<BenchWorker> {
    const { timeoutMs = 1_000, retryTable = [200, 400], sql = database.sql, out } = options;
    const worker: Worker = { id: randomUUID(), name: 'test' };
    const lease = freezable(options.leaseSql ?? sql);
    const client = out?.http ?? http;
    const { onRequest, atCheckpoint, onLater, memoryBytes = 128 * 2 ** 20 } = options;
    const { listenUrl = database.url } = options;
    let consumer: WorkerShards | undefined;
    const listener: Listener = await listenResiliently(listenUrl, [WEBHOOKS_DUE, SHARDS_FREE], {
      sessionStatement: lockStatement(worker),
      onNotify(channel, text) {
        if (channel === SHARDS_FREE) consumer?.takeFree();
        else consumer?.wake(readAnnouncement(text));
      },
      onListening: () => consumer?.wakeAll(),
    });
    consumer = consumeShards({
      sql,
      sharedSql: sql,
      leaseSql: lease.sql,
      worker,
      ownFaults: out?.ownFaults,
      http: onRequest ? heard(client, onRequest) : client,
      secrets: rows.secrets,
      log: createLog(process.env['TEST_LOG_LEVEL'] ?? 'silent'),
      ...(atCheckpoint ? { atCheckpoint } : {}),
      ...(onLater ? { onLater } : {}),
      settings: {
        WEBHOOK_MEMORY: memoryBytes,
        WEBHOOK_TIMEOUT: timeoutMs,
        WEBHOOK_RETRY_SCHEDULE: retryTable,
      },
    });
    const started = consumer;
    let ended: Promise<void> | undefined;
    const bench: BenchWorker = {
      id: worker.id,
      shards: started.shards,
      wake: (of) => started.wake(of),
      leave() {
        workers.delete(bench);
        ended ??= (async () => {
          lease.thaw();
          started.stop();
          await started.close();
          await listener.stop();
        })();
        return ended;
      },
      freeze: lease.freeze,
      thaw: lease.thaw,
      async die() {
        lease.freeze();
        await listener.stop();
      },
    };
    workers.add(bench);
    return bench;
  }

  async function untilSent(...subscriptions: readonly TestSubscription[]): Promise<void> {
    await until(async () => {
      const pending = await Promise.all(subscriptions.map((each) => rows.countPending(each)));
      return pending.every((each) => each === 0);
    });
  }

  const ways: CutWay[] = [];

  async function leaveAll(): Promise<void> {
    await Promise.allSettled([...workers].map((worker) => worker.leave()));
    for (const { sql, proxy } of ways.splice(0)) {
      await sql.end({ timeout: 1 });
      await proxy.close();
    }
  }

  return {
    database,
    rows,
    receiver,
    startWorker,
    async connectThroughProxy(options = {}) {
      const { proxy, url } = await startPostgresProxy(database.url);
      const way = { sql: connect(url, { max: 4, ...options }), proxy, url };
      ways.push(way);
      return way;
    },
    untilSent,
    leaveAll,
    async sendAll(of, options) {
      const worker = await startWorker(options);
      await untilSent(of);
      await worker.leave();
    },
    untilOwned: (worker, of) => until(() => worker.shards().includes(of.shard)),
    async close() {
      await leaveAll();
      await receiver.close();
      await http.close();
      await database.drop();
    },
  };
}

/** As `sql`, but while it is frozen no statement begins. */
function freezable(sql: Sql) {
  let thawed = deferred();
  thawed.resolve();
  let isFrozen = false;
  const freezing = new Proxy(sql, {
    apply(target, self, args: unknown[]) {
      // Parts of statements are made at once.
      if (!isFrozen || !/^\s*(?:with|update|select)\b/.test(String((args[0] as string[])[0])))
        return Reflect.apply(target, self, args);
      return thawed.promise.then(() => Reflect.apply(target, self, args));
    },
  });
  return {
    sql: freezing,
    freeze: (): void => {
      if (isFrozen) return;
      isFrozen = true;
      thawed = deferred();
    },
    thaw: (): void => {
      isFrozen = false;
      thawed.resolve();
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
