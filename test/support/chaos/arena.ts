import { randomBytes } from 'node:crypto';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { buildForProduction } from '../../../bench/rig/production-build';
import { findFreePort } from '../../../dev/processes/free-port';
import { connect, type Sql } from '../../../src/platform/db/client';
import type { Arrival, SimulatorsAddress, SimulatorsEnv } from '../child-chaos-simulators';
import { type FaultProxy, startFaultProxy } from '../fault-proxy';
import { type MortalServer, startMortalPostgres, startMortalTemporal } from '../own-servers';
import { type Part, serverPart, startProcessPart, type SupervisedPart } from './part';

/** A deployment in production mode in which everything may be struck, and simulators which may not. */
export interface Arena {
  /** Not through the proxy. */
  readonly sql: Sql;
  readonly encryptionKey: string;
  readonly client: { readonly clientId: string; readonly clientSecret: string };
  readonly simulators: SimulatorsAddress;
  readonly apiUrls: readonly string[];
  readonly processes: readonly SupervisedPart[];
  readonly parts: readonly Part[];
  readonly temporal: MortalServer;
  /** Between API, workers and Postgres. */
  readonly proxy: FaultProxy;
  /** Where logs are. */
  readonly directory: string;
  /** Webhooks that have come so far. */
  arrivals(): Promise<Arrival[]>;
  /** Stops everything; keeps the logs if asked to. */
  stop(options: { keepLogs: boolean }): Promise<void>;
}

/** Settings with which minutes of production pass in seconds. */
const ENV = {
  LOG_LEVEL: 'info',
  HOST: '127.0.0.1',
  UPLOAD_WAIT: '3s',
  ACK_WAIT: '1s',
  DELIVERY_APP_TIMEOUT: '5s',
  WEBHOOK_TIMEOUT: '3s',
  WEBHOOK_RETRY_SCHEDULE: `300ms,600ms,1s,2s,2s,3s,3s,5s,5s,5s,5s,5s,5s,5s,5s`,
  WEBHOOK_ALLOW_HTTP: 'true',
  OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8',
} as const;

export async function startArena(seed: number): Promise<Arena> {
  const undo: (() => Promise<unknown>)[] = [];
  try {
    return await build(seed, undo);
  } catch (error) {
    for (const each of undo.toReversed()) await each();
    throw error;
  }
}

async function build(seed: number, undo: (() => Promise<unknown>)[]): Promise<Arena> {
  const directory = await mkdtemp(join(tmpdir(), 'pos-integrations-chaos-'));
  const client = { clientId: 'chaos', clientSecret: randomBytes(8).toString('hex') };
  const built = await buildForProduction(directory);
  const [postgres, temporal] = await Promise.all([startMortalPostgres(), startMortalTemporal()]);
  undo.push(() => Promise.all([postgres.remove(), temporal.remove()]));
  const sql = connect(postgres.address, { max: 4 });
  undo.push(() => sql.end({ timeout: 1 }));
  const simulators = await startSimulators(seed, client);
  undo.push(async () => void simulators.child.kill());
  const databaseUrl = new URL(postgres.address);
  const { hostname, port } = databaseUrl;
  const proxy = await startFaultProxy({ host: hostname, port: Number(port) });
  undo.push(() => proxy.close());
  databaseUrl.port = String(proxy.port);
  const encryptionKey = randomBytes(32).toString('base64');
  const env = {
    ...ENV,
    DATABASE_URL: databaseUrl.href,
    TEMPORAL_ADDRESS: temporal.address,
    ENCRYPTION_KEY: encryptionKey,
  };
  const ports = [await findFreePort(), await findFreePort()];
  const start = (name: string, role: 'api' | 'worker', own: Record<string, string>) => {
    const logFile = join(directory, `${name}.log`);
    const part = startProcessPart({ name, role, built, logFile, env: { ...env, ...own } });
    undo.push(() => part.stop());
    return part;
  };
  const processes = [
    ...ports.map((each, index) => start(`api ${index + 1}`, 'api', { PORT: String(each) })),
    start('worker 1', 'worker', {}),
    start('worker 2', 'worker', {}),
  ];
  const apiUrls = ports.map((each) => `http://127.0.0.1:${each}`);
  await Promise.all(apiUrls.map(untilReady));
  return {
    sql,
    encryptionKey,
    client,
    simulators: simulators.address,
    apiUrls,
    processes,
    parts: [...processes, serverPart('Postgres', postgres), serverPart('Temporal', temporal)],
    temporal,
    proxy,
    directory,
    async arrivals() {
      simulators.child.send('report');
      const [arrivals] = await once(simulators.child, 'message');
      return arrivals as Arrival[];
    },
    async stop({ keepLogs }) {
      for (const each of undo.splice(0).toReversed()) await each();
      if (!keepLogs) await rm(directory, { recursive: true, force: true });
    },
  };
}

async function startSimulators(
  seed: number,
  client: Arena['client'],
): Promise<{ child: ChildProcess; address: SimulatorsAddress }> {
  const env: SimulatorsEnv = {
    CHAOS_SEED: String(seed),
    CHAOS_CLIENT_ID: client.clientId,
    CHAOS_CLIENT_SECRET: client.clientSecret,
  };
  const child = fork(join(__dirname, '..', 'child-chaos-simulators.ts'), {
    execArgv: ['--import', 'tsx'],
    env: { ...process.env, ...env },
  });
  const [address] = await once(child, 'message');
  return { child, address: address as SimulatorsAddress };
}

async function untilReady(url: string): Promise<void> {
  const giveUpAt = Date.now() + 60_000;
  for (;;) {
    const ready = await fetch(`${url}/health/ready`).then(
      ({ status }) => status === 200,
      () => false,
    );
    if (ready) return;
    if (Date.now() > giveUpAt) throw new Error(`${url} does not become ready`);
    await delay(100);
  }
}
