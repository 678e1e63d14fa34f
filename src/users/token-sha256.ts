import { createHash } from 'node:crypto';

/** The hash by which an access token is stored and found. */
export function tokenSha256(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
