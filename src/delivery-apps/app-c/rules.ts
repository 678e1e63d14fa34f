export const PATHS = {
  token: '/v1/auth/authtoken/get',
  upload: '/v3/item/item/upload',
  /** Method and path are not published. */
  poll: '/v1/item/item/getMenuTaskInfo',
} as const;

/** App C's published limits on one menu upload; the app refuses the whole menu above them. */
export const LIMITS = {
  categories: 20,
  itemsPerCategory: 300,
  items: 4_000,
  /** Items that are sold by themselves, not only as an option. */
  mainItems: 400,
  groups: 500,
  groupIdLength: 150,
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
export const BUY_MODE = { single: 0, multi: 1 } as const;
/** The app publishes the two values without their meaning; 1 = yes is our reading. */
export const IS_REQUIRED = { yes: 1, no: 2 } as const;

/** What an `errno` means for us; only 0 and 10001 are published, the others are observed. */
export type ErrnoMeaning = 'ok' | 'menu_refused' | 'token_expired' | 'credential_refused' | 'other';

export function meaningOfErrno(errno: number): ErrnoMeaning {
  switch (errno) {
    case 0:
      return 'ok';
    case 10001:
      return 'menu_refused';
    case 10100:
    case 10101:
    case 10102:
      return 'token_expired';
    case 14105:
    case 14106:
      return 'credential_refused';
    default:
      return 'other';
  }
}
