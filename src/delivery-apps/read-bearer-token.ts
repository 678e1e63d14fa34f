import { asciiLower } from '../platform/text/ascii-case';
import { parseJson } from './http-outcome';
import { isRecord } from './is-record';
import { tokenEnd } from './tokens/token-life';
import type { TokenResult } from './app-client';

/**
 * The token in an OAuth answer, `now` = time of the request, ms since epoch; undefined if there is none that can be
 * sent. `expires_in` is relative, in seconds; only the token type Bearer can be sent.
 */
export function readBearerToken(text: string, now: number): TokenResult | undefined {
  const answer = parseJson(text);
  if (!isRecord(answer)) return undefined;
  const { access_token: token, expires_in: seconds, token_type: type } = answer;
  if (typeof token !== 'string' || !isHeaderSafe(token)) return undefined;
  if (typeof type !== 'string' || asciiLower(type) !== 'bearer') return undefined;
  return { kind: 'token', token, expiresAt: tokenEnd(seconds, now) };
}

/** A token with a line break would add another header. */
export function isHeaderSafe(token: string): boolean {
  return /^[\x21-\x7e]+$/.test(token);
}
