/** The machine-readable half of a message: what is wrong; the pointer says where. */
export type MenuProblemCode =
  | 'required'
  | 'not_string'
  | 'not_array'
  | 'not_object'
  | 'not_boolean'
  | 'too_long'
  | 'too_many'
  | 'not_positive'
  | 'not_zero'
  | 'negative'
  | 'not_above_minimum'
  | 'above_maximum'
  | 'below_minimum'
  | 'wrong_count'
  | 'not_valid'
  | 'not_allowed'
  | 'unknown_day'
  | 'invalid_time'
  | 'invalid_format'
  | 'not_in_future'
  | 'too_far'
  | 'not_before_end'
  | 'collision'
  | 'unknown_reference'
  | 'repeated'
  | 'cycle';

/**
 * One step that breaks a valid menu. In a path, `*` is any entry of a list; `-` at the end appends to the list, and
 * elsewhere means the list's last entry.
 */
export type Change =
  | { readonly op: 'put'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'copy'; readonly from: string; readonly path: string };

/** What the operator's settings allow beyond the ordered rules. */
export interface MenuCheckOptions {
  /** `accept`: a max quantity may equal its min, which allows "choose exactly one". */
  readonly equalQuantities: 'refuse' | 'accept';
  /** `accept`: an item, a data item and an option may cost "0"; a promotion may not. Default `refuse`. */
  readonly zeroPrices?: 'refuse' | 'accept';
}

/** The options without a setting: the rules as they were ordered. */
export const AS_ORDERED: MenuCheckOptions = { equalQuantities: 'refuse', zeroPrices: 'refuse' };

/** One row of the table: a sentence and everything about it. */
export interface MenuRule {
  readonly code: MenuProblemCode;
  /** JSON Pointer of the refused value, or of the place of an absent one; `*` stands for an index. */
  readonly where: string;
  /** A `VALUE` at the end stands for the value that was sent. */
  readonly sentence: string;
  /**
   * Applied to any valid menu, these break this rule and no other: the example in the docs, and the mutation in the
   * tests.
   */
  readonly example: readonly Change[];
  /** Of an unknown reference: the list whose ids it may name. */
  readonly refersTo?: MenuList;
  /** Holds only with these options, in place of the rule before it. */
  readonly onlyWith?: Partial<MenuCheckOptions>;
}

export type MenuList = 'menus' | 'categories' | 'items' | 'modifier_groups';

export function rule(
  code: MenuProblemCode,
  where: string,
  sentence: string,
  ...example: readonly Change[]
): MenuRule {
  return { code, where, sentence, example };
}

export function put(path: string, value: unknown): Change {
  return { op: 'put', path, value };
}

export function remove(path: string): Change {
  return { op: 'remove', path };
}

export function copy(from: string, path: string): Change {
  return { op: 'copy', from, path };
}
