import { fieldError } from '../platform/errors';
import { type Id, isId } from '../platform/ids';
import type { RequestContext } from './state';

const DEFAULT_LIMIT = 25;

export interface Page<Key> {
  /** The most rows of the answer. */
  readonly size: number;
  /**
   * What to read for it: the rows behind the one with the key `before`, or the first ones without it; one row more
   * than the answer has, which only shows that there is a next page.
   */
  readonly wanted: { readonly before?: Key; readonly limit: number };
}

/**
 * `limit` and `cursor` of a list. A cursor is the key of the previous page's last row, made opaque on purpose. A
 * cursor that `readKey` finds to be no key of the list is a 422.
 */
export function readPage<Key>(
  readKey: (text: string) => Key | undefined,
  query: { readonly limit?: string | number | undefined; readonly cursor?: string | undefined },
): Page<Key> {
  const size = query.limit === undefined ? DEFAULT_LIMIT : Number(query.limit);
  const limit = size + 1;
  if (query.cursor === undefined) return { size, wanted: { limit } };
  const before = readKey(Buffer.from(query.cursor, 'base64url').toString('utf8'));
  if (before === undefined)
    throw fieldError('cursor', 'The selected cursor is invalid.', { value: query.cursor });
  return { size, wanted: { before, limit } };
}

/** Points to the next page of an answer that has no place for its cursor; null: there is none. */
export function linkToNext(ctx: RequestContext, cursor: string | null): void {
  if (cursor === null) return;
  const asked = new URLSearchParams(ctx.querystring);
  asked.set('cursor', cursor);
  ctx.set('Link', `<${ctx.path}?${asked.toString()}>; rel="next"`);
}

/** For a list whose keys are ids with this prefix. */
export function idKey<Prefix extends string>(prefix: Prefix) {
  return (text: string): Id<Prefix> | undefined => (isId(prefix, text) ? text : undefined);
}

/**
 * The list's answer, from the rows that `page.wanted` has. `continuesBehind`: the key behind which the list continues
 * though the page is not full.
 */
export function pageOf<Row>(
  rows: readonly Row[],
  { size }: Page<unknown>,
  keyOf: (row: Row) => string,
  render: (row: Row) => unknown,
  continuesBehind: string | null = null,
) {
  const shown = rows.slice(0, size);
  const last = shown.at(-1);
  const key = last !== undefined && rows.length > size ? keyOf(last) : continuesBehind;
  return {
    message: 'Success.',
    data: shown.map(render),
    next_cursor: key === null ? null : Buffer.from(key).toString('base64url'),
  };
}
