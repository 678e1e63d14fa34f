import { answerText, parseJson } from '../http-outcome';
import { isRecord } from '../is-record';
import type { TextReader } from '../types';
import { digestOf } from './task-id';

/**
 * `pushed`: store and digest of a payload. `shown` and `own`, given the id of a store: the digest of the menu that the
 * app shows there, and that menu as JSON, out of the answer with all menus; empty if it shows none.
 */
export const APP_D_READERS = {
  pushed: (payload) => {
    const menu = parseJson(payload.toString('utf8'));
    const storeId = isRecord(menu) && typeof menu['storeId'] === 'string' ? menu['storeId'] : '';
    return [storeId, digestOf(isRecord(menu) ? menu['items'] : [])];
  },
  shown: (answer, storeId) => {
    const menus = parseJson(answerText(answer));
    if (!Array.isArray(menus) || !menus.every(isStoreMenu)) return undefined;
    const shown = menus.find((menu) => String(menu.storeId) === storeId);
    return shown ? [digestOf(shown.items)] : [];
  },
  own: (answer, storeId) => {
    const menus = parseJson(answerText(answer));
    if (!Array.isArray(menus)) return undefined;
    const own: unknown = menus.find(
      (menu) => isRecord(menu) && String(menu['storeId']) === storeId,
    );
    return own === undefined ? [] : [JSON.stringify(own)];
  },
} satisfies Readonly<Record<string, TextReader>>;

interface StoreMenu {
  readonly storeId: string | number;
  readonly items: readonly unknown[];
}

function isStoreMenu(value: unknown): value is StoreMenu {
  if (!isRecord(value) || !Array.isArray(value['items'])) return false;
  return typeof value['storeId'] === 'string' || typeof value['storeId'] === 'number';
}
