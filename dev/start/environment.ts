import { rename, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** The settings of the parts that `npm start` runs, for the admin command beside them. */
const FILE = 'environment.json';

/** Keeps the variables for programs that are started later by hand. Holds the encryption key: owner only. */
export async function keepEnvironment(directory: string, environment: Environment): Promise<void> {
  const file = join(directory, FILE);
  await writeFile(`${file}.new`, JSON.stringify(environment), { mode: 0o600 });
  await rename(`${file}.new`, file);
}

/**
 * The process's variables, completed with those of the last `npm start`, unless `DATABASE_URL` is set. An empty one
 * counts as absent.
 */
export async function completeEnvironment(env: Environment): Promise<Environment> {
  if (env['DATABASE_URL']) return env;
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  try {
    const file = join(dataDirectory(env), FILE);
    return { ...(JSON.parse(await readFile(file, 'utf8')) as Environment), ...given };
  } catch {
    return env;
  }
}

/** `DATA_DIR`, default `.data` beside package.json. */
export function dataDirectory(env: Environment): string {
  return env['DATA_DIR'] || join(__dirname, '..', '..', '.data');
}
