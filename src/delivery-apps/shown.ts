import type { DayOfWeek, Period } from '../menus/menu';

/** What one app shows, in the one form for all apps (contract-more.md §12, §18.19–26), read back out of its own payload. */
export interface Shown {
  readonly menus: readonly ShownMenu[];
  readonly items: readonly ShownItem[];
  readonly modifier_groups: readonly ShownGroup[];
}

export interface ShownMenu {
  readonly identifier: string;
  readonly name: string;
  readonly description: string | null;
  /** Empty where the app has hours on items only, or none at all. */
  readonly hours: readonly ShownHours[];
  readonly categories: readonly ShownCategory[];
}

/** Days in order of the week, periods in order of time; a day without periods is closed and absent. */
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
  /** Only where a menu's price differs from `price`. */
  readonly prices_by_menu: readonly {
    readonly identifier: string;
    readonly price: string;
    readonly promotion_price: string | null;
  }[];
  /** Null for an item without hours of its own. */
  readonly hours: readonly ShownHours[] | null;
  readonly available: boolean;
  readonly modifier_groups: readonly ShownLimits[];
}

/** A group as one item has it. */
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
  /** What the option is sold at. */
  readonly price: string;
  readonly promotion_price: string | null;
  /** Null for an option without limits of its own. */
  readonly min: number | null;
  readonly max: number | null;
}

/** How much a guest of the app meets. */
export interface ShownCounts {
  readonly menus: number;
  readonly categories: number;
  readonly items: number;
  readonly modifier_groups: number;
  readonly options: number;
  readonly images: number;
}

/** A category that stands in several menus counts once. */
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
