import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '../../src/platform/db/client';
import { ownDirectory } from '../processes/directory-owner';
import { findFreePort } from '../processes/free-port';
import { findPostgresHome, type PostgresHome, preparePostgresHome } from './postgres-home';
import { endProcess, identifyProcess, type StopStep } from '../processes/process-identity';
import type { OnProgress } from '../processes/progress';
import { type ServerProcess, startServerProcess } from '../processes/server-process';

export interface PostgresOptions {
  /** Keeps data, password and port between starts. */
  readonly directory: string;
  readonly onProgress?: OnProgress;
  /** Called with a sentence and the server's last words when it ends without having been stopped. */
  readonly onLost?: (words: string) => void;
  /** Server settings that override ours, such as `{ fsync: 'off' }` for disposable data. */
  readonly settings?: Readonly<Record<string, string>>;
}

export interface RunningPostgres {
  readonly pid: number;
  /** A connection string for postgres.js; the database need not exist. */
  url(database: string): string;
  /** Creates the database unless it is there. */
  createDatabase(name: string): Promise<void>;
  /** Ends every session and waits until all is written; a second call does nothing. */
  stop(): Promise<void>;
}

const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '', // their paths are limited to about 100 bytes, a project's folder is not
  max_connections: '200', // API, worker, admin and a test run side by side
  timezone: 'UTC',
  jit: 'off', // compiling costs more than any of our statements
};

/** SIGINT ends sessions and writes a checkpoint, SIGQUIT leaves that to the recovery at the next start. */
const STOP: readonly StopStep[] = [
  ['SIGINT', 15_000],
  ['SIGQUIT', 5_000],
  ['SIGKILL', 5_000],
];

/** Recovery after a crash replays up to a gigabyte of log. */
const START_TIMEOUT_MS = 120_000;

/**
 * Messages of a stopping server that a retry may fix: the port was just taken, or children of a killed server still
 * run.
 */
const WORTH_ANOTHER_TRY = /address already in use|pre-existing shared memory block/i;

/**
 * Runs a real Postgres on 127.0.0.1 with its data in `directory`. A server that a killed predecessor left running
 * there is stopped first; if a running process owns the directory, it fails with `DirectoryInUseError`.
 */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const { directory, settings = {}, onProgress = () => {}, onLost = () => {} } = options;
  const disown = await ownDirectory(directory);
  try {
    const home = await preparePostgresHome(directory, onProgress);
    await clearPredecessor(home.cluster);
    const { server, url } = await launch(home, { ...SETTINGS, ...settings });
    server.onLost((how) => onLost(`Postgres ended by itself (${how}):\n${server.lastWords()}`));
    let stopped: Promise<void> | undefined;
    return {
      pid: server.pid,
      url,
      createDatabase: (name) => createDatabase(url('postgres'), name),
      stop: () => (stopped ??= server.stop(STOP).then(disown)),
    };
  } catch (error) {
    await disown();
    throw error;
  }
}

/** Deletes the data of `directory`; fails like a start if a running process uses it. */
export async function removePostgres(directory: string): Promise<void> {
  await ownDirectory(directory);
  const home = await findPostgresHome(directory);
  await clearPredecessor(join(home, 'cluster'));
  for (const folder of new Set([home, directory])) await rm(folder, { recursive: true });
}

/**
 * Stops a server that still runs on this data, and removes the pid file of one that does not: Postgres takes any
 * process of the same user with the recorded id for its predecessor, and in a container small ids are soon reused.
 */
async function clearPredecessor(cluster: string): Promise<void> {
  const pidFile = join(cluster, 'postmaster.pid');
  const pid = Number.parseInt(await readFile(pidFile, 'utf8').catch(() => ''), 10);
  if (Number.isNaN(pid)) return;
  const running = identifyProcess(pid);
  if (running?.command.includes(`-D ${cluster} `)) {
    if (!(await endProcess(pid, STOP)))
      throw new Error(`Postgres ${pid} on ${cluster} does not stop`);
  } else if (running && /postgres|postmaster/.test(running.command)) {
    throw new Error(
      `process ${pid} may be a Postgres on ${cluster}; stop it, or remove ${pidFile}`,
    );
  }
  await rm(pidFile, { force: true });
}

async function launch(
  home: PostgresHome,
  settings: Readonly<Record<string, string>>,
): Promise<{ server: ServerProcess; url: (database: string) => string }> {
  const portFile = join(home.directory, 'port');
  const giveUpAt = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const kept = Number(await readFile(portFile, 'utf8').catch(() => '0'));
    const port = await findFreePort(kept);
    await writeFile(portFile, String(port));
    const url = (database: string) =>
      `postgres://postgres:${home.password}@127.0.0.1:${port}/${database}`;
    const server = startServerProcess({
      binary: join(home.binaries.directory, 'postgres'),
      args: ['-D', home.cluster, ...asFlags({ ...settings, port: String(port) })],
      env: { ...process.env, LC_ALL: 'C' },
      logFile: join(home.directory, 'postgres.log'),
      uid: home.uid,
    });
    if (await answers(server, url('postgres'), giveUpAt)) return { server, url };
    const words = server.lastWords();
    if (Date.now() > giveUpAt || !WORTH_ANOTHER_TRY.test(words)) {
      await server.stop(STOP);
      throw new Error(`Postgres did not start (${server.ended()}):\n${words}`);
    }
    await sleep(200);
  }
}

function asFlags(settings: Readonly<Record<string, string>>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** Waits until the server takes connections; false when it ended or took too long. */
async function answers(server: ServerProcess, url: string, giveUpAt: number): Promise<boolean> {
  const sql = connect(url, { max: 1, statementTimeoutMs: 2_000 });
  try {
    while (server.ended() === undefined && Date.now() < giveUpAt) {
      const ready = await sql`select 1`.then(
        () => true,
        () => false, // refused, or `the database system is starting up`
      );
      if (ready) return true;
      await sleep(25);
    }
    return false;
  } finally {
    await sql.end({ timeout: 1 });
  }
}

async function createDatabase(adminUrl: string, name: string): Promise<void> {
  const sql = connect(adminUrl, { max: 1 });
  try {
    const [found] = await sql`select 1 from pg_database where datname = ${name}`;
    // Not `sql(name)`, which takes it for a camelCase column.
    if (!found) await sql.unsafe(`create database "${name.replaceAll('"', '""')}"`);
  } finally {
    await sql.end({ timeout: 1 });
  }
}
