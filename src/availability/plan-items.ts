import { NO_LIVE_MENU, type WantedItem } from './availability';
import { quoteValue } from '../platform/text/quote-value';

/** What is known of an item before a change. */
export interface KnownItem {
  readonly externalId: string;
  /** The live menu has it. */
  readonly isLive: boolean;
  readonly byApi: boolean;
  readonly byStock: boolean;
}

interface PlannedItem extends WantedItem {
  /** `done`: it is kept, and the app has no such item to be told of. */
  readonly state: 'waiting' | 'done' | 'failed';
  readonly message: string | null;
}

/** What a request of a caller comes to in one integration. */
export interface ItemPlan {
  /** Why it takes none of it. */
  readonly refusal: string | null;
  readonly items: readonly PlannedItem[];
  readonly marked: readonly WantedItem[];
  /** External ids. */
  readonly unmarked: readonly string[];
}

/**
 * Plans what the API asks for. What no live menu has does not exist, unless it is listed as unavailable: that can
 * always be switched on (contract §18, 4).
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

/** What a stock movement changes in one integration: the new mark, and whether the app has to be told. */
export interface StockPlan {
  readonly isMarked: boolean;
  readonly tells: boolean;
}

/** What stock makes of an item; null: nothing, or no live menu has it. */
export function planStock(item: KnownItem, isOut: boolean): StockPlan | null {
  if (isOut === item.byStock) return null;
  if (isOut && !item.isLive) return null;
  return { isMarked: isOut, tells: item.isLive && !item.byApi };
}
