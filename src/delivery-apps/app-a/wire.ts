import type { DayOfWeek } from '../../menus/menu';

/**
 * App A's menu on the wire (Uber Eats Menu API v2), only the fields that we write. Optional fields are absent, never
 * null, because the app treats null as a value.
 */

/** Exactly one locale with country, such as `es_mx`: the app has no fallback between languages. */
export interface WireText {
  readonly translations: Readonly<Record<string, string>>;
}

interface WireTimePeriod {
  readonly start_time: string;
  readonly end_time: string;
}

export interface WireServiceAvailability {
  readonly day_of_week: DayOfWeek;
  readonly time_periods: readonly WireTimePeriod[];
}

export interface WireMenu {
  readonly id: string;
  readonly title: WireText;
  readonly subtitle?: WireText;
  readonly service_availability: readonly WireServiceAvailability[];
  readonly category_ids: readonly string[];
}

/** Sold items and options are both items; we send no other type. */
export interface WireEntityReference {
  readonly id: string;
  readonly type: 'ITEM';
}

export interface WireCategory {
  readonly id: string;
  readonly title: WireText;
  readonly subtitle?: WireText;
  readonly entities: readonly WireEntityReference[];
}

/** Where an override applies. A pair of type and value may occur only once in a list of overrides. */
export interface WireContext {
  readonly context_type: 'MENU' | 'ITEM' | 'MODIFIER_GROUP';
  readonly context_value: string;
}

/** `price` in hundredths of the currency, or in its lowest denomination, by setting. */
interface WirePriceOverride extends WireContext {
  readonly price: number;
}

export interface WirePriceInfo {
  readonly price: number;
  readonly container_deposit?: number;
  readonly overrides?: readonly WirePriceOverride[];
}

export interface WireQuantity {
  readonly min_permitted: number;
  readonly max_permitted: number;
  /** Of a group: units above so many cost their price. */
  readonly charge_above?: number;
  /** The app wants it beside `charge_above`: units below so many would be paid back. */
  readonly refund_under?: 0;
}

export interface WireQuantityOverride extends WireContext {
  readonly quantity: WireQuantity;
}

interface WireQuantityInfo {
  /** Required by the app, but its members are not: empty if there are only overrides. */
  readonly quantity: WireQuantity | Readonly<Record<string, never>>;
  readonly overrides?: readonly WireQuantityOverride[];
}

/** Until when an item is off sale: unix s; null = it is on sale. */
export interface WireSuspension {
  readonly suspension: { readonly suspend_until: number | null; readonly reason?: string };
}

/** Percentages: on top of the price, or included in it. */
interface WireTaxInfo {
  readonly tax_rate?: number;
  readonly vat_rate_percentage?: number;
  readonly mx_ieps_rate?: number;
}

interface WireClassifications {
  readonly alcoholic_items?: number;
  readonly can_serve_alone?: boolean;
  readonly dietary_label_info?: { readonly labels: readonly string[] };
}

interface WireNutrition {
  readonly allergens?: readonly string[];
  readonly calories?: {
    readonly energy_interval: { readonly lower: number; readonly upper: number };
    readonly display_type: 'single_item' | 'multiple_items';
  };
}

export interface WireBundledItem {
  readonly item_id: string;
  readonly core_price: number;
  readonly included_quantity: number;
}

export interface WireItem {
  readonly id: string;
  readonly external_data: string;
  readonly title: WireText;
  readonly description?: WireText;
  readonly image_url?: string;
  readonly price_info: WirePriceInfo;
  readonly quantity_info?: WireQuantityInfo;
  readonly suspension_info?: WireSuspension;
  readonly modifier_group_ids?: { readonly ids: readonly string[] };
  /** Required by the app and valid when empty. */
  readonly tax_info: WireTaxInfo;
  readonly tax_label_info?: {
    readonly default_value: { readonly labels: readonly string[]; readonly source: 'MANUAL' };
  };
  readonly dish_info?: { readonly classifications: WireClassifications };
  readonly beverage_info?: { readonly alcohol_by_volume: number };
  readonly nutritional_info?: WireNutrition;
  readonly product_info?: { readonly gtin: string };
  readonly bundled_items?: readonly WireBundledItem[];
}

export interface WireModifierGroup {
  readonly id: string;
  readonly external_data: string;
  readonly title: WireText;
  readonly quantity_info: WireQuantityInfo;
  readonly modifier_options: readonly WireEntityReference[];
}

export interface WireMenuConfiguration {
  readonly menus: readonly WireMenu[];
  readonly categories: readonly WireCategory[];
  readonly items: readonly WireItem[];
  readonly modifier_groups: readonly WireModifierGroup[];
}
