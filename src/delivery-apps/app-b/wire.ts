import type { DayOfWeek } from '../../menus/menu';

/** One window on a set of weekdays; `hh:mm`, store wall clock, end after start. */
export type Shift = { readonly start_time: string; readonly end_time: string } & Readonly<
  Record<DayOfWeek, boolean>
>;

/** Decimal text with two places, such as `10.30`. */
type PriceText = string;

export interface WireMenu {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  readonly category_ids: readonly string[];
  readonly shifts: readonly Shift[];
}

export interface WireCategory {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  readonly item_ids: readonly string[];
}

export interface WireItem {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  readonly image_url?: string;
  readonly price: PriceText;
  /** A barcode. */
  readonly ean?: string;
  /** Only for items that are off sale. */
  readonly status?: 'UNAVAILABLE';
  /** If present, they replace the menu's. */
  readonly shifts?: readonly Shift[];
  readonly option_groups: readonly {
    readonly id: string;
    readonly min: number;
    readonly max: number;
    /** So many cost nothing, the cheapest of what a guest takes. */
    readonly free?: number;
  }[];
}

export interface WireOptionGroup {
  readonly id: string;
  readonly name: string;
  readonly options: readonly { readonly item_id: string; readonly price?: PriceText }[];
}

/** The body of an upload. */
export interface WireDocument {
  readonly menu: WireMenu;
  readonly categories: readonly WireCategory[];
  readonly items: readonly WireItem[];
  readonly option_groups: readonly WireOptionGroup[];
}
