/** What was found among the newest entries of a list, whether they match or not. */
export interface LookedBack<Row, Key> {
  readonly rows: readonly Row[];
  /** The oldest entry up to which all were looked at: the list continues behind it; null = there are no older ones. */
  readonly continuesBehind: Key | null;
}

/** The most entries that one page looks at, in the database of a list that no index answers: some 50 ms. */
export const LOOKED_AT = 20_000;
/** Where many match, a page is full with these. */
const LOOKED_AT_FIRST = 500;

/**
 * A page of a list that no index answers: `read` looks at so many of the newest entries. If `continuesBehind` is set,
 * there may be fewer rows than asked for, even none.
 */
export async function lookBack<Row, Key>(
  limit: number,
  read: (entries: number) => Promise<LookedBack<Row, Key>>,
): Promise<LookedBack<Row, Key>> {
  const first = await read(LOOKED_AT_FIRST);
  const isEnough = first.rows.length >= limit || first.continuesBehind === null;
  return isEnough ? first : read(LOOKED_AT);
}
