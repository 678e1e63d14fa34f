import type { Menu, MenuDocument } from '../menus/menu';
import type { OutboundClient } from '../platform/outbound/types';
import type { LossBook } from './losses';
import type { Shown } from './shown';

/** The delivery apps that come with the service. */
export const APP_NAMES = ['app-a', 'app-b', 'app-c', 'app-d'] as const;
export type ShippedAppName = (typeof APP_NAMES)[number];
/** What an integration names its app by: one of those, or one that was added (registry.ts). */
export type AppName = string;

/** Everything that an entity of a menu can lose on its way to an app; the table is delivery-apps.md §7. */
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

/** `losses_omitted` stands for all that did not fit into the list; it is about no entity. */
export type LossCode = EntityLossCode | 'losses_omitted';

/** One way in which the app will show less than the menu says. One per entity and code. */
export interface Loss {
  readonly code: LossCode;
  /** `block`: the push is not made. `warn`: somebody should know. `info`: nothing is missing for a guest. */
  readonly severity: 'block' | 'warn' | 'info';
  /** JSON pointer of the entity in the request body, such as `/items/3`; empty for `losses_omitted`. */
  readonly pointer: string;
  /** The entity's POS id; null for `losses_omitted`. */
  readonly external_id: string | null;
  /** One sentence with the POS id; for a blocking loss it is also what the API answers. */
  readonly message: string;
}

/** What an app needs to know about the store; all derived from rows, nothing from the request. */
export interface StoreFacts {
  /** The store's id in the delivery app. */
  readonly deliveryId: string;
  /** Decimals of the store's currency on the app's wire: 0 for CLP, PYG, JPY and the like, else 2. */
  readonly currencyExponent: 0 | 2;
  /** Such as `es_mx`: language and country of the store, for apps that want a locale. */
  readonly locale: string;
}

export type ImageVerdict =
  | 'not_https'
  | 'wrong_format'
  | 'too_large'
  | 'wrong_size'
  | 'unreadable'
  /** Nothing was found against it: the time or the bytes that images may take were used up before. */
  | 'not_checked';

export interface TransformInput {
  readonly menu: MenuDocument;
  readonly store: StoreFacts;
  /** Images found bad by fetching their head, by URL. Absent before `checkImages`, and for apps without it. */
  readonly badImages?: ReadonlyMap<string, ImageVerdict>;
  /** App A: whether its prices are hundredths for every currency, or the lowest denomination. */
  readonly priceUnit?: 'hundredth' | 'lowest';
  /** App D: whether its prices are whole units of the currency, or decimal numbers. Default `unit`. */
  readonly appDPriceUnit?: 'unit' | 'decimal';
  /** App C: how deep modifier groups may nest; with one level an option has none of its own. Default 1. */
  readonly levels?: number;
  /** App A: highest price of the market, as the app counts money; absent = not checked. */
  readonly maximumPrice?: number;
}

/** What a payload does not say about itself. */
export interface ShownContext extends Pick<TransformInput, 'store' | 'priceUnit'> {
  /** The menus as they were sent. App D has no name for a menu: it shows what it has under the one that was sent. */
  readonly sentMenus: readonly Pick<Menu, 'identifier' | 'name'>[];
}

export interface TransformResult {
  /** The app's menu as plain JSON data, without token; null for a menu that the app cannot have at all. */
  readonly payload: object | null;
  readonly losses: readonly Loss[];
  /** What the payload calls each of its items, by POS id: the id itself, and its copies. */
  readonly itemIds: ItemIds;
}

/** Wire ids by POS id. */
export type ItemIds = ReadonlyMap<string, readonly string[]>;

/** What opens the app's door. Kept encrypted; decrypted in the activity that uses it. */
export interface AppCredential {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Further fields of the store's own credential as configured (App C: `app_shop_id`), and its `delivery_id`. */
  readonly store: Readonly<Record<string, string>>;
  /** Of a token that pauses stores, where the app wants another one for it (App A). */
  readonly forPauses?: boolean;
}

export type TokenResult =
  | {
      readonly kind: 'token';
      readonly token: string;
      /** ms since epoch */ readonly expiresAt: number;
    }
  /** The credential is wrong: no retry cures it. */
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
      /** Most times that the same bytes are sent again after such an answer; then it is a refusal. Absent: no limit. */
      readonly atMost?: number;
    }
  | { readonly kind: 'token_expired' }
  | { readonly kind: 'unknown'; readonly reason: string };

/** A poll may also find the task still at work. */
export type PollOutcome = PushOutcome | { readonly kind: 'running'; readonly status: string };

/** Whether the app shows what was pushed: App A can be asked, others cannot. */
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

/** Whether an app shows what was pushed; `unreadable`: what it shows is no JSON, or cannot be compared in time. */
export type MenuComparison = 'same' | 'different' | 'unreadable';

export interface PushRequest {
  readonly token: string;
  readonly deliveryId: string;
  /** The serialised payload, UTF-8 JSON. */
  readonly payload: Buffer;
}

/** One item of an availability call, by its wire id. */
export interface SwitchedItem {
  readonly wireId: string;
  readonly available: boolean;
  /** When it comes back by itself, for apps that can be told; null = when they are told so. */
  readonly until: Date | null;
}

export interface SwitchRequest {
  readonly token: string;
  readonly deliveryId: string;
  /** The store's own credential. */
  readonly store: AppCredential['store'];
  /** At most as many as the app takes; all alike where it takes no others. */
  readonly items: readonly SwitchedItem[];
}

type Unsettled = Extract<PushOutcome, { kind: 'rejected' | 'retry' | 'token_expired' | 'unknown' }>;

/** One value per availability call; ids are wire ids. */
export type SwitchOutcome =
  | { readonly kind: 'switched' }
  | { readonly kind: 'partly_switched'; readonly failed: readonly FailedEntity[] }
  /** The app has none of it because it does not know one, and does not say which (App D). */
  | { readonly kind: 'one_unknown'; readonly reason: string }
  | Unsettled;

export interface PauseRequest {
  readonly token: string;
  readonly deliveryId: string;
  readonly store: AppCredential['store'];
  readonly paused: boolean;
  /** When the pause ends by itself, for apps that can be told. */
  readonly until: Date | null;
  readonly reason: string | null;
}

export type PauseOutcome = { readonly kind: 'done' } | Unsettled;

/** How an app is told that items go off sale and come back (delivery-apps.md §9). */
export interface AvailabilityRules {
  /** Wire ids in one call. */
  readonly idsPerCall: number;
  /** Whether one call may have items that go off and items that come on. */
  readonly mixesBoth: boolean;
  /** One call each so many ms, and up to `burst` at once. */
  readonly spacingMs: number;
  readonly burst: number;
  /** Whether it has to be told again behind a menu: its menus do not say what is off, or are taken by a task. */
  readonly repeatsBehindMenus: boolean;
  /** Whether pauses want a token of their own. */
  readonly ownPauseToken?: boolean;
  /** The payload with these items off sale; absent where menus cannot say so. */
  readonly writeUnavailable?: (payload: Buffer, items: readonly SwitchedItem[]) => Buffer;
}

/** Speaks with one app. Never throws for anything that the app answers or fails to answer. */
export interface DeliveryAppClient {
  fetchToken(credential: AppCredential): Promise<TokenResult>;
  pushMenu(request: PushRequest): Promise<PushOutcome>;
  /** Only apps with asynchronous tasks. */
  pollTask?(request: { token: string; deliveryId: string; taskId: string }): Promise<PollOutcome>;
  /** Only apps that can be asked what they show. */
  readBack?(request: PushRequest): Promise<ReadBackOutcome>;
  /** Only apps that can be asked which menu they show. */
  readMenu?(request: Pick<PushRequest, 'token' | 'deliveryId'>): Promise<ReadMenuOutcome>;
  switchItems(request: SwitchRequest): Promise<SwitchOutcome>;
  pauseStore(request: PauseRequest): Promise<PauseOutcome>;
}

export interface ClientOptions {
  readonly http: OutboundClient;
  /** Origin and path prefix of the app as configured, without trailing slash. */
  readonly baseUrl: string;
  /** Total time of one request, ms (setting DELIVERY_APP_TIMEOUT). */
  readonly timeoutMs: number;
  /** `compareMenus` of the app where it holds up nobody: two menus may have 16 MB each. Without it: here. */
  readonly compareMenus?: (pushed: Buffer, shown: Buffer) => Promise<MenuComparison>;
  /** App D: origin of the token call, where `baseUrl` is not the app's own pair. */
  readonly tokenUrl?: string;
}

/** Everything about one app. Pure data and functions; `createClient` is the only door to the network. */
export interface DeliveryApp {
  readonly name: AppName;
  /** More menus than this are refused with 409 before any row is written. */
  readonly maxMenus: number;
  /** Whose a token is: one per integration's client, or one per shop. */
  readonly tokenScope: 'integration' | 'store';
  /** Whether people at the app decide about each menu, which takes hours: `pollTask` is asked by the hour (App D). */
  readonly approvedByPeople?: boolean;
  /** Whether the app can be asked which menu it shows: its client has `readMenu`. */
  readonly readsMenus?: boolean;
  /** Whether images are probed before the push (App A). */
  readonly checksImages: boolean;
  readonly availability: AvailabilityRules;
  /** Enters what is lost into `losses`, a book of its own unless one is given. */
  transform(input: TransformInput, losses?: LossBook): TransformResult;
  /** Reads a payload, or what the app answers in the same form, into the one form for all apps. */
  readShown(payload: unknown, context: ShownContext): Shown;
  /** Only apps that can be asked what they show; both menus are JSON in UTF-8, as it was sent and as it came. */
  compareMenus?(pushed: Buffer, shown: Buffer): MenuComparison;
  createClient(options: ClientOptions): DeliveryAppClient;
}
