import { toOutcome } from '../http-outcome';
import type {
  ClientOptions,
  DeliveryAppClient,
  PollOutcome,
  PushOutcome,
  PushRequest,
} from '../app-client';
import { pauseStore, setSpecialDays, switchItems } from './availability';
import { fetchToken } from './fetch-token';
import { changeItems } from './item-calls';
import { readReasons, readTask, readUpload } from './read-answers';
import { readMenu } from './read-menu';
import { MAX_TASK_BYTES, PATHS } from './rules';
import { withToken } from './with-token';

/**
 * Talks to App C: a token per shop, an upload that starts a task, a call that polls the task, and one that reads the
 * menu back.
 */
export function createAppCClient(options: ClientOptions): DeliveryAppClient {
  return {
    fetchToken: (credential) => fetchToken(options, credential),
    pushMenu: (request) => pushMenu(options, request),
    switchItems: (request) => switchItems(options, request),
    changeItems: (request) => changeItems(options, request),
    pauseStore: (request) => pauseStore(options, request),
    setSpecialDays: (request) => setSpecialDays(options, request),
    pollTask: (request) => pollTask(options, request),
    readMenu: (request) => readMenu(options, request),
  };
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
  { http, baseUrl, timeoutMs }: ClientOptions,
  { token, taskId }: { token: string; taskId: string },
): Promise<PollOutcome> {
  const query = new URLSearchParams({ auth_token: token, task_id: taskId });
  const result = await http.request({
    method: 'POST',
    // The documentation lists the parameters as part of the path, by which it means the query. The body repeats them.
    url: `${baseUrl}${PATHS.poll}?${query.toString()}`,
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: taskQuestion(token, taskId),
    timeoutMs,
    trustedHost: new URL(baseUrl).hostname,
    maxResponseBytes: MAX_TASK_BYTES,
  });
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
  // The app has already accepted the menu: refusing the poll (404, for example) does not refuse the menu.
  if (outcome.kind === 'rejected') return { kind: 'retry', reason: outcome.reasons.join(' ') };
  return outcome;
}

/** The app's task ids have 64 bits and are sent as bare digits; `JSON.stringify` would round a number. */
function taskQuestion(token: string, taskId: string): Buffer {
  const digits = /^\d{1,20}$/.test(taskId) ? taskId : JSON.stringify(taskId);
  return Buffer.from(`{"auth_token":${JSON.stringify(token)},"task_id":${digits}}`);
}
