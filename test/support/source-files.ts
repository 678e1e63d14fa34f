import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');

/** The files in some folders of the project of which the name ends like this; paths from its root. */
export function filesIn(folders: readonly string[], ending: RegExp): readonly string[] {
  return folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => ending.test(file) && !/(^|[\\/])node_modules[\\/]/.test(file))
      .map((file) => join(folder, file)),
  );
}

/** The folders of what runs in production. */
export const PROGRAM = ['src', 'workflows', 'activities', 'schemas'];
