import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { toTokenResult } from '../http-outcome';
import type { AppCredential, ClientOptions, TokenResult } from '../app-client';
import { readRefresh, readToken, type TokenAnswer } from './read-answers';
import { PATHS, REFRESH_COOL_DOWN_MS } from './rules';

/** Pauses before the second and third try if the app could not read its own token (errno 10100). */
const UNREAD_PAUSES_MS = [500, 1_000] as const;

/**
 * The shop's token. App C keeps one per shop and renews it only on request after it has expired, so an expired token
 * is refreshed and then read again: also one that the app still gives although its calls no longer take it. After a refresh without a new token, the app is in its cool-down: the result is
 * `retry` after that.
 */
export async function fetchToken(
  options: ClientOptions,
  credential: AppCredential,
): Promise<TokenResult> {
  // Most shops have the same id on both sides, so the store's delivery id is the default.
  const shopId = credential.store['app_shop_id'] ?? credential.store['delivery_id'];
  if (!shopId) return { kind: 'refused', reason: 'The store credential names no shop.' };
  const call = { options, credential, shopId, until: performance.now() + options.timeoutMs };
  const kept = await ask(call, PATHS.token, readToken);
  const hasExpired = (answer: TokenAnswer): boolean => isExpired(answer, credential.refusedToken);
  if (!hasExpired(kept)) return toResult(kept);
  const refreshed = await ask(call, PATHS.refresh, readRefresh);
  if (refreshed.kind !== 'refreshed') return toResult(refreshed);
  const renewed = await ask(call, PATHS.token, readToken);
  return toResult(hasExpired(renewed) ? { kind: 'expired', reason: 'token expired' } : renewed);
}

/** The app says so by its number, or returns a token that has already expired or was refused. */
function isExpired(answer: TokenAnswer, refused: string | undefined): boolean {
  if (answer.kind === 'token') return answer.expiresAt <= Date.now() || answer.token === refused;
  return answer.kind === 'expired';
}

interface TokenCall {
  readonly options: ClientOptions;
  readonly credential: AppCredential;
  readonly shopId: string;
  /** By `performance.now()`: all calls together must end by then, because no other process fetches until then. */
  readonly until: number;
}

type Read = (text: string) => TokenAnswer | undefined;

/** Tries up to three times while the app cannot read the token. */
async function ask(call: TokenCall, path: string, read: Read): Promise<TokenAnswer> {
  for (let round = 0; ; round += 1) {
    const answer = await askOnce(call, path, read);
    const pauseMs = UNREAD_PAUSES_MS[round];
    if (answer.kind !== 'unread' || pauseMs === undefined) return answer;
    await delay(pauseMs);
  }
}

async function askOnce(
  { options, credential, shopId, until }: TokenCall,
  path: string,
  read: Read,
): Promise<TokenAnswer> {
  const timeoutMs = Math.floor(until - performance.now());
  if (timeoutMs <= 0) return { kind: 'retry', reason: 'timeout' };
  const { clientId, clientSecret } = credential;
  // The app requires its secret in the URL, so this URL must not appear in any log or reason.
  const query = { app_id: clientId, app_secret: clientSecret, app_shop_id: shopId };
  const result = await options.http.request({
    method: 'GET',
    url: `${options.baseUrl}${path}?${new URLSearchParams(query).toString()}`,
    headers: { accept: 'application/json' },
    timeoutMs,
    trustedHost: new URL(options.baseUrl).hostname,
  });
  return toTokenResult<TokenAnswer>(result, {
    now: Date.now(),
    secrets: [clientSecret],
    success: read,
    // An echo of the request would contain the secret in some spelling, so only the status is used.
    reasons: () => [],
  });
}

function toResult(answer: TokenAnswer): TokenResult {
  switch (answer.kind) {
    case 'token':
    case 'refused':
    case 'retry':
      return answer;
    case 'unread':
      return { kind: 'refused', reason: answer.reason };
    case 'expired':
      return { kind: 'retry', reason: answer.reason, afterMs: REFRESH_COOL_DOWN_MS };
    case 'refreshed':
      return { kind: 'retry', reason: 'The answer has no token.' };
    default:
      return answer satisfies never;
  }
}
