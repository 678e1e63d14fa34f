import { toOutcome, toTokenResult } from '../http-outcome';
import { readBearerToken } from '../read-bearer-token';
import type {
  AppCredential,
  ClientOptions,
  DeliveryAppClient,
  PushOutcome,
  PushRequest,
  TokenResult,
} from '../app-client';
import { pauseStore, switchItems } from './availability';
import { pollApproval } from './poll-approval';
import { readMenu } from './read-menu';
import { readFailure, readMessage, readRefusal } from './refusal-reasons';
import { MENU_PATH, TOKEN_PATH, tokenBaseUrl, UTILITIES_TOKEN_PATH } from './rules';
import { send } from './send';
import { setSpecialDays } from './special-days';
import { taskIdOf } from './task-id';

/**
 * Talks to App D: a menu that the app accepts at once and shows after its people approve it, and a call that asks
 * whether they have, with a token of its own. The app ignores a menu while another one waits, and says nothing.
 */
export function createAppDClient(options: ClientOptions): DeliveryAppClient {
  return {
    fetchToken: (credential) => fetchToken(options, credential),
    pushMenu: (request) => pushMenu(options, request),
    switchItems: (request) => switchItems(options, request),
    pauseStore: (request) => pauseStore(options, request),
    setSpecialDays: (request) => setSpecialDays(options, request),
    pollTask: (request) => pollApproval(options, request),
    readMenu: (request) => readMenu(options, request),
  };
}

async function fetchToken(
  { http, baseUrl, timeoutMs, tokenUrl }: ClientOptions,
  { clientId, clientSecret, use }: AppCredential,
): Promise<TokenResult> {
  const origin = tokenUrl ?? tokenBaseUrl(baseUrl);
  // Taken before the call, so that a token is never used after its end.
  const now = Date.now();
  const result = await http.request({
    method: 'POST',
    url: `${origin}${use === 'utilities' ? UTILITIES_TOKEN_PATH : TOKEN_PATH}`,
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ client_id: clientId, client_secret: clientSecret }),
    timeoutMs,
    trustedHost: new URL(origin).hostname,
  });
  return toTokenResult(result, {
    now,
    secrets: [clientSecret],
    success: (text) => readBearerToken(text, now),
    reasons: readMessage,
  });
}

async function pushMenu(
  options: ClientOptions,
  { token, appStoreId, payload }: PushRequest,
): Promise<PushOutcome> {
  const result = await send(options, token, { method: 'POST', path: MENU_PATH, body: payload });
  return (
    readFailure(result, token) ??
    toOutcome<PushOutcome>(result, {
      now: Date.now(),
      secrets: [token],
      // A success has no body, so only the status counts; whether the menu is shown is asked later.
      success: () => ({ kind: 'accepted', taskId: taskIdOf(appStoreId) }),
      reasons: readRefusal,
    })
  );
}
