import { sendBearerJson } from '../bearer-json';
import { answerText, isRefusal, parseJson, toOutcome, toTokenResult } from '../http-outcome';
import { readText } from '../read-text';
import { readBearerToken } from '../read-bearer-token';
import type {
  AppCredential,
  ClientOptions,
  DeliveryAppClient,
  PushOutcome,
  PushRequest,
  TokenResult,
} from '../app-client';
import { isRecord } from '../is-record';
import { pauseStore, setSpecialDays, switchItems } from './availability';
import { changeItems } from './item-calls';
import { APP_B_READERS, readError, readMenuErrors } from './refusal-reasons';
import { TOKEN_PATH, menuPath } from './rules';

/** Talks to App B: client credentials for a token of one hour, and one synchronous call that replaces the menu. */
export function createAppBClient(options: ClientOptions): DeliveryAppClient {
  return {
    fetchToken: (credential) => fetchToken(options, credential),
    pushMenu: (request) => pushMenu(options, request),
    switchItems: (request) => switchItems(options, request),
    changeItems: (request) => changeItems(options, request),
    pauseStore: (request) => pauseStore(options, request),
    setSpecialDays: (request) => setSpecialDays(options, request),
  };
}

async function fetchToken(
  { http, baseUrl, timeoutMs }: ClientOptions,
  { clientId, clientSecret }: AppCredential,
): Promise<TokenResult> {
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
  });
  // Taken before the call, so that a token is never used after its end.
  const now = Date.now();
  const result = await http.request({
    method: 'POST',
    url: `${baseUrl}${TOKEN_PATH}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: form.toString(),
    timeoutMs,
    trustedHost: new URL(baseUrl).hostname,
  });
  return toTokenResult(result, {
    now,
    secrets: [clientSecret],
    success: (text) => readBearerToken(text, now),
    reasons: readError,
  });
}

async function pushMenu(
  options: ClientOptions,
  { token, appStoreId, payload }: PushRequest,
): Promise<PushOutcome> {
  const result = await sendBearerJson(options, token, {
    method: 'PUT',
    path: menuPath(appStoreId),
    body: payload,
  });
  const reasons = isRefusal(result)
    ? await whyRefused(options, answerText(result.body), payload)
    : [];
  return toOutcome<PushOutcome>(result, {
    now: Date.now(),
    secrets: [token],
    success: ({ text }) => (isAcceptance(text) ? { kind: 'live' } : undefined),
    reasons: () => reasons,
  });
}

/** If the payload cannot be read in time, the ids of the entities are left out. */
async function whyRefused(
  options: ClientOptions,
  text: string,
  payload: Buffer,
): Promise<readonly string[]> {
  const reasons = await readText(options, APP_B_READERS, 'refusal', payload, text);
  return reasons ?? readMenuErrors(text, Buffer.from('{}'));
}

/** Status 200 alone is not a success: a proxy's error page has it too. */
function isAcceptance(text: string): boolean {
  const answer = parseJson(text);
  return isRecord(answer) && typeof answer['menu_id'] === 'string';
}
