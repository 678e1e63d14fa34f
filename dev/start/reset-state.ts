import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { removePostgres } from '../postgres/embedded-postgres';
import { removeTemporal } from '../temporal/temporal-server';

/**
 * Deletes what `npm start` stores in `directory`, and nothing else there; stops servers that a killed start has left.
 * Throws `DirectoryInUseError` while a start runs. A database of `DATABASE_URL` is not touched.
 */
export async function resetState(directory: string): Promise<void> {
  const parts = [
    ['postgres', removePostgres],
    ['temporal', removeTemporal],
  ] as const;
  for (const [name, remove] of parts) {
    const folder = join(directory, name);
    if (existsSync(folder)) await remove(folder);
  }
  // Last, because the database is useless without the key and the key without the database.
  for (const name of ['environment.json', 'secrets.json']) {
    await rm(join(directory, name), { force: true });
  }
}
