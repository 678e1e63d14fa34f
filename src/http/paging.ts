import { fieldError } from '../platform/errors';

const DEFAULT_LIMIT = 25;

export interface Page {
  readonly limit: number;
  readonly before?: string;
}

/**
 * `limit` and `cursor` of a list. A cursor is the key of the previous page's last row, made opaque on purpose. A
 * cursor that is not a key of the list (`isKey`) is a 422.
 */
export function readPage(
  isKey: (text: string) => boolean,
  query: { readonly limit?: string | number | undefined; readonly cursor?: string | undefined },
): Page {
  const limit = query.limit === undefined ? DEFAULT_LIMIT : Number(query.limit);
  if (query.cursor === undefined) return { limit };
  const before = Buffer.from(query.cursor, 'base64url').toString('utf8');
  if (!isKey(before)) throw fieldError('cursor', 'The selected cursor is invalid.');
  return { limit, before };
}

/** The list's answer, from up to one row more than a page: the extra row only shows that there is a next page. */
export function pageOf<Row>(
  rows: readonly Row[],
  { limit }: Page,
  keyOf: (row: Row) => string,
  render: (row: Row) => unknown,
) {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    message: 'Success.',
    data: shown.map(render),
    next_cursor:
      last !== undefined && rows.length > limit
        ? Buffer.from(keyOf(last)).toString('base64url')
        : null,
  };
}
