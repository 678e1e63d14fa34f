import { createTestDatabase, type TestDatabase } from '../support/database';
import { until } from '../support/until';
import {
  type MortalServer,
  startMortalPostgres,
  startMortalTemporal,
} from '../support/own-servers';
import { testTemporalAddress } from '../support/temporal';
import { takeNamespace } from '../support/temporal-namespace';
import { prepareWebhookSystem, type WebhookSystem } from '../support/webhook-system';

const OUTSTANDING = 500;
const IN_FLIGHT = 50;

let server: MortalServer;
let database: TestDatabase | undefined;
let webhooks: WebhookSystem;
afterEach(async () => {
  await webhooks.stop();
  await Promise.all([server.remove(), database?.drop()]);
  database = undefined;
});

/** Kills the server when the receiver has some of 500 deliveries; returns all arrivals by `webhook-id`. */
async function deliverThroughDeath(): Promise<Map<string, number>> {
  const { rows, receiver, system } = webhooks;
  receiver.answer('/', (response) => void setTimeout(() => response.writeHead(204).end(), 300));
  await system.startWorker();
  const subscription = await rows.subscribe({ url: `${receiver.url}/`, maxInFlight: IN_FLIGHT });
  const ids = await rows.put(subscription, OUTSTANDING);
  await webhooks.announce(subscription);
  await until(() => receiver.received.length > 120);
  await server.kill();
  await server.start();
  await until(async () => (await rows.countPending(subscription)) === 0);
  const times = new Map<string, number>(ids.map((id) => [id.replace('dlv', 'msg'), 0]));
  for (const { id } of receiver.received) times.set(id, (times.get(id) ?? 0) + 1);
  expect(times.size).toBe(OUTSTANDING);
  return times;
}

test('when Postgres is killed with 500 outstanding and restarted, all arrive, and only those in flight twice', async () => {
  server = await startMortalPostgres();
  webhooks = await prepareWebhookSystem({
    servers: { databaseUrl: server.address, temporalAddress: testTemporalAddress() },
    env: { TEMPORAL_NAMESPACE: await takeNamespace() },
  });
  const times = [...(await deliverThroughDeath()).values()];
  expect(Math.min(...times)).toBe(1);
  expect(times.filter((each) => each > 1).length).toBeLessThanOrEqual(IN_FLIGHT);
});

test('when Temporal is killed with 500 outstanding and restarted, all arrive once, because they need it for nothing but what is shown', async () => {
  [server, database] = await Promise.all([startMortalTemporal(), createTestDatabase()]);
  webhooks = await prepareWebhookSystem({
    servers: { databaseUrl: database.url, temporalAddress: server.address },
  });
  const times = [...(await deliverThroughDeath()).values()];
  expect(new Set(times)).toEqual(new Set([1]));
});

test('while Temporal is away, what is written goes out all the same', async () => {
  [server, database] = await Promise.all([startMortalTemporal(), createTestDatabase()]);
  webhooks = await prepareWebhookSystem({
    servers: { databaseUrl: database.url, temporalAddress: server.address },
  });
  const { rows, receiver, system } = webhooks;
  await system.startWorker();
  const subscription = await rows.subscribe({ url: `${receiver.url}/at-rest` });
  await server.kill();
  await rows.put(subscription, 20);
  await until(async () => (await rows.countPending(subscription)) === 0, 20_000);
  expect(receiver.receivedAt('/at-rest')).toHaveLength(20);
  await server.start();
});
