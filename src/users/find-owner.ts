import type { Sql } from '../platform/db/client';
import { findTokenOwner, type TokenOwner } from './sql/users';

/** The owner of a valid token, by the SHA-256 of the token. */
export type FindOwner = (tokenSha256: Buffer) => Promise<TokenOwner | undefined>;

/** Makes a look-up that simultaneous requests with one token share. */
export function createFindOwner(sql: Sql): FindOwner {
  const running = new Map<string, Promise<TokenOwner | undefined>>();
  return (sha256) => {
    const key = sha256.toString('base64');
    const shared = running.get(key);
    if (shared) return shared;
    const started = findTokenOwner(sql, sha256).finally(() => running.delete(key));
    running.set(key, started);
    return started;
  };
}
