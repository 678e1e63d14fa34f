import { BrokenRule, refuse } from './broken-rule';
import { checkCharges } from './check-charges';
import { checkHours } from './check-hours';
import { checkLevels } from './check-levels';
import { checkReferences } from './check-references';
import { readMenu, type SentItem } from './read-menu';

export interface MarketRules {
  /** Highest price of the market in the lowest denomination; absent = no limit. */
  readonly maximumPrice?: number;
}

/**
 * What App A would say about a menu: the first broken rule in words, or null when it takes the menu.
 * Written from the app's documentation alone and sharing no code with our transform, so that
 * a mistake made there is found here.
 */
export function firstBrokenRule(payload: unknown, market: MarketRules = {}): string | null {
  try {
    const sent = readMenu(payload);
    if (sent.menus.length === 0) refuse('No Menus');
    checkReferences(sent);
    checkCharges(sent);
    checkLevels(sent);
    for (const menu of sent.menus) checkHours(menu);
    for (const item of sent.items) checkPrices(item, market.maximumPrice);
    return null;
  } catch (error) {
    if (error instanceof BrokenRule) return error.message;
    throw error;
  }
}

function checkPrices(item: SentItem, maximum = Number.POSITIVE_INFINITY): void {
  const tooHigh = [item, ...item.priceOverrides].find(({ price }) => price > maximum);
  if (tooHigh)
    refuse(`Invalid Price Info: item ${item.id} price ${tooHigh.price} exceeds ${maximum}`);
}
