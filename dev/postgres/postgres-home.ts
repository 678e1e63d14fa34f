import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { cacheFolder } from '../processes/cache-folder';
import { findPostgresBinaries, type PostgresBinaries, runAs } from './postgres-binaries';
import type { OnProgress } from '../processes/progress';

/** The user `nobody`, because Postgres refuses to run as root. */
const UNPRIVILEGED = 65_534;
/** For root, whose own folders other users may not enter. */
const PUBLIC_HOME = '/var/lib/pos-integrations';

export interface PostgresHome {
  /** Holds everything below; the folder asked for, unless Postgres could not reach that. */
  readonly directory: string;
  /** Postgres's own data directory, absolute. */
  readonly cluster: string;
  readonly binaries: PostgresBinaries;
  /** The user to run as; ours when undefined. */
  readonly uid: number | undefined;
  /** Of the superuser `postgres`. Random, because the port is open to every user of the machine. */
  readonly password: string;
}

const serverUser = (): number | undefined => (process.getuid?.() === 0 ? UNPRIVILEGED : undefined);

/** The folder for the data of `directory`, created if there is none. */
export function findPostgresHome(directory: string): Promise<string> {
  return reachableFolder(resolve(directory), serverUser(), () => {});
}

/** Finds or makes a Postgres data directory below `directory`. */
export async function preparePostgresHome(
  directory: string,
  onProgress: OnProgress,
): Promise<PostgresHome> {
  const uid = serverUser();
  const home = await reachableFolder(resolve(directory), uid, onProgress);
  const cluster = join(home, 'cluster');
  const major = await readMajor(cluster);
  const binaries = await findPostgresBinaries({
    uid,
    major,
    copyTo: uid === undefined ? cacheFolder() : PUBLIC_HOME,
  });
  const password = await keepPassword(join(home, 'password'));
  const prepared = { directory: home, cluster, binaries, uid, password };
  if (major === undefined) {
    onProgress(`Creating a Postgres ${binaries.major} database in ${cluster}`);
    await createCluster(prepared);
  }
  return prepared;
}

/** The version that created the data; undefined if there is none yet. */
async function readMajor(cluster: string): Promise<number | undefined> {
  const text = await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(() => '');
  return text === '' ? undefined : Number.parseInt(text, 10);
}

/** `directory` itself, or a substitute folder if the user that runs Postgres may not enter it. */
async function reachableFolder(
  directory: string,
  uid: number | undefined,
  onProgress: OnProgress,
): Promise<string> {
  await mkdir(directory, { recursive: true });
  if (uid === undefined || mayEnter(directory, uid)) return directory;
  const standIn = join(
    PUBLIC_HOME,
    createHash('sha256').update(directory).digest('hex').slice(0, 12),
  );
  await mkdir(standIn, { recursive: true });
  for (const folder of [PUBLIC_HOME, standIn]) await chmod(folder, 0o755); // whatever the umask is
  if (!mayEnter(standIn, uid)) {
    throw new Error(
      `Postgres does not run as root, and user ${uid} may enter neither ${directory} nor ${standIn}`,
    );
  }
  onProgress(
    `Postgres does not run as root and other users may not enter ${directory}: it uses ${standIn}`,
  );
  return standIn;
}

function mayEnter(directory: string, uid: number): boolean {
  return (
    spawnSync('/bin/sh', ['-c', 'test -x "$0"', directory], { cwd: '/', ...runAs(uid) }).status ===
    0
  );
}

async function keepPassword(path: string): Promise<string> {
  const kept = await readFile(path, 'utf8').catch(() => '');
  if (kept !== '') return kept;
  const password = randomBytes(24).toString('hex');
  await writeFile(path, password, { mode: 0o600 });
  return password;
}

/** Under another name until it is whole: a run that is killed half-way leaves nothing that looks like a database. */
async function createCluster(home: PostgresHome): Promise<void> {
  const { binaries, uid } = home;
  const unfinished = `${home.cluster}.new`;
  const passwordFile = join(home.directory, 'initdb-password'); // ours is not readable to the other user
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { mode: 0o700 });
  await writeFile(passwordFile, home.password, { mode: 0o600 });
  if (uid !== undefined) for (const path of [unfinished, passwordFile]) await chown(path, uid, uid);
  const made = spawnSync(
    join(binaries.directory, 'initdb'),
    [
      '--username=postgres',
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--no-locale',
      '--no-instructions',
      `--pwfile=${passwordFile}`,
      `--pgdata=${unfinished}`,
    ],
    // On macOS a multi-threaded locale library makes it fail unless the locale is fixed.
    { cwd: '/', encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' }, ...runAs(uid) },
  );
  await rm(passwordFile);
  if (made.status !== 0) throw new Error(`initdb failed: ${made.error?.message ?? made.stderr}`);
  await rename(unfinished, home.cluster);
}
