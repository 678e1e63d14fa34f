import { NO_LIVE_MENU, type WantedItem } from './availability';
import { quoteValue } from '../platform/text/quote-value';

/** What is known about an item before a change. */
export interface KnownItem {
  readonly externalId: string;
  /** Whether the live menu contains it. */
  readonly isLive: boolean;
  readonly byApi: boolean;
  readonly byStock: boolean;
}

interface PlannedItem extends WantedItem {
  /** `done`: it is stored, but the app has no such item to switch. */
  readonly state: 'waiting' | 'done' | 'failed';
  readonly message: string | null;
}

/** The effect of a caller's request in one integration. */
export interface ItemPlan {
  /** Why none of it is accepted. */
  readonly refusal: string | null;
  readonly items: readonly PlannedItem[];
  readonly marked: readonly WantedItem[];
  /** External ids. */
  readonly unmarked: readonly string[];
}

/**
 * Plans a request of the API. An item that is in no live menu does not exist, unless it is listed as unavailable:
 * such an item can always be put back on sale (contract §18, 4).
 */
export function planWantedItems(
  wanted: readonly WantedItem[],
  { hasLiveMenu, items: known }: { hasLiveMenu: boolean; items: readonly KnownItem[] },
): ItemPlan {
  const byId = new Map(known.map((item) => [item.externalId, item]));
  const items = wanted.map((item): PlannedItem => {
    const found = byId.get(item.externalId);
    if (found?.isLive) return { ...item, state: 'waiting', message: null };
    if (found?.byApi || found?.byStock) return { ...item, state: 'done', message: null };
    const message = `The item external id does not exist: ${quoteValue(item.externalId)}`;
    return { ...item, state: 'failed', message };
  });
  const kept = items.filter((item) => item.state !== 'failed');
  return {
    refusal: hasLiveMenu ? null : NO_LIVE_MENU,
    items,
    marked: kept.filter((item) => !item.available),
    unmarked: kept.filter((item) => item.available).map((item) => item.externalId),
  };
}

/** The effect of a stock movement in one integration: the new mark, and whether the app must be told. */
export interface StockPlan {
  readonly isMarked: boolean;
  readonly tells: boolean;
}

/** What stock changes about an item; null: nothing, or no live menu contains it. */
export function planStock(item: KnownItem, isOut: boolean): StockPlan | null {
  if (isOut === item.byStock) return null;
  if (isOut && !item.isLive) return null;
  return { isMarked: isOut, tells: item.isLive && !item.byApi };
}
