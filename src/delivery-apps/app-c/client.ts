import type { OutboundResult } from '../../outbound/types';
import { toOutcome, toTokenResult } from '../http-outcome';
import type {
  AppCredential,
  ClientOptions,
  DeliveryAppClient,
  PollOutcome,
  PushOutcome,
  PushRequest,
  TokenResult,
} from '../types';
import { readReasons, readTask, readToken, readUpload } from './read-answers';
import { PATHS } from './rules';
import { withToken } from './with-token';

/** Speaks with App C: a token per shop, an upload that starts a task, and a question about that task. */
export function createAppCClient(options: ClientOptions): DeliveryAppClient {
  return {
    fetchToken: (credential) => fetchToken(options, credential),
    pushMenu: (request) => pushMenu(options, request),
    pollTask: (request) => pollTask(options, request),
  };
}

async function fetchToken(
  options: ClientOptions,
  { clientId, clientSecret, store }: AppCredential,
): Promise<TokenResult> {
  // Most shops are called the same on both sides, so the store's delivery id serves where no other is given.
  const shopId = store['app_shop_id'] ?? store['delivery_id'];
  if (!shopId) return { kind: 'refused', reason: 'The store credential names no shop.' };
  // The app wants its secret in the URL, so this URL may stand in no log and no reason.
  const query = { app_id: clientId, app_secret: clientSecret, app_shop_id: shopId };
  const result = await get(options, PATHS.token, query);
  return toTokenResult(result, {
    now: Date.now(),
    secrets: [clientSecret],
    success: readToken,
    // An echo of the request would have the secret in it in one spelling or another: the status says enough.
    reasons: () => [],
  });
}

async function pushMenu(
  { http, baseUrl, timeoutMs }: ClientOptions,
  { token, payload }: PushRequest,
): Promise<PushOutcome> {
  const result = await http.request({
    method: 'POST',
    url: `${baseUrl}${PATHS.upload}`,
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: withToken(payload, token),
    timeoutMs,
    trustedHost: new URL(baseUrl).hostname,
  });
  return toOutcome<PushOutcome>(result, {
    now: Date.now(),
    secrets: [token],
    success: ({ text }) => readUpload(text, token),
    reasons: readReasons,
  });
}

async function pollTask(
  options: ClientOptions,
  { token, taskId }: { token: string; taskId: string },
): Promise<PollOutcome> {
  const result = await get(options, PATHS.poll, { auth_token: token, taskID: taskId });
  const outcome = toOutcome<{ kind: 'read'; outcome: PollOutcome }>(result, {
    now: Date.now(),
    secrets: [token],
    success: ({ text }) => {
      const read = readTask(text, token);
      return read && { kind: 'read', outcome: read };
    },
    reasons: readReasons,
  });
  if (outcome.kind === 'read') return outcome.outcome;
  // The app has taken the menu before: refusing to speak about the task (404, say) is not refusing the menu.
  if (outcome.kind === 'rejected') return { kind: 'retry', reason: outcome.reasons.join(' ') };
  return outcome;
}

function get(
  { http, baseUrl, timeoutMs }: ClientOptions,
  path: string,
  query: Readonly<Record<string, string>>,
): Promise<OutboundResult> {
  return http.request({
    method: 'GET',
    url: `${baseUrl}${path}?${new URLSearchParams(query).toString()}`,
    headers: { accept: 'application/json' },
    timeoutMs,
    trustedHost: new URL(baseUrl).hostname,
  });
}
