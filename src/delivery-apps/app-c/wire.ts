import type { SaleTimes } from './schedules';

/**
 * App C's menu on the wire (DiDi Food menu upload v3), only the fields that we write, without the `auth_token` beside
 * them in the body. Prices are in the currency's lowest denomination.
 */
export interface WirePayload {
  readonly menus: readonly WireMenu[];
  readonly categories: readonly WireCategory[];
  readonly items: readonly WireItem[];
  readonly modifier_groups: readonly WireGroup[];
}

interface WireMenu {
  readonly app_menu_id: string;
  readonly menu_name: string;
  readonly app_category_ids: readonly string[];
}

export interface WireCategory {
  readonly app_category_id: string;
  readonly category_name: string;
  readonly app_item_ids: readonly string[];
}

export interface WireItem {
  readonly app_item_id: string;
  /** The POS id, if it is not the id: for copies. */
  readonly app_external_id?: string;
  readonly item_name: string;
  readonly short_desc?: string;
  readonly head_img?: string;
  readonly price: number;
  /** Promotion price; absent if there is none. */
  readonly activity_price?: number;
  readonly status: 1 | 2;
  readonly is_sold_separately: boolean;
  readonly sold_info_intl?: readonly SaleTimes[];
  readonly app_modifier_group_ids?: readonly string[];
  /** Whether it is alcohol. */
  readonly has_wine?: 0 | 1;
  /** In Mexico, in hundredths of a percent. */
  readonly tax_info_list?: readonly { readonly type: 1 | 2; readonly rate: number }[];
  /** In Japan. */
  readonly tax_rate?: number;
}

export interface WireGroup {
  readonly app_modifier_group_id: string;
  /** The POS id, if it is not the id: for copies. */
  readonly app_external_id?: string;
  readonly modifier_group_name: string;
  readonly buy_mode: 0 | 1;
  readonly is_required: 1 | 2;
  readonly quantity_min_permitted: number;
  readonly quantity_max_permitted: number;
  readonly app_mg_items: readonly WireOption[];
}

export interface WireOption {
  readonly app_item_id: string;
  readonly price: number;
}
