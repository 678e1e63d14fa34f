export const PATHS = {
  /** Reads the shop's token; it never makes one. */
  token: '/v1/auth/authtoken/get',
  /** Makes a new token in place of an expired one, which `token` then reads. */
  refresh: '/v1/auth/authtoken/refresh',
  upload: '/v3/item/item/upload',
  poll: '/v1/item/item/getMenuTaskInfo',
  itemStatus: '/v3/item/item/updateItemStatus',
  storeStatus: '/v1/shop/shop/setStatus',
} as const;

/** After a refresh the app makes no other token of the shop for so long, and says `true` all the same. */
export const REFRESH_COOL_DOWN_MS = 120_000;
/** How often an upload is sent again after a number whose meaning is not published; then the app has refused it. */
export const MOST_RETRIES = 3;
/** How long the app wants to be left alone when it counts too many calls. */
export const TOO_OFTEN_PAUSE_MS = 60_000;

/** App C's published limits on one menu upload; the app refuses the whole menu above them. */
export const LIMITS = {
  categories: 20,
  itemsPerCategory: 300,
  items: 4_000,
  /** Items that are sold by themselves, not only as an option. */
  mainItems: 400,
  groups: 500,
  /** Of menus, categories, items and groups alike. */
  idLength: 150,
} as const;

/** Longest texts, in code points. The app cuts names of items and groups in silence and refuses the others. */
export const TEXT_LENGTHS = {
  menuName: 50,
  categoryName: 100,
  itemName: 50,
  itemDescription: 400,
  groupName: 100,
} as const;

export const ITEM_ON_SALE = 1;
export const ITEM_OFF_SALE = 2;
/** `biz_status` and `auto_switch` of a shop. */
export const STORE_STATUS = { online: 1, offline: 2, byHand: 1, byHours: 2 } as const;
/** Numbers that refuse a pause, or its end, for good: a shop that was closed in the merchant app opens only there. */
export const PAUSE_REFUSALS: ReadonlySet<number> = new Set([11_010, 11_044, 56_101]);
export const BUY_MODE = { single: 0, multi: 1 } as const;
/** The app publishes the two values without their meaning; 1 = yes is our reading. */
export const IS_REQUIRED = { yes: 1, no: 2 } as const;

/**
 * What an `errno` means for us. `token_unread`: the app could not read the token. `refused`: the request or the shop is
 * wrong, and a new token cures neither. `too_often`: the app counts our calls.
 */
export type ErrnoMeaning =
  | 'ok'
  | 'menu_refused'
  | 'token_unread'
  | 'token_expired'
  | 'refused'
  | 'too_often'
  | 'other';

/** Calls that are too many are told by words, too, under numbers that are not published. */
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
    // Parameters, a shop that never authorised us, no such app, a wrong secret.
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
