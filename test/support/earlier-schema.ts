import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../../src/platform/db/migrate';
import { createEmptyDatabase, type TestDatabase } from './database';

const MIGRATIONS = join(__dirname, '../../src/platform/db/migrations');

/** A database as it was before the first migration with this word in its name. */
export async function createDatabaseBefore(word: string): Promise<TestDatabase> {
  const names = (await readdir(MIGRATIONS)).toSorted();
  const end = names.findIndex((name) => name.includes(word));
  if (end < 0) throw new Error(`no migration has ${word} in its name`);
  const directory = await mkdtemp(join(tmpdir(), 'migrations-'));
  for (const name of names.slice(0, end)) await cp(join(MIGRATIONS, name), join(directory, name));
  const database = await createEmptyDatabase();
  await migrate(database.sql, directory);
  await rm(directory, { recursive: true });
  return database;
}
