import { asciiLower } from '../platform/text/ascii-case';
import { parseJson } from './http-outcome';
import { isRecord } from './is-record';
import { tokenEnd } from './tokens/token-life';
import type { TokenResult } from './types';

/**
 * The token in an OAuth answer, `now` = when it was asked for, ms since epoch; undefined when there is none that could be
 * sent. `expires_in` is relative, in seconds, and any token type but Bearer could not be sent.
 */
export function readBearerToken(text: string, now: number): TokenResult | undefined {
  const answer = parseJson(text);
  if (!isRecord(answer)) return undefined;
  const { access_token: token, expires_in: seconds, token_type: type } = answer;
  if (typeof token !== 'string' || !isHeaderSafe(token)) return undefined;
  if (typeof type !== 'string' || asciiLower(type) !== 'bearer') return undefined;
  return { kind: 'token', token, expiresAt: tokenEnd(seconds, now) };
}

/** A token with a line break in it would be a header of its own. */
export function isHeaderSafe(token: string): boolean {
  return /^[\x21-\x7e]+$/.test(token);
}
