import { answerText, parseJson } from '../http-outcome';
import { isRecord } from '../is-record';
import type { TextReader } from '../types';

/**
 * `own`, given the id of a store: the menu that the app shows there as JSON, out of the answer with all menus; empty if
 * it shows none.
 */
export const APP_D_READERS = {
  own: (answer, storeId) => {
    const menus = parseJson(answerText(answer));
    if (!Array.isArray(menus)) return undefined;
    const own: unknown = menus.find(
      (menu) => isRecord(menu) && String(menu['storeId']) === storeId,
    );
    return own === undefined ? [] : [JSON.stringify(own)];
  },
} satisfies Readonly<Record<string, TextReader>>;
