import { outOfSeason, type WantedItem } from './availability';
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
  readonly bySeason: boolean;
  /** When its season begins, `yyyy-MM-dd`; null: it has begun, or has no beginning. */
  readonly seasonFrom: string | null;
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
  /** External ids of items that the API and stock no longer hold. */
  readonly unmarked: readonly string[];
}

/**
 * Plans a request of the API. An item that is in no live menu does not exist, unless it is listed as unavailable:
 * such an item can always be put back on sale, also where no menu is live. One that is out of season stays off sale,
 * which the app is told once more: what waits about it ends with this change.
 */
export function planWantedItems(
  wanted: readonly WantedItem[],
  { hasLiveMenu, items: knownItems }: { hasLiveMenu: boolean; items: readonly KnownItem[] },
): ItemPlan {
  const byId = new Map(knownItems.map((item) => [item.externalId, item]));
  const items = wanted.map((item): PlannedItem => {
    const facts = byId.get(item.externalId);
    const planned = { ...item, ...inSeason(item, facts) };
    if (facts?.isLive) return { ...planned, state: 'waiting' };
    if (facts && isListed(facts)) {
      // A menu on its way may say that it is off sale, so what is wanted now is told after it.
      return { ...planned, state: facts.isOnItsWay ? 'waiting' : 'done' };
    }
    const message = `The item external id does not exist: ${quoteValue(item.externalId)}`;
    return { ...item, state: 'failed', message };
  });
  const kept = wanted.filter((_, position) => items[position]?.state !== 'failed');
  return {
    refusal: hasLiveMenu || knownItems.some(isListed) ? null : NO_LIVE_MENU,
    items,
    marked: kept.filter((item) => !item.available),
    unmarked: kept.filter((item) => item.available).map((item) => item.externalId),
  };
}

/** An item that is put back out of season is told as off sale, and the caller until when. */
function inSeason(
  { externalId, available }: WantedItem,
  facts: KnownItem | undefined,
): Pick<PlannedItem, 'available' | 'message'> {
  if (!available || !facts?.bySeason) return { available, message: null };
  const words = outOfSeason(facts.seasonFrom);
  return { available: false, message: `${words}: ${quoteValue(externalId)}` };
}

function isListed({ byApi, byStock, bySeason }: KnownItem): boolean {
  return byApi || byStock || bySeason;
}

/** The plan of a stock movement, or of the turn of a season, for one integration. */
interface HolderPlan {
  /** Whether stock, or the season, holds the item off sale from now on. */
  readonly isMarked: boolean;
  /** Whether the app must be told. */
  readonly tells: boolean;
}

/**
 * Plans a stock movement; null: stock changes nothing, or no live menu contains the item. An item that the API already
 * holds off sale is off in the app, but the app must not end that while stock holds it too.
 */
export function planStock(item: KnownItem, isOut: boolean): HolderPlan | null {
  if (isOut === item.byStock) return null;
  if (isOut && !item.isLive) return null;
  return planHolder(item, isOut, item.byApi || item.bySeason);
}

/** The same for an item whose season has begun or ended; null: it is as it was. */
export function planSeason(item: KnownItem, isOut: boolean): HolderPlan | null {
  return isOut === item.bySeason ? null : planHolder(item, isOut, item.byApi || item.byStock);
}

function planHolder(item: KnownItem, isOut: boolean, isHeldElse: boolean): HolderPlan {
  const changesApp = isHeldElse ? isOut && item.mayEndInApp : true;
  return { isMarked: isOut, tells: (item.isLive || item.isOnItsWay) && changesApp };
}
