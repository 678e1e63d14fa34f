import type { OutboundClient } from '../platform/outbound/types';

/** Talks to one app. Never throws for anything that the app answers or fails to answer. */
export interface DeliveryAppClient {
  fetchToken(credential: AppCredential): Promise<TokenResult>;
  pushMenu(request: PushRequest): Promise<PushOutcome>;
  /** Only for apps with asynchronous tasks. */
  pollTask?(request: PollRequest): Promise<PollOutcome>;
  /** Whether the app shows what was pushed. Only for apps whose pushes are verified by it: App A. */
  readBack?(request: PushRequest): Promise<ReadBackOutcome>;
  /** The menu that the app shows, for drift checks. Only for apps that can be asked for it (`readsMenus`). */
  readMenu?(request: Pick<PushRequest, 'token' | 'appStoreId'>): Promise<ReadMenuOutcome>;
  switchItems(request: SwitchRequest): Promise<SwitchOutcome>;
  /** One call about single items, which spares a push. Only for apps with `itemCalls`. */
  changeItems?(request: ItemCallRequest): Promise<ItemCallOutcome>;
  pauseStore(request: PauseRequest): Promise<PauseOutcome>;
  /** Replaces all special days of a store. Absent: the app has none. */
  setSpecialDays?(request: SpecialDaysRequest): Promise<SpecialDaysOutcome>;
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
  /** One of the app's `textReaders`, run where it blocks nothing. By default it runs right here. */
  readonly readText?: ReadText;
  /** App D: origin of the token call, if `baseUrl` is not one of the app's own. */
  readonly tokenUrl?: string;
}

/** Undefined: the text is unreadable, or was not read in time. */
export type ReadText = (
  reader: string,
  text: Buffer,
  about: string,
) => Promise<readonly string[] | undefined>;

/** Calls for which an app gives tokens of their own: pauses of stores (App A), its utilities (App D). */
export const TOKEN_USES = ['pauses', 'utilities'] as const;
export type TokenUse = (typeof TOKEN_USES)[number];

/** Credentials for the app. Stored encrypted; decrypted in the activity that uses them. */
export interface AppCredential {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Further fields of the store's own credential as configured (App C: `app_shop_id`), and its `delivery_id`. */
  readonly store: Readonly<Record<string, string>>;
  /** For a token that these calls need, which take no other. */
  readonly use?: TokenUse;
  /** The last token, if a call has shown that the app no longer takes it. */
  readonly refusedToken?: string;
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
  /** As the app names it: a wire id. */
  readonly externalId: string;
  readonly message: string;
  /** The id is not that of an item in the payload, though an item may have the same: of a category, for example. */
  readonly isNoItem?: true;
}

/**
 * One value per push or poll. Callers switch on `kind` and never see HTTP. It is about the whole push: of one that takes
 * several calls, `retry` and `rejected` say that none of them took effect. Once one may have, it is `unknown` or final.
 */
export type PushOutcome =
  | { readonly kind: 'live'; readonly warnings?: readonly FailedEntity[] }
  | { readonly kind: 'accepted'; readonly taskId: string }
  | { readonly kind: 'partly_live'; readonly failed: readonly FailedEntity[] }
  | { readonly kind: 'rejected'; readonly reasons: readonly string[] }
  | {
      readonly kind: 'retry';
      readonly reason: string;
      readonly afterMs?: number;
      /** Why it is to be waited; absent: the app is away or failed. */
      readonly waits?: 'app_busy' | 'token' | 'permit' | 'our_side';
      /** How often the same bytes may be sent again after such an answer; then it is a refusal. Absent: no limit. */
      readonly atMost?: number;
    }
  | { readonly kind: 'token_expired' }
  | { readonly kind: 'unknown'; readonly reason: string };

export interface PollRequest {
  readonly token: string;
  readonly appStoreId: string;
  readonly taskId: string;
  /** The store's own credential. */
  readonly store: AppCredential['store'];
  /** When the menu was first sent, by the database's clock. */
  readonly pushedAt: Date;
}

/** A poll may also find the task still running. */
export type PollOutcome = PushOutcome | { readonly kind: 'running'; readonly status: string };

/** Whether the app shows what was pushed. */
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

/** Outcomes that any call to any app can have. */
export type CommonOutcome = Extract<
  PushOutcome,
  { kind: 'rejected' | 'retry' | 'token_expired' | 'unknown' }
>;

/** One value per availability call; ids are wire ids. */
export type SwitchOutcome =
  | { readonly kind: 'switched' }
  | { readonly kind: 'partly_switched'; readonly failed: readonly FailedEntity[] }
  /** The app changed nothing because it does not know one of the items, and does not say which (App D). */
  | { readonly kind: 'one_unknown'; readonly reason: string }
  | CommonOutcome;

/** One call that changes what an app shows of single items: plain JSON data without a token. */
export interface ItemCall {
  /** The wire id of the item that it is about; null: several items, or a group of them. */
  readonly wireId: string | null;
  readonly body: object;
}

export interface ItemCallRequest {
  readonly token: string;
  readonly appStoreId: string;
  readonly call: ItemCall;
  /** Whether its item is off sale, for an app whose call says that too. */
  readonly isOff: boolean;
}

/** `rejected` also if the app took only a part. */
export type ItemCallOutcome = { readonly kind: 'changed' } | CommonOutcome;

export interface PauseRequest {
  readonly token: string;
  readonly appStoreId: string;
  readonly store: AppCredential['store'];
  readonly paused: boolean;
  /** When the pause ends by itself, for apps that support that. */
  readonly until: Date | null;
  readonly reason: string | null;
}

export type PauseOutcome = { readonly kind: 'done' } | CommonOutcome;

/** A day of a store with hours of its own. */
export interface SpecialDay {
  /** `yyyy-MM-dd`, a day of the store's time zone. */
  readonly date: string;
  /** Store wall clock, `HH:mm`, `start` before `end`, in no certain order; none: closed all day. */
  readonly periods: readonly { readonly start: string; readonly end: string }[];
  readonly name: string | null;
}

export interface SpecialDaysRequest {
  readonly token: string;
  readonly appStoreId: string;
  readonly store: AppCredential['store'];
  /** All that are to come, each date once. */
  readonly days: readonly SpecialDay[];
}

/** Of an app that takes several calls, `rejected` may come after some of them took effect: the next try ends the rest. */
export type SpecialDaysOutcome = PauseOutcome;
