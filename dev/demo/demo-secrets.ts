import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generateSecret } from '../../src/platform/crypto/signing';

/** Everything secret that the demo needs; made once, at the first start, and readable by its owner only. */
export interface DemoSecrets {
  readonly encryptionKey: string;
  readonly demoToken: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly posSecret: string;
}

/** The secrets of `directory`, created if there are none yet. */
export async function loadDemoSecrets(directory: string): Promise<DemoSecrets> {
  const file = join(directory, 'secrets.json');
  try {
    return JSON.parse(await readFile(file, 'utf8')) as DemoSecrets;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
  const secrets: DemoSecrets = {
    encryptionKey: randomBytes(32).toString('base64'),
    demoToken: randomBytes(24).toString('base64url'),
    clientId: `demo-${randomBytes(4).toString('hex')}`,
    clientSecret: randomBytes(24).toString('base64url'),
    posSecret: generateSecret(),
  };
  await mkdir(directory, { recursive: true });
  // Written as a whole or not at all: half a key would lock the demo out of its own data for good.
  await writeFile(`${file}.new`, JSON.stringify(secrets), { mode: 0o600 });
  await rename(`${file}.new`, file);
  return secrets;
}
