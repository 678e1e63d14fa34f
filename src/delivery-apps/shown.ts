import type { ItemDetails } from '../menus/details';
import type { DayOfWeek, Period } from '../menus/menu';

/**
 * What one app shows, in the common form for all apps (docs/api.md, "Preview a menu"), read back from its own payload.
 */
export interface Shown {
  readonly menus: readonly ShownMenu[];
  readonly items: readonly ShownItem[];
  readonly modifier_groups: readonly ShownGroup[];
}

export interface ShownMenu {
  readonly identifier: string;
  readonly name: string;
  readonly description: string | null;
  /** Empty if the app has hours on items only, or none at all. */
  readonly hours: readonly ShownHours[];
  readonly categories: readonly ShownCategory[];
}

/** Days in week order, periods in time order; a day without periods is closed and absent. */
export interface ShownHours {
  readonly day: DayOfWeek;
  readonly periods: readonly Period[];
}

export interface ShownCategory {
  readonly external_id: string;
  readonly name: string;
  readonly description: string | null;
  /** Ids of items. */
  readonly items: readonly string[];
}

/** Prices are digit strings with two implied decimals, as in an upload. */
export interface ShownItem {
  /** The app's id: the POS id, or that of a copy. */
  readonly external_id: string;
  readonly name: string;
  readonly description: string | null;
  readonly image_url: string | null;
  readonly price: string;
  readonly promotion_price: string | null;
  /** Only for menus whose price differs from `price`. */
  readonly prices_by_menu: readonly {
    readonly identifier: string;
    readonly price: string;
    readonly promotion_price: string | null;
  }[];
  /** Null for an item without its own hours. */
  readonly hours: readonly ShownHours[] | null;
  readonly available: boolean;
  readonly modifier_groups: readonly ShownItemGroup[];
  /** What the app shows of the details, as they were sent; absent without. */
  readonly details?: ItemDetails;
}

/** A group as it applies to one item. */
export interface ShownItemGroup extends ShownLimits {
  /** Units that cost nothing; absent without. */
  readonly free_quantity?: number;
}

export interface ShownLimits {
  readonly external_id: string;
  readonly min: number;
  readonly max: number;
}

export interface ShownGroup extends ShownLimits {
  readonly name: string;
  readonly options: readonly ShownOption[];
}

export interface ShownOption {
  /** Id of an item. */
  readonly external_id: string;
  /** The price at which the option is sold. */
  readonly price: string;
  readonly promotion_price: string | null;
  /** Null for an option without its own limits. */
  readonly min: number | null;
  readonly max: number | null;
}

/** The number of entities that a guest of the app sees. */
export interface ShownCounts {
  readonly menus: number;
  readonly categories: number;
  readonly items: number;
  readonly modifier_groups: number;
  readonly options: number;
  readonly images: number;
}

/** A category in several menus counts once. */
export function countShown({ menus, items, modifier_groups: groups }: Shown): ShownCounts {
  const categories = menus.flatMap((menu) => menu.categories.map(({ external_id: id }) => id));
  return {
    menus: menus.length,
    categories: new Set(categories).size,
    items: items.length,
    modifier_groups: groups.length,
    options: groups.reduce((sum, { options }) => sum + options.length, 0),
    images: items.filter(({ image_url: url }) => url !== null).length,
  };
}
