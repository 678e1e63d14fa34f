import type { OutboundResult } from '../../platform/outbound/types';
import { answerText, parseJson, toTokenResult } from '../http-outcome';
import { isRecord } from '../is-record';
import { isHeaderSafe } from '../read-bearer-token';
import { tokenEnd } from '../tokens/token-life';
import type { AppCredential, ClientOptions, TokenResult } from '../app-client';
import { readReasons } from './refusal-reasons';
import { authBaseUrl, MENU_SCOPE, STATUS_SCOPE, TOKEN_PATH } from './rules';

/**
 * Gets a token for menus with the integration's client credentials. The app allows 100 calls an hour, and each token
 * above 100 live ones ends the oldest, so callers must keep a token for its 30 days.
 */
export async function fetchAppAToken(
  { http, baseUrl, timeoutMs }: ClientOptions,
  { clientId, clientSecret, use }: AppCredential,
): Promise<TokenResult> {
  const authUrl = authBaseUrl(baseUrl);
  const form = new URLSearchParams({
    client_id: clientId,
    client_secret: clientSecret,
    grant_type: 'client_credentials',
    scope: use === 'pauses' ? STATUS_SCOPE : MENU_SCOPE,
  });
  // Taken before the call, so that a token is never used after its end.
  const now = Date.now();
  const result = await http.request({
    method: 'POST',
    url: `${authUrl}${TOKEN_PATH}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: form.toString(),
    timeoutMs,
    trustedHost: new URL(authUrl).hostname,
  });
  if (isServerError(result)) return { kind: 'retry', reason: 'server_error' };
  return toTokenResult(result, {
    now,
    secrets: [clientSecret],
    success: (text) => readToken(text, now),
    reasons: readReasons,
  });
}

/** OAuth has no 5xx of its own, so the app's failures arrive as 400, like those of the client. */
function isServerError(result: OutboundResult): boolean {
  if (result.kind !== 'response' || result.status !== 400) return false;
  const answer = parseJson(answerText(result.body));
  return isRecord(answer) && answer['error'] === 'server_error';
}

/** `expires_in` is relative, in seconds. */
function readToken(text: string, now: number): TokenResult | undefined {
  const answer = parseJson(text);
  if (!isRecord(answer)) return undefined;
  const { access_token: token, expires_in: seconds } = answer;
  if (typeof token !== 'string' || !isHeaderSafe(token)) return undefined;
  return { kind: 'token', token, expiresAt: tokenEnd(seconds, now) };
}
