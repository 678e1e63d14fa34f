import { parseJson } from '../http-outcome';
import { isRecord } from '../is-record';
import type { TextReader } from '../types';

/** The code of a refused call: `{"error":"merchant_not_found"}`. */
export function readError(text: string): readonly string[] {
  const answer = parseJson(text);
  const error = isRecord(answer) ? answer['error'] : undefined;
  return typeof error === 'string' ? [error] : [];
}

/**
 * One sentence per error of a refused menu, `{"errors":[{code, path, message}]}`. The app names positions in our
 * payload, but people know POS ids, so the id of the entity there is added.
 */
export function readMenuErrors(text: string, payload: Buffer): readonly string[] {
  const answer = parseJson(text);
  const errors = isRecord(answer) ? answer['errors'] : undefined;
  if (!Array.isArray(errors)) return readError(text);
  const pushed = parseJson(payload.toString('utf8'));
  return errors.filter(isRecord).map(({ code, path, message }) => {
    const [what, where, why] = [code, path, message].map((part) =>
      typeof part === 'string' ? part : '',
    );
    const id = where ? entityIdAt(pushed, where) : undefined;
    const place = [what, where, id && `(${id})`].filter(Boolean).join(' ');
    return [place, why].filter(Boolean).join(': ');
  });
}

/** `refusal`: the reasons of a refused payload, given the app's answer. */
export const APP_B_READERS = {
  refusal: (payload, answer) => readMenuErrors(answer, payload),
} satisfies Readonly<Record<string, TextReader>>;

/**
 * The id of the entity at or around a JSON pointer: `/items/3/price` is in the fourth item, `/items` in none of them.
 */
function entityIdAt(pushed: unknown, pointer: string): string | undefined {
  const [, list = '', index = ''] = pointer.split('/');
  if (!isRecord(pushed) || !Object.hasOwn(pushed, list)) return undefined;
  const found = pushed[list];
  const isList = Array.isArray(found);
  if (isList && !/^\d+$/.test(index)) return undefined;
  const entity: unknown = isList ? found[Number(index)] : found;
  const id = isRecord(entity) ? entity['id'] : undefined;
  return typeof id === 'string' ? id : undefined;
}
