import { type WantedItem } from './availability';
import { NO_LIVE_MENU } from '../uploads/usable-integration';
import { quoteValue } from '../platform/text/quote-value';

/** The facts about an item before a change. */
export interface KnownItem {
  readonly externalId: string;
  /** Whether the live menu contains it. */
  readonly isLive: boolean;
  /** Whether a menu contains it whose push has begun and not ended: the app may show that menu next. */
  readonly isOnItsWay: boolean;
  readonly byApi: boolean;
  readonly byStock: boolean;
  /** The app may know when the API's mark ends, and some apps then put the item back on sale by themselves. */
  readonly mayEndInApp: boolean;
}

interface PlannedItem extends WantedItem {
  /** `done` at once: the item is stored, but no menu of the app has such an item to switch. */
  readonly state: 'waiting' | 'done' | 'failed';
  readonly message: string | null;
}

/** The plan of a caller's request for one integration. */
export interface ItemPlan {
  /** Why none of it is accepted; null = some of it may be. */
  readonly refusal: string | null;
  readonly items: readonly PlannedItem[];
  /** Items that go off sale. */
  readonly marked: readonly WantedItem[];
  /** External ids of items that come back. */
  readonly unmarked: readonly string[];
}

/**
 * Plans a request of the API. An item that is in no live menu does not exist, unless it is listed as unavailable:
 * such an item can always be put back on sale, also where no menu is live.
 */
export function planWantedItems(
  wanted: readonly WantedItem[],
  { hasLiveMenu, items: knownItems }: { hasLiveMenu: boolean; items: readonly KnownItem[] },
): ItemPlan {
  const byId = new Map(knownItems.map((item) => [item.externalId, item]));
  const items = wanted.map((item): PlannedItem => {
    const facts = byId.get(item.externalId);
    if (facts?.isLive) return { ...item, state: 'waiting', message: null };
    if (facts && isListed(facts)) {
      // A menu on its way may say that it is off sale, so what is wanted now is told after it.
      return { ...item, state: facts.isOnItsWay ? 'waiting' : 'done', message: null };
    }
    const message = `The item external id does not exist: ${quoteValue(item.externalId)}`;
    return { ...item, state: 'failed', message };
  });
  const kept = items.filter((item) => item.state !== 'failed');
  return {
    refusal: hasLiveMenu || knownItems.some(isListed) ? null : NO_LIVE_MENU,
    items,
    marked: kept.filter((item) => !item.available),
    unmarked: kept.filter((item) => item.available).map((item) => item.externalId),
  };
}

function isListed({ byApi, byStock }: KnownItem): boolean {
  return byApi || byStock;
}

/** The plan of a stock movement for one integration. */
export interface StockPlan {
  /** Whether stock holds the item off sale from now on. */
  readonly isMarked: boolean;
  /** Whether the app must be told. */
  readonly tells: boolean;
}

/**
 * Plans a stock movement; null: stock changes nothing, or no live menu contains the item. An item that the API already
 * holds off sale is off in the app, but the app must not end that while stock holds it too.
 */
export function planStock(item: KnownItem, isOut: boolean): StockPlan | null {
  if (isOut === item.byStock) return null;
  if (isOut && !item.isLive) return null;
  const changesApp = item.byApi ? isOut && item.mayEndInApp : true;
  return { isMarked: isOut, tells: (item.isLive || item.isOnItsWay) && changesApp };
}
