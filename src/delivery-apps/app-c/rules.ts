export const PATHS = {
  /** Reads the shop's token; never creates one. */
  token: '/v1/auth/authtoken/get',
  /** Replaces an expired token by a new one, which `token` then reads. */
  refresh: '/v1/auth/authtoken/refresh',
  upload: '/v3/item/item/upload',
  poll: '/v1/item/item/getMenuTaskInfo',
  /** The menu that the shop shows. */
  list: '/v3/item/item/list',
  item: '/v3/item/item/updateItem',
  group: '/v3/item/item/updateModifierGroup',
  itemStatus: '/v3/item/item/updateItemStatus',
  storeStatus: '/v1/shop/shop/setStatus',
  store: '/v1/shop/shop/update',
} as const;

/** For this long after a refresh, the app creates no other token for the shop, although it answers `true`. */
export const REFRESH_COOL_DOWN_MS = 120_000;
/**
 * The answer about a task lists each item of the menu with its image URL, once for each operation: 4,000 items with
 * long ones are megabytes.
 */
export const MAX_TASK_BYTES = 16 * 1_048_576;
/** The largest menu that we send has as many. */
export const MAX_LIST_BYTES = 16 * 1_048_576;
/** A shop's menu may be read once a minute (third parties), with a margin. */
export const READ_SPACING_MS = 61_000;
/** How often a call is repeated after a number without a published meaning; then it counts as a refusal. */
export const MOST_RETRIES = 3;
/** How long the app wants us to wait when it counts too many calls. */
export const TOO_OFTEN_PAUSE_MS = 60_000;

/** App C's published limits for one menu upload; it refuses the whole menu above them. */
export const LIMITS = {
  categories: 20,
  itemsPerCategory: 300,
  items: 4_000,
  /** Items that are sold on their own, not only as options. */
  mainItems: 400,
  groups: 500,
  /** For menus, categories, items and groups alike. */
  idLength: 150,
} as const;

/** Longest texts, in code points; only items have descriptions. The app silently cuts names of items and groups and refuses the others. */
export const TEXT_LENGTHS = {
  menu: { name: 50, description: 0 },
  category: { name: 100, description: 0 },
  item: { name: 50, description: 400 },
  modifier_group: { name: 100, description: 0 },
} as const;

/** Taxes in Mexico, in hundredths of a percent: IVA, which has two rates, and IEPS. */
export const TAX = { iva: 1, ieps: 2, ivaRates: new Set([0, 1_600]), mostExcise: 10_000 } as const;

/** A call about one item takes shorter texts than an upload, in code points. */
export const ITEM_CALL_TEXT = 300;

export const ITEM_ON_SALE = 1;
export const ITEM_OFF_SALE = 2;
/** `biz_status` and `auto_switch` of a shop. */
export const STORE_STATUS = { online: 1, offline: 2, byHand: 1, byHours: 2 } as const;
/**
 * Numbers that finally refuse a pause or its end: a shop that was closed in the merchant app can only be opened
 * there.
 */
export const PAUSE_REFUSALS: ReadonlySet<number> = new Set([11_010, 11_044, 56_101]);
export const BUY_MODE = { single: 0, multi: 1 } as const;
/** The app publishes the two values without their meaning; that 1 is yes is our interpretation. */
export const IS_REQUIRED = { yes: 1, no: 2 } as const;

/**
 * The meaning of an `errno`. `token_unread`: the app could not read the token. `refused`: the request or the shop is
 * wrong, and a new token fixes neither. `too_often`: too many calls.
 */
export type ErrnoMeaning =
  | 'ok'
  | 'menu_refused'
  | 'token_unread'
  | 'token_expired'
  | 'refused'
  | 'too_often'
  | 'other';

/** The app also reports too many calls by this word, under unpublished numbers. */
const TOO_OFTEN = /frequen/i;

export function meaningOfErrno(errno: number, errmsg: string): ErrnoMeaning {
  switch (errno) {
    case 0:
      return 'ok';
    case 10001:
      return 'menu_refused';
    case 10100:
      return 'token_unread';
    case 10102:
      return 'token_expired';
    case 10005:
      return 'too_often';
    // Wrong parameters, an unauthorised shop, an unknown app, a wrong secret.
    case 10002:
    case 10101:
    case 14103:
    case 14105:
    case 14106:
      return 'refused';
    default:
      return TOO_OFTEN.test(errmsg) ? 'too_often' : 'other';
  }
}
