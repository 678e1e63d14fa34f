import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(__dirname, '..', '..');

/** The documents of the project: those at its root, and all in its folders except installed or built ones. */
export function documents(): readonly string[] {
  const folders = ['docs', 'ops', 'clients', 'test', 'bench', 'dev'].filter((each) =>
    existsSync(join(ROOT, each)),
  );
  const inside = folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => !/(^|[\\/])node_modules[\\/]/.test(file))
      .map((file) => join(folder, file)),
  );
  return [...readdirSync(ROOT), ...inside].filter((file) => file.endsWith('.md'));
}
