import { type ChildProcess, execFileSync, fork, type ForkOptions } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { startPostgres } from '../../dev/postgres/embedded-postgres';
import { findFreePort } from '../../dev/processes/free-port';
import { START_ENVIRONMENT, START_OPTIONS } from '../../dev/processes/start-options';
import { findTemporalBinary } from '../../dev/temporal/temporal-binary';
import { startTemporal } from '../../dev/temporal/temporal-server';
import { createToken, createUser } from '../../src/admin/users';
import { connect, type Sql } from '../../src/platform/db/client';
import { migrate } from '../../src/platform/db/migrate';
import type { Permission } from '../../src/users/sql/users';
import type { UserId } from '../../src/platform/ids';
import {
  createSecretBox,
  type SecretBox,
  toEncryptionKey,
} from '../../src/platform/crypto/secrets';
import { startPgBouncer } from './pgbouncer';
import { buildForProduction } from './production-build';

/** A deployment on one machine, every part in its own process, with Postgres as safe as in production. */
export interface Deployment {
  readonly sql: Sql;
  /** For statements that may take longer than those of `sql`. */
  readonly databaseUrl: string;
  readonly secrets: SecretBox;
  readonly origin: string;
  readonly api: Pool;
  readonly userId: UserId;
  readonly token: string;
  readonly pids: Readonly<Record<'api' | 'worker' | 'postgres' | 'temporal', number>>;
  /** What numbers from here depend on, in one line each. */
  readonly setting: readonly string[];
  /** Another worker process beside the first; ended with the rest, if not before. */
  readonly addWorker: () => ChildProcess;
  stop(): Promise<void>;
}

export interface DeploymentOptions {
  readonly permissions?: readonly Permission[];
  /** Settings of API and worker over the rig's own. */
  readonly env?: Readonly<Record<string, string>>;
  /** Settings of Postgres over those of `npm start`. */
  readonly postgresSettings?: Readonly<Record<string, string>>;
}

/**
 * Starts everything and resolves when the API is ready. PROFILE=directory leaves CPU profiles of API and worker there;
 * PGBOUNCER=binary puts that between them and Postgres.
 */
export async function startDeployment(options: DeploymentOptions = {}): Promise<Deployment> {
  const parts: (() => Promise<unknown>)[] = [];
  const stop = async (): Promise<void> => {
    for (const stopPart of parts.splice(0).toReversed()) await stopPart();
  };
  try {
    return await startParts(options, parts, stop);
  } catch (error) {
    // API and worker do not end with their parent, as in production.
    await stop();
    throw error;
  }
}

async function startParts(
  options: DeploymentOptions,
  parts: (() => Promise<unknown>)[],
  stop: () => Promise<void>,
): Promise<Deployment> {
  const directory = await mkdtemp(join(tmpdir(), 'pos-integrations-bench-'));
  await chmod(directory, 0o755); // as root, Postgres runs as a user who must get in
  parts.push(() => rm(directory, { recursive: true, force: true }));
  const built = await buildForProduction(directory);
  const servers = await startServers(directory, options.postgresSettings ?? {}, parts);
  const { sql, postgres, temporal } = servers;
  const key = randomBytes(32);
  const binary = process.env['PGBOUNCER'];
  const pooler = binary ? await startPgBouncer(binary, postgres.url('bench')) : undefined;
  if (pooler) parts.push(() => pooler.stop());
  const port = await findFreePort();
  const env = {
    ...process.env,
    NODE_ENV: 'production',
    ...START_ENVIRONMENT,
    DATABASE_URL: pooler?.url ?? postgres.url('bench'),
    DATABASE_DIRECT_URL: pooler ? postgres.url('bench') : '',
    TEMPORAL_ADDRESS: temporal.address,
    ENCRYPTION_KEY: key.toString('base64'),
    HOST: '127.0.0.1',
    PORT: String(port),
    WEBHOOK_ALLOW_HTTP: 'true',
    OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8',
    RATE_LIMIT_PER_SECOND: '1000000',
    ...options.env,
  };
  const profile = process.env['PROFILE'];
  const profiling = profile ? ['--cpu-prof', `--cpu-prof-dir=${profile}`] : [];
  function start(program: keyof typeof START_OPTIONS): ChildProcess {
    const execArgv = [...START_OPTIONS[program], ...profiling];
    const started = startProcess(join(built, `bin/${program}.js`), { env, execArgv });
    parts.push(() => endProcess(started));
    return started;
  }
  const worker = start('worker');
  const apiProcess = start('api');
  const origin = `http://127.0.0.1:${port}`;
  const api = new Pool(origin, { connections: 4_096, pipelining: 1 });
  parts.push(() => api.close());
  await untilReady(api, [apiProcess, worker]);
  const { permissions = [] } = options;
  const { user_id: userId } = await createUser({ sql }, { name: 'bench', permissions });
  const { token } = await createToken({ sql }, { userId, expiresInSeconds: null });

  return {
    sql,
    databaseUrl: postgres.url('bench'),
    secrets: createSecretBox([toEncryptionKey(key)]),
    origin,
    api,
    userId,
    token,
    pids: {
      api: apiProcess.pid ?? 0,
      worker: worker.pid ?? 0,
      postgres: postgres.pid,
      temporal: temporal.pid,
    },
    setting: [
      ...(await describeSetting(sql, servers.temporalBinary)),
      ...(pooler ? ['PgBouncer in transaction mode, 20 sessions'] : []),
    ],
    addWorker: () => start('worker'),
    stop,
  };
}

async function startServers(
  directory: string,
  settings: Readonly<Record<string, string>>,
  parts: (() => Promise<unknown>)[],
) {
  const postgres = await startPostgres({ directory: join(directory, 'postgres'), settings });
  parts.push(() => postgres.stop());
  await postgres.createDatabase('bench');
  const sql = connect(postgres.url('bench'), { max: 4 });
  parts.push(() => sql.end());
  await migrate(sql);
  const temporalBinary = await findTemporalBinary(() => {});
  const temporal = await startTemporal({
    binary: temporalBinary,
    directory: join(directory, 'temporal'),
    port: await findFreePort(),
    uiPort: null,
  });
  parts.push(() => temporal.stop());
  return { postgres, sql, temporal, temporalBinary };
}

/** Runs a file in its own process, with a channel for messages. */
export function startProcess(
  file: string,
  { args = [], ...options }: Pick<ForkOptions, 'env' | 'execArgv'> & { args?: readonly string[] },
): ChildProcess {
  // Logs are written as in production, to where nothing is kept.
  return fork(file, args, { ...options, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
}

/** Asks the process to stop, and insists after 15 s. */
export async function endProcess(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const force = setTimeout(() => child.kill('SIGKILL'), 15_000);
  await ended;
  clearTimeout(force);
}

async function describeSetting(sql: Sql, temporalBinary: string): Promise<string[]> {
  const [row] = await sql<{ version: string; fsync: string; commit: string }[]>`
    select current_setting('server_version') as version, current_setting('fsync') as fsync,
      current_setting('synchronous_commit') as commit`;
  const temporal = execFileSync(temporalBinary, ['--version'], { encoding: 'utf8' }).trim();
  return [
    `${availableParallelism()} cores (${cpus()[0]?.model ?? 'unknown'}) for everything, this generator included`,
    `Node ${process.version}`,
    `Postgres ${row?.version}, fsync ${row?.fsync}, synchronous_commit ${row?.commit}`,
    `Temporal dev server: ${temporal}`,
  ];
}

/** Rejects at once when one of the processes has ended. */
async function untilReady(api: Pool, processes: readonly ChildProcess[]): Promise<void> {
  for (let tries = 0; tries < 300; tries += 1) {
    if (processes.some(hasEnded)) break;
    const ready = await api.request({ method: 'GET', path: '/health/ready' }).then(
      async (answer) => {
        await answer.body.dump();
        return answer.statusCode === 200;
      },
      () => false,
    );
    if (ready) return;
    await sleep(100);
  }
  throw new Error('the API does not become ready');
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}
