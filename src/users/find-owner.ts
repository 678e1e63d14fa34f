import type { Bounds } from '../platform/config/bounds';
import type { Sql } from '../platform/db/client';
import { serviceBusy } from '../platform/service-busy';
import { findTokenOwner, type TokenOwner } from './sql/users';

/** The owner of a valid token, by the SHA-256 of the token. Throws the 503 while too many are looked up. */
export type FindOwner = (tokenSha256: Buffer) => Promise<TokenOwner | undefined>;

/**
 * Look-ups at once: each is a statement of a millisecond, so there are more only while Postgres is slow. Then those of
 * strangers would pile up for as long as a statement may wait, as they come before every other bound.
 */
const MOST = 500;

/** Makes a look-up that simultaneous requests with one token share. */
export function createFindOwner(sql: Sql, bounds: Bounds): FindOwner {
  const running = new Map<string, Promise<TokenOwner | undefined>>();
  const bound = bounds.declare('token_lookups', { limit: MOST, used: () => running.size });
  return (sha256) => {
    const key = sha256.toString('base64');
    const shared = running.get(key);
    if (shared) return shared;
    if (running.size >= MOST) {
      bound.hit();
      throw serviceBusy();
    }
    const started = findTokenOwner(sql, sha256).finally(() => running.delete(key));
    running.set(key, started);
    return started;
  };
}
