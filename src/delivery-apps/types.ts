import type { Menu, MenuDocument } from '../menus/menu';
import type { OutboundClient } from '../platform/outbound/types';
import type { LossBook } from './losses';
import type { Shown } from './shown';

/** The delivery apps that come with the service. */
export const APP_NAMES = ['app-a', 'app-b', 'app-c', 'app-d'] as const;
export type ShippedAppName = (typeof APP_NAMES)[number];
/** The name of an integration's app: one of those, or one that was added (registry.ts). */
export type AppName = string;

/** All losses that an entity of a menu can have in an app; the table is in delivery-apps.md §7. */
export type EntityLossCode =
  | 'item_schedule_ignored'
  | 'menu_schedule_ignored'
  | 'days_merged'
  | 'promotion_price_ignored'
  | 'promotion_price_invalid'
  | 'second_menu_refused'
  | 'option_quantity_ignored'
  | 'group_quantity_cloned'
  | 'item_price_conflict_in_menu'
  | 'text_cut'
  | 'text_too_long'
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
  | 'option_cloned'
  | 'limit_exceeded'
  | 'entity_unused'
  | 'integration_not_configured';

/** `losses_omitted` stands for all losses beyond the list's limit; it is about no entity. */
export type LossCode = EntityLossCode | 'losses_omitted';

/** One way in which the app will show less than the menu. One per entity and code. */
export interface Loss {
  readonly code: LossCode;
  /** `block`: the push is not made. `warn`: needs attention. `info`: nothing is missing for a guest. */
  readonly severity: 'block' | 'warn' | 'info';
  /** JSON pointer of the entity in the request body, such as `/items/3`; empty for `losses_omitted`. */
  readonly pointer: string;
  /** The entity's POS id; null for `losses_omitted`. */
  readonly external_id: string | null;
  /** One sentence with the POS id; for a blocking loss it is also the API's message. */
  readonly message: string;
}

/** The facts about the store that an app needs, all from rows, none from the request. */
export interface StoreFacts {
  /** The store's id in the delivery app. */
  readonly appStoreId: string;
  /** Decimals of the store's currency on the app's wire: 0 for CLP, PYG, JPY and the like, otherwise 2. */
  readonly currencyExponent: 0 | 2;
  /** Language and country of the store, such as `es_mx`, for apps that require a locale. */
  readonly locale: string;
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

/** Credentials for the app. Stored encrypted; decrypted in the activity that uses them. */
export interface AppCredential {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Further fields of the store's own credential as configured (App C: `app_shop_id`), and its `delivery_id`. */
  readonly store: Readonly<Record<string, string>>;
  /** For a token that pauses stores, if the app needs a separate one (App A). */
  readonly forPauses?: boolean;
}

export type TokenResult =
  | {
      readonly kind: 'token';
      readonly token: string;
      /** ms since epoch */ readonly expiresAt: number;
    }
  /** The credential is wrong, which no retry fixes. */
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'retry'; readonly reason: string; readonly afterMs?: number };

export interface FailedEntity {
  readonly externalId: string;
  readonly message: string;
}

/** One value per push or poll (delivery-apps.md §1). Callers switch on `kind` and never see HTTP. */
export type PushOutcome =
  | { readonly kind: 'live'; readonly warnings?: readonly FailedEntity[] }
  | { readonly kind: 'accepted'; readonly taskId: string }
  | { readonly kind: 'partly_live'; readonly failed: readonly FailedEntity[] }
  | { readonly kind: 'rejected'; readonly reasons: readonly string[] }
  | {
      readonly kind: 'retry';
      readonly reason: string;
      readonly afterMs?: number;
      /** How often the same bytes may be sent again after such an answer; then it is a refusal. Absent: no limit. */
      readonly atMost?: number;
    }
  | { readonly kind: 'token_expired' }
  | { readonly kind: 'unknown'; readonly reason: string };

/** A poll may also find the task still running. */
export type PollOutcome = PushOutcome | { readonly kind: 'running'; readonly status: string };

/** Whether the app shows what was pushed: only App A can be asked. */
export type ReadBackOutcome =
  | { readonly kind: 'same' }
  | { readonly kind: 'different' }
  | Extract<PushOutcome, { kind: 'retry' | 'token_expired' | 'unknown' }>;

/** The menu that an app shows, in the form of its payload. */
export type ReadMenuOutcome =
  | { readonly kind: 'read'; readonly payload: Buffer }
  /** The store shows no menu. */
  | { readonly kind: 'absent' }
  | Extract<PushOutcome, { kind: 'retry' | 'token_expired' | 'unknown' }>;

/** Whether an app shows what was pushed; `unreadable`: its answer is not JSON, or cannot be compared in time. */
export type MenuComparison = 'same' | 'different' | 'unreadable';

export interface PushRequest {
  readonly token: string;
  readonly appStoreId: string;
  /** The serialised payload, UTF-8 JSON. */
  readonly payload: Buffer;
}

/** One item of an availability call, by its wire id. */
export interface SwitchedItem {
  readonly wireId: string;
  readonly available: boolean;
  /** When it comes back by itself, for apps that support that; null = when they are told. */
  readonly until: Date | null;
}

export interface SwitchRequest {
  readonly token: string;
  readonly appStoreId: string;
  /** The store's own credential. */
  readonly store: AppCredential['store'];
  /** At most as many as the app takes; all alike if it does not take both kinds. */
  readonly items: readonly SwitchedItem[];
}

type Unsettled = Extract<PushOutcome, { kind: 'rejected' | 'retry' | 'token_expired' | 'unknown' }>;

/** One value per availability call; ids are wire ids. */
export type SwitchOutcome =
  | { readonly kind: 'switched' }
  | { readonly kind: 'partly_switched'; readonly failed: readonly FailedEntity[] }
  /** The app changed nothing because it does not know one of the items, and does not say which (App D). */
  | { readonly kind: 'one_unknown'; readonly reason: string }
  | Unsettled;

export interface PauseRequest {
  readonly token: string;
  readonly appStoreId: string;
  readonly store: AppCredential['store'];
  readonly paused: boolean;
  /** When the pause ends by itself, for apps that support that. */
  readonly until: Date | null;
  readonly reason: string | null;
}

export type PauseOutcome = { readonly kind: 'done' } | Unsettled;

/** How an app is told which items are off sale (delivery-apps.md §9). */
export interface AvailabilityRules {
  /** The most wire ids in one call. */
  readonly idsPerCall: number;
  /** Whether one call may both take items off sale and bring others back. */
  readonly mixesBoth: boolean;
  /** One call per this many ms, and up to `burst` at once. */
  readonly spacingMs: number;
  readonly burst: number;
  /**
   * Whether it must be told again after each menu: its menus do not say what is off sale, or are accepted as tasks.
   */
  readonly repeatsBehindMenus: boolean;
  /** Whether pauses need a separate token. */
  readonly ownPauseToken?: boolean;
  /** The payload with these items off sale; absent if menus cannot say so. */
  readonly writeUnavailable?: (payload: Buffer, items: readonly SwitchedItem[]) => Buffer;
}

/** Talks to one app. Never throws for anything that the app answers or fails to answer. */
export interface DeliveryAppClient {
  fetchToken(credential: AppCredential): Promise<TokenResult>;
  pushMenu(request: PushRequest): Promise<PushOutcome>;
  /** Only for apps with asynchronous tasks. */
  pollTask?(request: { token: string; appStoreId: string; taskId: string }): Promise<PollOutcome>;
  /** Only for apps that can be asked what they show. */
  readBack?(request: PushRequest): Promise<ReadBackOutcome>;
  /** Only for apps that can be asked which menu they show. */
  readMenu?(request: Pick<PushRequest, 'token' | 'appStoreId'>): Promise<ReadMenuOutcome>;
  switchItems(request: SwitchRequest): Promise<SwitchOutcome>;
  pauseStore(request: PauseRequest): Promise<PauseOutcome>;
}

export interface ClientOptions {
  readonly http: OutboundClient;
  /** Origin and path prefix of the app as configured, without trailing slash. */
  readonly baseUrl: string;
  /** Total time of one request, ms (setting DELIVERY_APP_TIMEOUT). */
  readonly timeoutMs: number;
  /**
   * The app's `compareMenus`, run where it blocks nothing: two menus may have 16 MB each. By default it runs right
   * here.
   */
  readonly compareMenus?: (pushed: Buffer, shown: Buffer) => Promise<MenuComparison>;
  /** App D: origin of the token call, if `baseUrl` is not one of the app's own. */
  readonly tokenUrl?: string;
}

/** All about one app. Pure data and functions; only `createClient` makes network calls. */
export interface DeliveryApp {
  readonly name: AppName;
  /** More menus than this are refused with 409 before any row is written. */
  readonly maxMenus: number;
  /** Who owns a token: one per integration's client, or one per shop. */
  readonly tokenScope: 'integration' | 'store';
  /** Whether people at the app review each menu, which takes hours: `pollTask` is called hourly (App D). */
  readonly approvedByPeople?: boolean;
  /** Whether the app can be asked which menu it shows: its client has `readMenu`. */
  readonly readsMenus?: boolean;
  /** Whether images are probed before the push (App A). */
  readonly checksImages: boolean;
  readonly availability: AvailabilityRules;
  /** Adds the losses to `losses`, by default a new book. */
  transform(input: TransformInput, losses?: LossBook): TransformResult;
  /** Reads a payload, or an answer in the same form, into the common form for all apps. */
  readShown(payload: unknown, context: ShownContext): Shown;
  /** Only for apps that can be asked what they show; both menus are JSON in UTF-8, as sent and as received. */
  compareMenus?(pushed: Buffer, shown: Buffer): MenuComparison;
  createClient(options: ClientOptions): DeliveryAppClient;
}
