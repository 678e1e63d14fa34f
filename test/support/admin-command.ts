import { randomBytes } from 'node:crypto';
import { runAdmin } from '../../src/admin/run-admin';

export interface Said {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

/** The admin command on the database at `url`, as it is run on a terminal or in a pipe; there is no Temporal. */
export async function adminCommand(
  url: string,
  args: readonly string[],
  { isTTY = false, env: given = {} }: { isTTY?: boolean; env?: Record<string, string> } = {},
): Promise<Said> {
  const said = { out: '', err: '' };
  const collect = (name: 'out' | 'err') => (text: string | Uint8Array) => {
    said[name] += String(text);
    return true;
  };
  const env = {
    DATABASE_URL: url,
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    TEMPORAL_ADDRESS: '127.0.0.1:1',
    ...given,
  };
  const streams = { out: { write: collect('out'), isTTY }, err: { write: collect('err') } };
  const status = await runAdmin(['node', 'admin', ...args], env, streams);
  return { status, ...said };
}
