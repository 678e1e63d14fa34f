import { connect as connectTcp, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { listenAsConfigured } from '../../src/platform/db/configured';
import {
  type Listener,
  listenResiliently,
  TransactionPoolerError,
} from '../../src/platform/db/listen';
import { createLog } from '../../src/platform/observe/log';
import { createEmptyDatabase, type TestDatabase } from '../support/database';
import { type FaultProxy, startPostgresProxy } from '../support/fault-proxy';
import { startTransactionPooler, type TransactionPooler } from '../support/transaction-pooler';
import { until } from '../support/until';

let database: TestDatabase;
let proxy: FaultProxy;
let url: string;
let listener: Listener | undefined;
let arrived: string[];
let timesListening: number;
let pooler: TransactionPooler | undefined;
let lossy: Awaited<ReturnType<typeof startLossyPooler>> | undefined;

const handlers = {
  onNotify: (channel: string, payload: string) => void arrived.push(`${channel}: ${payload}`),
  onListening: () => void (timesListening += 1),
};

beforeAll(async () => {
  database = await createEmptyDatabase();
});
afterAll(() => database.drop());

beforeEach(async () => {
  ({ proxy, url } = await startPostgresProxy(database.url));
  arrived = [];
  timesListening = 0;
});
afterEach(async () => {
  await listener?.stop();
  listener = undefined;
  await lossy?.close();
  lossy = undefined;
  await pooler?.close();
  pooler = undefined;
  await proxy.close();
});

test('what is sent on its channels arrives, and on no others', async () => {
  listener = await listenResiliently(url, ['orders', 'odd "name"'], handlers);
  await database.sql.notify('orders', 'one');
  await database.sql.notify('elsewhere', 'two');
  await database.sql.notify('odd "name"', 'three');
  await until(() => arrived.length === 2);
  expect(arrived).toEqual(['orders: one', 'odd "name": three']);
});

test('a cut connection is replaced, and its owner is told to read what it missed', async () => {
  listener = await listenResiliently(url, ['orders'], handlers);
  proxy.mode = 'refuse';
  proxy.cut();
  await sleep(300);
  proxy.mode = 'pass';
  await until(() => timesListening === 2);
  await database.sql.notify('orders', 'after');
  await until(() => arrived.length === 1);
  expect(arrived).toEqual(['orders: after']);
});

test('a missing database does not keep a process from starting, and is listened to when it appears', async () => {
  proxy.mode = 'refuse';
  listener = await listenResiliently(url, ['orders'], handlers);
  expect(timesListening).toBe(0);
  proxy.mode = 'pass';
  await until(() => timesListening === 1);
  await database.sql.notify('orders', 'at last');
  await until(() => arrived.length === 1);
});

test('stop also ends it between two tries', async () => {
  listener = await listenResiliently(url, ['orders'], handlers);
  proxy.mode = 'refuse';
  proxy.cut();
  await sleep(200);
  await listener.stop();
  proxy.mode = 'pass';
  await sleep(300);
  expect(timesListening).toBe(1);
});

test('a connection that loses notifications, as behind a transaction pooler, is refused at startup', async () => {
  lossy = await startLossyPooler(Number(new URL(database.url).port));
  const throughPooler = new URL(database.url);
  throughPooler.port = String(lossy.port);
  await expect(listenResiliently(throughPooler.href, ['orders'], handlers)).rejects.toThrow(
    TransactionPoolerError,
  );
  expect(timesListening).toBe(0);
});

test('a wire that falls silent while a process starts is not taken for a pooler, and is replaced', async () => {
  lossy = await startLossyPooler(Number(new URL(database.url).port), 'falls silent once');
  const throughWire = new URL(database.url);
  throughWire.port = String(lossy.port);
  listener = await listenResiliently(throughWire.href, ['orders'], handlers);
  await until(() => timesListening === 1);
  await database.sql.notify('orders', 'after all');
  await until(() => arrived.length === 1);
  expect(arrived).toEqual(['orders: after all']);
});

describe('a pooler that is found wrong only when Postgres is back', () => {
  test('is logged once, with what its sessions lack', async () => {
    const logged = await listenBesidePooler(url);
    expect(logged).toEqual([]);
    proxy.mode = 'pass';
    await until(() => logged.length > 0);
    // The next tries, and one while Postgres is away again, find the same.
    await sleep(1_000);
    proxy.mode = 'refuse';
    await sleep(2_500);
    proxy.mode = 'pass';
    await sleep(2_500);
    expect(logged).toEqual([expect.stringMatching(/"level":50.*lack .*connect_query has to be/)]);
    expect(timesListening).toBe(0);
  });

  test('is logged if the listener itself goes through it', async () => {
    const logged = await listenBesidePooler(null);
    proxy.mode = 'pass';
    await until(() => logged.length > 0, 10_000);
    expect(logged[0]).toMatch(/"level":50.*DATABASE_DIRECT_URL is needed/);
  });
});

/** Postgres is away, and a pooler without settings is in front of it. Returns what is logged, now and later. */
async function listenBesidePooler(directUrl: string | null): Promise<readonly string[]> {
  proxy.mode = 'refuse';
  pooler = await startTransactionPooler(Number(new URL(url).port));
  const through = new URL(url);
  through.port = String(pooler.port);
  const logged: string[] = [];
  listener = await listenAsConfigured(
    { DATABASE_URL: through.href, DATABASE_DIRECT_URL: directUrl },
    ['orders'],
    { ...handlers, log: createLog('error', { write: (line) => void logged.push(line) }) },
  );
  return logged;
}

const NOTIFICATION = 'A'.charCodeAt(0);

/**
 * Hands everything on except notifications, which is all that a client sees of a pooler in transaction mode. Or it hands
 * on nothing at all from the first notification on, over that one connection.
 */
async function startLossyPooler(
  target: number,
  how: 'loses notifications' | 'falls silent once' = 'loses notifications',
): Promise<{ port: number; close(): Promise<void> }> {
  let silent: unknown;
  const clients = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connectTcp(target, '127.0.0.1');
    clients.add(client);
    let rest = Buffer.alloc(0);
    client.pipe(upstream).on('error', () => client.destroy());
    client.on('error', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
    upstream.on('data', (chunk) => {
      rest = Buffer.concat([rest, chunk]);
      // Each message: one byte for the type, four for the length without that byte.
      while (rest.length >= 5 && rest.length > rest.readUInt32BE(1)) {
        const size = rest.readUInt32BE(1) + 1;
        if (how === 'falls silent once' && rest[0] === NOTIFICATION) silent ??= client;
        const isLost = how === 'falls silent once' ? silent === client : rest[0] === NOTIFICATION;
        if (!isLost) client.write(rest.subarray(0, size));
        rest = rest.subarray(size);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    close: () => {
      for (const client of clients) client.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
