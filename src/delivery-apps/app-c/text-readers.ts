import { answerText } from '../http-outcome';
import type { TextReader } from '../types';
import { readEnvelope } from './envelope';

const LISTS = ['menus', 'categories', 'items', 'modifier_groups'] as const;

/**
 * `list`: the number and the message of an answer with the shop's menu, and the menu as JSON where the answer has one.
 * The lists may be empty, but not missing: an answer without them says nothing about the menu.
 */
export const APP_C_READERS = {
  list: (answer) => {
    const envelope = readEnvelope(answerText(answer));
    if (!envelope) return undefined;
    const { errno, errmsg, data } = envelope;
    const said = [String(errno), errmsg];
    if (errno !== 0 || !LISTS.every((name) => Array.isArray(data[name]))) return said;
    return [...said, JSON.stringify(Object.fromEntries(LISTS.map((name) => [name, data[name]])))];
  },
} satisfies Readonly<Record<string, TextReader>>;
