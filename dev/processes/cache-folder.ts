import { homedir } from 'node:os';
import { join } from 'node:path';

/** For what takes long to get and outlives a checkout. */
export function cacheFolder(): string {
  return join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'pos-integrations');
}
