import { bodyOf, toOutcome, unreadable } from '../http-outcome';
import { readText } from '../read-text';
import type { ClientOptions, PushRequest, ReadMenuOutcome } from '../app-client';
import { readRefusal } from './refusal-reasons';
import { MAX_LIVE_MENUS_BYTES, MENU_PATH } from './rules';
import { APP_D_READERS } from './text-readers';

/** The menu of a store, among all menus that the app returns. */
export async function readMenu(
  options: ClientOptions,
  { token, appStoreId }: Pick<PushRequest, 'token' | 'appStoreId'>,
): Promise<ReadMenuOutcome> {
  const { http, baseUrl, timeoutMs } = options;
  const result = await http.request({
    method: 'GET',
    url: `${baseUrl}${MENU_PATH}`,
    headers: { 'x-authorization': `Bearer ${token}`, accept: 'application/json' },
    timeoutMs,
    trustedHost: new URL(baseUrl).hostname,
    maxResponseBytes: MAX_LIVE_MENUS_BYTES,
  });
  const outcome = toOutcome<{ readonly kind: 'answered'; readonly status: number }>(result, {
    now: Date.now(),
    secrets: [token],
    success: ({ status, truncated }) => (truncated ? undefined : { kind: 'answered', status }),
    reasons: readRefusal,
  });
  if (outcome.kind === 'rejected') return { kind: 'unknown', reason: outcome.reasons.join(' ') };
  if (outcome.kind !== 'answered') return outcome;
  const own = await readText(options, APP_D_READERS, 'own', bodyOf(result), appStoreId);
  if (!own) return unreadable(outcome.status);
  const [menu] = own;
  return menu === undefined ? { kind: 'absent' } : { kind: 'read', payload: Buffer.from(menu) };
}
