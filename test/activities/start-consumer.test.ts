import { noCheckpoints } from '../../src/platform/checkpoint';
import { loadConfig } from '../../src/platform/config/config';
import { createDatabaseClock } from '../../src/platform/db/database-clock';
import { createLog } from '../../src/platform/observe/log';
import { createOwnFaults } from '../../src/platform/outbound/own-faults';
import { startWorkerShards } from '../../src/webhooks/consumer/start-worker-shards';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { deferred } from '../support/deferred';
import { until } from '../support/until';
import { createWebhookRows } from '../support/webhook-rows';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('the lease is renewed while neither due deliveries nor the timeline can be looked up', async () => {
  const { sql, url } = database;
  await sql`update webhook_timeline set timeline = '00000000'`;
  const [locked, mayEnd] = [deferred(), deferred()];
  const blocking = sql.begin(async (tx) => {
    await tx`select from webhook_timeline for update`;
    await tx`lock table delivery in access exclusive mode`;
    locked.resolve();
    await mayEnd.promise;
  });
  await locked.promise;
  const consumer = await startWorkerShards({
    config: loadConfig({
      DATABASE_URL: url,
      TEMPORAL_ADDRESS: '127.0.0.1:7233',
      ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    }),
    sql,
    secrets: (await createWebhookRows(sql)).secrets,
    log: createLog('silent'),
    atCheckpoint: noCheckpoints,
    userAgent: 'test',
    ownFaults: createOwnFaults({ log: createLog('silent') }),
    clock: createDatabaseClock(),
    onLater: () => {},
    metrics: undefined,
  });
  const leases = new Set<number>();
  try {
    await until(async () => {
      const [row] = await sql<{ leaseUntil: Date }[]>`select lease_until from webhook_worker`;
      if (row) leases.add(row.leaseUntil.getTime());
      return leases.size > 5;
    }, 10_000);
    const waiting = await sql`
      select from pg_stat_activity
      where application_name = 'pos-integrations-shards' and wait_event_type = 'Lock'`;
    expect(waiting).toHaveLength(2);
  } finally {
    mayEnd.resolve();
    await blocking;
    consumer.stop();
    await consumer.close();
  }
});
