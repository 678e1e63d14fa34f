import { parseInstant } from '../platform/text/instant';
import type { ItemDetails } from './details';

/**
 * The canonical menu: the body of `POST /menus/upload` after every rule in docs/menu-rules.md has been checked. Keys
 * are those of the wire. Prices and quantities stay digit strings; nothing here is ever a float.
 */

export const DAYS_OF_WEEK = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const;

export type DayOfWeek = (typeof DAYS_OF_WEEK)[number];

/** Store wall clock, `hh:mm`, no zone. `start` is before `end`: a night is two periods. */
export interface Period {
  readonly start: string;
  readonly end: string;
}

export interface Schedule {
  readonly day_of_week: DayOfWeek;
  readonly periods: readonly Period[];
}

/** Digit strings with two implied decimals: "1030" is 10.30, and 12000 of a currency without decimals is "1200000". */
export interface Price {
  /** Absent only of what is free. */
  readonly value?: string | null;
  readonly promotion_value?: string | null;
  readonly free?: boolean | null;
}

/** The digits of a price: "0" of what is free. */
export function amountOf({ value, free }: Price): string {
  return free ? '0' : (value ?? '');
}

/** Digit strings: `exactly`, or inclusive bounds, of which a minimum of "0" makes the choice optional. */
export interface Quantity {
  readonly min_quantity?: string | null;
  readonly max_quantity?: string | null;
  readonly exactly?: string | null;
}

/** Of a group: so many units of it cost nothing, and each further one its price. */
export interface GroupQuantity extends Quantity {
  readonly free_quantity?: string | null;
}

export interface Menu {
  readonly identifier: string;
  readonly name: string;
  readonly description?: string | null;
  readonly category_external_ids: readonly string[];
  readonly schedules: readonly Schedule[];
}

export interface DataItem {
  readonly item_external_id: string;
  readonly price?: Price | null;
}

export interface Category {
  readonly external_id: string;
  readonly name: string;
  readonly description?: string | null;
  readonly data_items: readonly DataItem[];
}

export interface DataModifierGroup {
  readonly modifier_group_external_id: string;
  readonly quantity?: GroupQuantity | null;
}

export interface Item {
  readonly external_id: string;
  readonly name: string;
  readonly description?: string | null;
  readonly image_url?: string | null;
  readonly schedules?: readonly Schedule[] | null;
  readonly price: Price;
  readonly data_modifier_groups: readonly DataModifierGroup[];
  readonly details?: ItemDetails | null;
  /** False: off sale from its first minute, and until somebody says otherwise. */
  readonly available?: boolean | null;
  /** With `available: false`: when it comes back by itself. */
  readonly unavailable_until?: string | null;
  /** `yyyy-MM-dd`, days of the store's time zone, both inclusive: outside of them it is off sale. */
  readonly visible_from?: string | null;
  readonly visible_until?: string | null;
}

/** An item that a menu has off sale. */
export interface ItemOffSale {
  readonly externalId: string;
  /** ISO 8601; null: without an end. */
  readonly until: string | null;
}

/** What a menu has off sale, each item once. */
export function offSaleIn({ items }: Pick<MenuDocument, 'items'>): readonly ItemOffSale[] {
  return items
    .filter((item) => item.available === false)
    .map(({ external_id: externalId, unavailable_until: until }) => ({
      externalId,
      until: (until && parseInstant(until)?.toISOString()) || null,
    }));
}

/** The days on which an item of a menu is on sale, both inclusive; null: without a beginning, or an end. */
export interface ItemSeason {
  readonly externalId: string;
  /** `yyyy-MM-dd` */
  readonly from: string | null;
  readonly until: string | null;
}

/** The items of a menu that have a season, each once. */
export function seasonsIn({ items }: Pick<MenuDocument, 'items'>): readonly ItemSeason[] {
  return items.flatMap(({ external_id: externalId, visible_from: from, visible_until: until }) =>
    from || until ? [{ externalId, from: from || null, until: until || null }] : [],
  );
}

/** Whether a day, `yyyy-MM-dd`, is outside of a season. */
export function isOutOfSeason({ from, until }: ItemSeason, day: string): boolean {
  return (from !== null && day < from) || (until !== null && day > until);
}

export interface DataOption {
  readonly item_external_id: string;
  readonly price?: Price | null;
  readonly quantity?: Quantity | null;
}

export interface ModifierGroup {
  readonly external_id: string;
  readonly name: string;
  readonly quantity: GroupQuantity;
  readonly data_options: readonly DataOption[];
}

/** The four lists of an upload, without the ids of store and integration: what is stored and transformed. */
export interface MenuDocument {
  readonly menus: readonly Menu[];
  readonly categories: readonly Category[];
  readonly items: readonly Item[];
  readonly modifier_groups: readonly ModifierGroup[];
}
