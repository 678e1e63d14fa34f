import { menuAnswerOf } from '../menu-answer';
import { unreadable } from '../http-outcome';
import { readText } from '../read-text';
import type { ClientOptions, PushRequest, ReadMenuOutcome } from '../app-client';
import { readRefusal } from './refusal-reasons';
import { MAX_LIVE_MENUS_BYTES, MENU_PATH } from './rules';
import { send } from './send';
import { APP_D_READERS } from './text-readers';

/** The menu of a store, among all menus that the app returns. */
export async function readMenu(
  options: ClientOptions,
  { token, appStoreId }: Pick<PushRequest, 'token' | 'appStoreId'>,
): Promise<ReadMenuOutcome> {
  const result = await send(options, token, {
    method: 'GET',
    path: MENU_PATH,
    maxResponseBytes: MAX_LIVE_MENUS_BYTES,
  });
  const outcome = menuAnswerOf(result, token, readRefusal);
  if (outcome.kind !== 'answered') return outcome;
  const own = await readText(options, APP_D_READERS, 'own', outcome.body, appStoreId);
  if (!own) return unreadable(outcome.status);
  const [menu] = own;
  return menu === undefined ? { kind: 'absent' } : { kind: 'read', payload: Buffer.from(menu) };
}
