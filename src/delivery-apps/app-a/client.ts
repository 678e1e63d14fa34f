import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { OutboundResult } from '../../platform/outbound/types';
import { bodyOf, toOutcome, unreadable } from '../http-outcome';
import type {
  ClientOptions,
  DeliveryAppClient,
  PushOutcome,
  PushRequest,
  ReadBackOutcome,
  ReadMenuOutcome,
} from '../app-client';
import { pauseStore, setSpecialDays, switchItem } from './availability';
import { fetchAppAToken } from './fetch-token';
import { changeItem } from './item-calls';
import { readReasons } from './refusal-reasons';
import { GZIP_ABOVE_BYTES, MAX_LIVE_MENU_BYTES, menusPath } from './rules';
import { compareMenus } from './same-menu';

const compress = promisify(gzip);

/**
 * Talks to App A: a token of 30 days, one synchronous call that replaces all menus of a store, and the same path to
 * read them back.
 * `readBack` is used twice. After an `unknown` push, before a repeat: if the menu is already there, nothing must be
 * sent. And once after a `live` one, because the app is known to report success and keep showing the old menu:
 * `different` then means that the push failed and is repeated, while an unreadable or missing answer leaves the app's
 * report standing.
 */
export function createAppAClient(options: ClientOptions): DeliveryAppClient {
  return {
    fetchToken: (credential) => fetchAppAToken(options, credential),
    pushMenu: (request) => pushMenu(options, request),
    switchItems: (request) => switchItem(options, request),
    changeItems: (request) => changeItem(options, request),
    pauseStore: (request) => pauseStore(options, request),
    setSpecialDays: (request) => setSpecialDays(options, request),
    readBack: (request) => readBack(options, request),
    readMenu: (request) => readMenu(options, request),
  };
}

async function pushMenu(options: ClientOptions, request: PushRequest): Promise<PushOutcome> {
  const { payload } = request;
  const isLarge = payload.length > GZIP_ABOVE_BYTES;
  const result = await options.http.request({
    ...commonParts(options, request),
    method: 'PUT',
    headers: {
      ...commonHeaders(request),
      'content-type': 'application/json',
      ...(isLarge && { 'content-encoding': 'gzip' }),
    },
    body: isLarge ? await compress(payload) : payload,
  });
  // Anything but a 2xx means the same for all apps: without an answer it is `retry` if certainly nothing was sent, else
  // `unknown`; 401 is `token_expired`; 408, 425, 429 and 5xx are `retry`; other statuses are `rejected`.
  return toOutcome<PushOutcome>(result, {
    now: Date.now(),
    secrets: [request.token],
    // A success has no body (204), so only the status counts; a proxy may add any body.
    success: () => ({ kind: 'live' }),
    reasons: readReasons,
  });
}

async function readBack(options: ClientOptions, request: PushRequest): Promise<ReadBackOutcome> {
  const { result, outcome } = await askForMenus(options, request);
  switch (outcome.kind) {
    case 'shown':
      return compare(options, request, result);
    case 'rejected':
      return withoutMenu(result, outcome.reasons);
    case 'retry':
    case 'token_expired':
    case 'unknown':
      return outcome;
  }
}

async function readMenu(options: ClientOptions, request: Asked): Promise<ReadMenuOutcome> {
  const { result, outcome } = await askForMenus(options, request);
  switch (outcome.kind) {
    case 'shown':
      return { kind: 'read', payload: bodyOf(result) };
    case 'rejected':
      return isMissing(result)
        ? { kind: 'absent' }
        : { kind: 'unknown', reason: outcome.reasons.join(' ') };
    case 'retry':
    case 'token_expired':
    case 'unknown':
      return outcome;
  }
}

type Asked = Pick<PushRequest, 'token' | 'appStoreId'>;

async function askForMenus(options: ClientOptions, request: Asked) {
  const result = await options.http.request({
    ...commonParts(options, request),
    method: 'GET',
    headers: commonHeaders(request),
    maxResponseBytes: MAX_LIVE_MENU_BYTES,
  });
  const outcome = toOutcome<{ readonly kind: 'shown' }>(result, {
    now: Date.now(),
    secrets: [request.token],
    success: ({ truncated }) => (truncated ? undefined : { kind: 'shown' }),
    reasons: readReasons,
  });
  return { result, outcome };
}

async function compare(
  options: ClientOptions,
  { payload }: PushRequest,
  result: OutboundResult,
): Promise<ReadBackOutcome> {
  const comparison = await (options.compareMenus ?? compareMenus)(payload, bodyOf(result));
  return comparison === 'unreadable' ? unreadable(200) : { kind: comparison };
}

/** 404: the store shows no menu at all, so not ours either. Other refusals concern us rather than the menu. */
function withoutMenu(result: OutboundResult, reasons: readonly string[]): ReadBackOutcome {
  if (isMissing(result)) return { kind: 'different' };
  return { kind: 'unknown', reason: reasons.join(' ') };
}

function isMissing(result: OutboundResult): boolean {
  return result.kind === 'response' && result.status === 404;
}

function commonParts({ baseUrl, timeoutMs }: ClientOptions, { appStoreId }: Asked) {
  return {
    url: `${baseUrl}${menusPath(appStoreId)}`,
    timeoutMs,
    trustedHost: new URL(baseUrl).hostname,
  };
}

function commonHeaders({ token }: Asked) {
  return { authorization: `Bearer ${token}`, accept: 'application/json' };
}
