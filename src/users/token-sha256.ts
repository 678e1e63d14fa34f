import { createHash } from 'node:crypto';

/** What is kept of an access token, and by which it is found. */
export function tokenSha256(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
