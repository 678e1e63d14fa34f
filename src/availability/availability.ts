/** Items off sale and paused stores: words, states and messages (docs/api.md). Pure. */

import type { CHANGE_KINDS, CHANGE_STATES, ITEM_STATES, MARK_SOURCES } from '../../schemas/states';

export type ChangeState = (typeof CHANGE_STATES)[number];
export type ChangeKind = (typeof CHANGE_KINDS)[number];
/** A change of the store as a whole. */
export type StoreChangeKind = Exclude<ChangeKind, 'items'>;

/**
 * The cause of a change: a caller, stock, a time that has passed, a season that begins or ends, a menu that the app
 * accepted, or a setting of the store.
 */
export type ChangeCause = 'api' | 'stock' | 'until' | 'season' | 'menu' | 'setting';

export type ItemState = (typeof ITEM_STATES)[number];

export type MarkSource = (typeof MARK_SOURCES)[number];

/** Of an app without a call for them. */
export const NO_SPECIAL_DAYS = 'This delivery has no special days.';
/** Of an app that was not named when the others got other ones. */
export const OTHER_SPECIAL_DAYS = 'This delivery has other special days.';
/**
 * Of an item that is put back and stays off sale; followed by its id. `from`: when its season begins, `yyyy-MM-dd`;
 * null: it is over.
 */
export function outOfSeason(from: string | null): string {
  return from === null ? 'The season of the item is over' : `The item is off sale until ${from}`;
}
/** Followed by the item's id. */
export const ITEM_UNORDERABLE = 'The item can not be ordered while its options are off sale';
export const TIME_HAS_PASSED = 'The time has passed.';
export const STORE_IS_GONE = 'The store was not found.';
export const TOKEN_UNAVAILABLE = 'Unable to get token.';
export const TOKEN_NOT_ACCEPTED = 'The delivery system did not accept the token.';

/** An item of a caller's request. */
export interface WantedItem {
  readonly externalId: string;
  readonly available: boolean;
  /** When it comes back on sale by itself; null = only on request. Only for items that go off sale. */
  readonly until: Date | null;
}

/** How many items are switched, by one change or by all waiting ones, as text. */
export function describeItems(off: number, on: number): string {
  const parts = [off > 0 ? `${count(off)} off sale` : '', on > 0 ? `${count(on)} on sale` : ''];
  return parts.filter(Boolean).join(', ');
}

function count(items: number): string {
  return items === 1 ? '1 item' : `${items} items`;
}
