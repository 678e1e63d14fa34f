import { randomBytes } from 'node:crypto';
import { createToken, createUser } from '../../src/admin/users';
import type { AtCheckpoint } from '../../src/platform/checkpoint';
import { type Config, loadConfig } from '../../src/platform/config/config';
import { createConfiguredSecretBox } from '../../src/run/configured-secrets';
import { connect, type Sql } from '../../src/platform/db/client';
import { PERMISSIONS } from '../../src/users/sql/users';
import type { UploadTiming } from '../../src/uploads/upload-retries';
import { createLog, type Log } from '../../src/platform/observe/log';
import { runApi, type RunningApi, type RunningProcess } from '../../src/run/run-api';
import { runWorker } from '../../src/run/run-worker';
import { type Child, type ChildPlan, startChild } from './child-process';
import { createTestDatabase } from './database';
import { deferred } from './deferred';
import {
  type AddedApp,
  openShop,
  type Shop,
  type ShopDeps,
  type ShopOptions,
  type SimulatedAppName,
} from './shop';
import { testTemporalAddress } from './temporal';
import { takeNamespace } from './temporal-namespace';
import { testWorkflowBundle } from './workflow-bundle';

export interface SystemOptions {
  /** Settings other than the tests' own. */
  readonly env?: Readonly<Record<string, string>>;
  readonly timing?: Partial<UploadTiming>;
  /** How often workers of this process sweep, ms. */
  readonly sweepEveryMs?: number;
  /** Where API and worker of this process write; else nowhere. */
  readonly log?: Log;
  /** Servers of the test's own, migrated and with the namespace `default`; else the run's. */
  readonly servers?: { readonly databaseUrl: string; readonly temporalAddress: string };
}

/** A running service with a user of the test's own, who has every permission. */
export interface SharedSystem {
  readonly env: Readonly<Record<string, string>>;
  readonly sql: Sql;
  readonly token: string;
  /** Of the newest API. */
  apiUrl(): string;
  openShop(app: SimulatedAppName | AddedApp, options?: ShopOptions): Promise<Shop>;
  /** Stops what the test has started, newest first. */
  stop(): Promise<void>;
}

/** The whole service of the test's own, on its own servers or the run's. */
export interface System extends SharedSystem {
  /** In this process. The newest API is the one that shops upload to. */
  startApi(atCheckpoint?: AtCheckpoint): Promise<RunningApi>;
  /** In this process; resolves when it polls. */
  startWorker(
    atCheckpoint?: AtCheckpoint,
    env?: Readonly<Record<string, string>>,
  ): Promise<RunningProcess>;
  /** In a separate process; never the default. */
  startChild(plan: Pick<ChildPlan, 'role' | 'stopAt'>): Promise<Child>;
}

/** Of this test file: Jest loads modules once per file. */
const started: SharedSystem[] = [];

/** Has `stopSystems` stop it. */
export function stopLater(system: SharedSystem): void {
  started.push(system);
}

/** For `afterEach` or `afterAll`: a test that fails half-way must not leave anything running. */
export async function stopSystems(): Promise<void> {
  await Promise.all(started.splice(0).map((system) => system.stop()));
}

/** A system in which nothing runs yet but the servers. */
export async function prepareSystem(options: SystemOptions = {}): Promise<System> {
  const parts: Parts = [];
  const { databaseUrl, sql, ...temporal } = await findServers(options.servers, parts);
  const env = {
    HOST: '127.0.0.1',
    PORT: '0',
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: temporal.namespace,
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8',
    LOG_LEVEL: process.env['TEST_LOG_LEVEL'] ?? 'silent',
    ...options.env,
  };
  const config = loadConfig(env);
  const log = options.log ?? createLog(config.LOG_LEVEL);
  let api: RunningApi | undefined;
  const deps = await createTester(sql, config, () => api?.url ?? '');
  const keep = <T extends RunningProcess>(part: T): T => {
    let stopped: Promise<void> | undefined;
    const stop = () => (stopped ??= part.stop());
    parts.push(stop);
    return { ...part, stop };
  };
  const system: System = {
    env,
    ...withShops(deps, parts),
    async startApi(atCheckpoint) {
      api = keep(await runApi({ config, log, ...(atCheckpoint ? { atCheckpoint } : {}) }));
      return api;
    },
    async startWorker(atCheckpoint, ownEnv = {}) {
      const { timing = {} } = options;
      const ready = deferred();
      const workflowBundle = testWorkflowBundle();
      const { sweepEveryMs } = options;
      const shared = {
        config: loadConfig({ ...env, ...ownEnv }),
        log,
        timing,
        workflowBundle,
        onReady: ready.resolve,
        ...(sweepEveryMs === undefined ? {} : { sweepEveryMs }),
      };
      const worker = keep(
        await runWorker({ ...shared, ...(atCheckpoint ? { atCheckpoint } : {}) }),
      );
      await ready.promise;
      return worker;
    },
    async startChild(plan) {
      const child = await startChild({
        ...plan,
        env,
        ...(options.timing ? { timing: options.timing } : {}),
      });
      parts.push(async () => {
        child.kill('SIGKILL');
        await child.ended;
      });
      return child;
    },
  };
  stopLater(system);
  return system;
}

export type Parts = (() => Promise<unknown>)[];

/** A user with every permission, for shops. */
export async function createTester(
  sql: Sql,
  config: Config,
  apiUrl: () => string,
): Promise<ShopDeps> {
  const { user_id: userId } = await createUser(
    { sql },
    { name: 'Tester', permissions: PERMISSIONS },
  );
  const { token } = await createToken({ sql }, { userId, expiresInSeconds: null });
  return { sql, secrets: createConfiguredSecretBox(config), userId, token, apiUrl };
}

export function withShops(deps: ShopDeps, parts: Parts): Omit<SharedSystem, 'env'> {
  return {
    sql: deps.sql,
    token: deps.token,
    apiUrl: deps.apiUrl,
    async openShop(app, shopOptions) {
      const shop = await openShop(deps, app, shopOptions);
      parts.push(() => shop.close());
      return shop;
    },
    async stop() {
      for (const stop of parts.splice(0).toReversed()) await stop();
    },
  };
}

async function findServers(
  own: SystemOptions['servers'],
  parts: Parts,
): Promise<{ databaseUrl: string; sql: Sql; address: string; namespace: string }> {
  if (own) {
    const sql = connect(own.databaseUrl, { max: 4 });
    parts.push(() => sql.end({ timeout: 1 }));
    return {
      databaseUrl: own.databaseUrl,
      sql,
      address: own.temporalAddress,
      namespace: 'default',
    };
  }
  const database = await createTestDatabase();
  parts.push(() => database.drop());
  return {
    databaseUrl: database.url,
    sql: database.sql,
    address: testTemporalAddress(),
    namespace: await takeNamespace(),
  };
}
