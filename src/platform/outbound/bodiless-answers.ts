import type { ResponseHead } from './types';

/** Answers that end with their head, whatever its fields say of a body (RFC 9112 §6.3). */
const BODILESS = new Set([204, 304]);

export function isBodiless(status: number): boolean {
  return BODILESS.has(status);
}

/** Frameworks send a body after a 204 as after any other status; the next answer would begin with it. */
export function mayHaveStrayBytes({ status, headers }: ResponseHead): boolean {
  if (!isBodiless(status)) return false;
  return (headers['content-length'] ?? '0') !== '0' || 'transfer-encoding' in headers;
}
