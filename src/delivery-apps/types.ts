import type { Menu, MenuDocument } from '../menus/menu';
import { findCountry } from '../platform/validation/countries';
import type { CurrencyExponent } from '../platform/validation/currencies';
import type {
  ClientOptions,
  DeliveryAppClient,
  ItemCall,
  MenuComparison,
  SwitchedItem,
  TokenUse,
} from './app-client';
import type { LossBook } from './losses';
import type { Shown } from './shown';

/** The delivery apps that come with the service. */
export const APP_NAMES = ['app-a', 'app-b', 'app-c', 'app-d'] as const;
export type ShippedAppName = (typeof APP_NAMES)[number];
/** The name of an integration's app: one of those, or one that was added (registry.ts). */
export type AppName = string;

/** All losses that an entity of a menu can have in an app; losses.ts has the severity and the sentence of each. */
export type EntityLossCode =
  | 'item_schedule_ignored'
  | 'menu_schedule_ignored'
  | 'days_merged'
  | 'promotion_price_ignored'
  | 'promotion_price_invalid'
  | 'zero_price_refused'
  | 'sold_for_nothing'
  | 'second_menu_refused'
  | 'option_quantity_ignored'
  | 'tax_not_representable'
  | 'available_late'
  | 'season_by_timer'
  | 'group_quantity_cloned'
  | 'free_quantity_split'
  | 'item_price_conflict_in_menu'
  | 'text_cut'
  | 'name_empty'
  | 'markup_in_text'
  | 'emoji_removed'
  | 'description_dropped'
  | 'image_out_of_rules'
  | 'image_not_checked'
  | 'short_hours'
  | 'no_hours'
  | 'price_over_maximum'
  | 'price_not_representable'
  | 'id_unsafe'
  | 'repeated_reference_dropped'
  | 'item_category_dropped'
  | 'nested_groups_dropped'
  | 'required_choice_dropped'
  | 'choice_impossible'
  | 'option_cloned'
  | 'limit_exceeded'
  | 'entity_unused'
  | 'integration_not_configured';

/**
 * `unknown_field` is about a field that some entities have, and `detail_ignored` about a member of an item's details:
 * only of these an entity may have several.
 * `losses_omitted` stands for all losses beyond the list's limit; it is about no entity.
 */
export type LossCode = EntityLossCode | 'detail_ignored' | 'unknown_field' | 'losses_omitted';

/** One way in which the app will show less than the menu. One per entity and code. */
export interface Loss {
  readonly code: LossCode;
  /** `block`: the push is not made. `warn`: needs attention. `info`: nothing is missing for a guest. */
  readonly severity: 'block' | 'warn' | 'info';
  /** JSON pointer of the entity in the request body, such as `/items/3`; empty for `losses_omitted` and for a field of the body. */
  readonly pointer: string;
  /** The entity's POS id; null where the pointer is empty. */
  readonly external_id: string | null;
  /** One sentence with the POS id; for a blocking loss it is also the API's message. */
  readonly message: string;
}

/** The facts about the store that an app needs, all from rows, none from the request. */
export interface StoreFacts {
  /** The store's id in the delivery app. */
  readonly appStoreId: string;
  /** Decimals of the store's currency in ISO 4217: 0 for CLP, JPY and the like, 3 for the dinars, otherwise 2. */
  readonly currencyExponent: CurrencyExponent;
  /** Language and country of the store, such as `es_mx`, for apps that require a locale. */
  readonly locale: string;
}

/**
 * Throws if the country is unknown, which no store has. A store that is not connected has no id in the app; what is
 * shown does not depend on it.
 */
export function storeFactsOf(store: {
  readonly countryCode: string;
  readonly appStoreId: string | null;
}): StoreFacts {
  const country = findCountry(store.countryCode);
  if (!country) throw new Error(`a store has the unknown country ${store.countryCode}`);
  const { currencyExponent, locale } = country;
  return { appStoreId: store.appStoreId ?? '', currencyExponent, locale };
}

export type ImageVerdict =
  | 'not_https'
  | 'wrong_format'
  | 'too_large'
  | 'wrong_size'
  | 'unreadable'
  /** Not known to be bad: the time or bytes allowed for images were used up first. */
  | 'not_checked';

export interface TransformInput {
  readonly menu: MenuDocument;
  /** JSON objects: what was sent beside the menu. None of it reaches an app, which is told as `unknown_field`. */
  readonly besides?: readonly string[];
  readonly store: StoreFacts;
  /** Images found bad by fetching their head, by URL. Absent before `checkImages`, and for apps without that step. */
  readonly badImages?: ReadonlyMap<string, ImageVerdict>;
  /** App A: whether its prices are hundredths for every currency, or the lowest denomination. */
  readonly priceUnit?: 'hundredth' | 'lowest';
  /** App D: whether its prices are whole units of the currency, or decimal numbers. Default `unit`. */
  readonly appDPriceUnit?: 'unit' | 'decimal';
  /** App C: how deep modifier groups may nest; with one level an option has no groups. Default 1. */
  readonly levels?: number;
  /** App A: highest price of the market, as the app counts money; absent = not checked. */
  readonly maximumPrice?: number;
}

/** What reading a payload needs besides the payload. */
export interface ShownContext extends Pick<TransformInput, 'store' | 'priceUnit'> {
  /** The menus as they were sent. App D has no name for a menu, so what it shows uses the one that was sent. */
  readonly sentMenus: readonly Pick<Menu, 'identifier' | 'name'>[];
}

export interface TransformResult {
  /** The app's menu as plain JSON data, without token; null for a menu that the app cannot have at all. */
  readonly payload: object | null;
  readonly losses: readonly Loss[];
  /** The payload's ids of each item, by POS id: the id itself, and those of its copies. */
  readonly itemIds: ItemIds;
}

/** Wire ids by POS id. */
export type ItemIds = ReadonlyMap<string, readonly string[]>;

/** How an app is told which items are off sale. */
export interface AvailabilityRules {
  /** The most wire ids in one call. */
  readonly idsPerCall: number;
  /** Whether one call may both take items off sale and bring others back. */
  readonly mixesBoth: boolean;
  /** One call per this many ms, and up to `burst` at once. */
  readonly spacingMs: number;
  readonly burst: number;
  /**
   * Whether the spacing counts from the app's answer, because it takes one call at a time and counts them as they
   * arrive. Otherwise it counts from the first byte of a call.
   */
  readonly spacedFromAnswer?: boolean;
  /**
   * Whether it must be told again after each menu: its menus do not say what is off sale, or are accepted as tasks.
   */
  readonly repeatsBehindMenus: boolean;
  /** Whether the app knows special days by day and month: what is over must be taken away, or it comes again. */
  readonly daysHaveNoYear?: boolean;
  /** The payload with these items off sale; absent if menus cannot say so. */
  readonly writeUnavailable?: (payload: Buffer, items: readonly SwitchedItem[]) => Buffer;
}

/** How an app is told of changes of single items without a push of the whole menu. */
export interface ItemCallRules {
  /** More calls than this are not made: then one push is better. */
  readonly mostCalls: number;
  /** One call per this many ms. */
  readonly spacingMs: number;
  /** Whether a call must say too whether its item is off sale (`ItemCallRequest.isOff`). */
  readonly saysOffSale?: boolean;
  /**
   * The calls that make of one payload, as the app shows it, another one; undefined: only a push can. Both are payloads
   * of `transform`.
   */
  plan(
    before: unknown,
    after: unknown,
    store: Pick<StoreFacts, 'currencyExponent'>,
  ): ItemCallPlan | undefined;
}

export interface ItemCallPlan {
  readonly calls: readonly ItemCall[];
  /** URLs of images for which the calls have stricter rules than a push (`src/delivery-apps/images`). */
  readonly images?: readonly string[];
}

/**
 * Reads a large JSON text for the client of an app: a payload, or an answer with menus. `about`: what the client knows
 * besides. Undefined: the text is unreadable. Pure, so that it may run in a thread.
 */
export type TextReader = (text: Buffer, about: string) => readonly string[] | undefined;

/** All about one app. Pure data and functions; only `createClient` makes network calls. */
export interface DeliveryApp {
  readonly name: AppName;
  /** More menus than this are refused with 409 before any row is written. */
  readonly maxMenus: number;
  /** Who owns a token: one per integration's client, or one per shop. */
  readonly tokenScope: 'integration' | 'store';
  /** The member of a store's credential that names the store to the app, rather than its delivery id (App D). */
  readonly storeIdMember?: string;
  /** Whether people at the app review each menu, which takes hours: `pollTask` is called hourly (App D). */
  readonly approvedByPeople?: boolean;
  /** The calls that need a token of their own, and which. */
  readonly ownTokens?: Readonly<Partial<Record<'pauses' | 'specialDays' | 'tasks', TokenUse>>>;
  /** Whether the app can be asked which menu it shows: its client has `readMenu`. */
  readonly readsMenus?: boolean;
  /** The least time between two readings of a store's menu, ms; absent: the app does not limit them. */
  readonly readSpacingMs?: number;
  /** Whether images are probed before the push (App A). */
  readonly checksImages: boolean;
  readonly availability: AvailabilityRules;
  /** Absent: every change is a push. */
  readonly itemCalls?: ItemCallRules;
  /** Adds the losses to `losses`, by default a new book. */
  transform(input: TransformInput, losses?: LossBook): TransformResult;
  /** Reads a payload, or an answer in the same form, into the common form for all apps. */
  readShown(payload: unknown, context: ShownContext): Shown;
  /** Only for apps that can be asked what they show; both menus are JSON in UTF-8, as sent and as received. */
  compareMenus?(pushed: Buffer, shown: Buffer): MenuComparison;
  /** By name, for its client (`readText`). */
  readonly textReaders?: Readonly<Record<string, TextReader>>;
  createClient(options: ClientOptions): DeliveryAppClient;
}
