import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The first migration. It is final: every change of the schema is a further migration. */
export const BASELINE = '0001_baseline';

/** Digits only, so that the order of the names is the order of the numbers. */
const FILE_NAME = /^\d{4}_[a-z0-9_]+\.sql$/;

export interface Migration {
  readonly name: string;
  readonly files: readonly SqlFile[];
  readonly sha256: string;
}

interface SqlFile {
  /** Relative to the folder of the migrations. */
  readonly path: string;
  readonly text: string;
}

/** The names of all migrations in their order, without reading them. */
export async function migrationNames(directory: string): Promise<string[]> {
  return [BASELINE, ...(await laterFiles(directory))];
}

/**
 * All migrations in their order: the files of `baseline/` in the order of its `order.txt`, then those of `migrations/` by
 * their numbers, from 0002 on.
 */
export async function readMigrations(directory: string): Promise<Migration[]> {
  const later = await laterFiles(directory);
  for (const name of later) {
    if (!FILE_NAME.test(name) || name < '0002') {
      throw new Error(`migration ${name} is not named NNNN_name.sql, from 0002 on`);
    }
  }
  return Promise.all([
    readMigration(directory, BASELINE, await baselineFiles(directory)),
    ...later.map((name) => readMigration(directory, name, [join('migrations', name)])),
  ]);
}

async function laterFiles(directory: string): Promise<string[]> {
  return sqlFilesOf(await readdir(join(directory, 'migrations')));
}

/** A file that is not in the order would be missing in the database, and nobody would notice. */
async function baselineFiles(directory: string): Promise<string[]> {
  const folder = join(directory, 'baseline');
  const lines = (await readFile(join(folder, 'order.txt'), 'utf8')).split(/\r?\n/);
  const ordered = lines.filter((line) => line !== '' && !line.startsWith('#'));
  const found = sqlFilesOf(await readdir(folder, { recursive: true }));
  const astray = found.find((path) => !ordered.includes(path.replaceAll('\\', '/')));
  if (astray !== undefined) throw new Error(`baseline/order.txt does not name ${astray}`);
  return ordered.map((path) => join('baseline', path));
}

function sqlFilesOf(names: readonly string[]): string[] {
  return names.filter((name) => name.endsWith('.sql')).toSorted();
}

async function readMigration(
  directory: string,
  name: string,
  paths: readonly string[],
): Promise<Migration> {
  const files = await Promise.all(
    paths.map(async (path) => ({ path, text: await readFile(join(directory, path), 'utf8') })),
  );
  const hash = createHash('sha256');
  // A checkout with CRLF line ends is the same migration.
  for (const { text } of files) hash.update(text.replaceAll('\r\n', '\n'));
  return { name, files, sha256: hash.digest('hex') };
}
