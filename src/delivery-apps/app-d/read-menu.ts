import { parseJson, toOutcome } from '../http-outcome';
import { isRecord } from '../is-record';
import type { ClientOptions, PushRequest, ReadMenuOutcome } from '../app-client';
import { readRefusal } from './refusal-reasons';
import { MAX_LIVE_MENUS_BYTES, MENU_PATH } from './rules';

/** The menu of a store, among all menus that the app returns. */
export async function readMenu(
  { http, baseUrl, timeoutMs }: ClientOptions,
  { token, appStoreId }: Pick<PushRequest, 'token' | 'appStoreId'>,
): Promise<ReadMenuOutcome> {
  const result = await http.request({
    method: 'GET',
    url: `${baseUrl}${MENU_PATH}`,
    headers: { 'x-authorization': `Bearer ${token}`, accept: 'application/json' },
    timeoutMs,
    trustedHost: new URL(baseUrl).hostname,
    maxResponseBytes: MAX_LIVE_MENUS_BYTES,
  });
  const outcome = toOutcome<Extract<ReadMenuOutcome, { kind: 'read' | 'absent' }>>(result, {
    now: Date.now(),
    secrets: [token],
    success({ text, truncated }) {
      const menus = truncated ? undefined : parseJson(text);
      if (!Array.isArray(menus)) return undefined;
      const own: unknown = menus.find(
        (menu) => isRecord(menu) && String(menu['storeId']) === appStoreId,
      );
      return own === undefined
        ? { kind: 'absent' }
        : { kind: 'read', payload: Buffer.from(JSON.stringify(own)) };
    },
    reasons: readRefusal,
  });
  return outcome.kind === 'rejected'
    ? { kind: 'unknown', reason: outcome.reasons.join(' ') }
    : outcome;
}
