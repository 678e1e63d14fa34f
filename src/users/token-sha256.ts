import { hash } from 'node:crypto';

/** The hash by which an access token is stored and found. */
export function tokenSha256(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
