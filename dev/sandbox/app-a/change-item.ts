import type { AppAnswer, AppCall } from '../app-simulator';
import { type RateWindow, withRetryAfter } from '../rate-window';
import type { StoreStates } from '../store-states';
import { BrokenRule, refuse } from './broken-rule';
import { checkFacts } from './check-details';
import type { Fields } from './read-fields';
import { readPriceInfo, type SentItem } from './read-menu';
import { refusal, suspend, suspensionOf, TOO_MANY } from './switch-items';
import type { MarketRules } from './validate-menu';
import { parseObject } from '../read-json';

/** All that the call about one item takes; anything else needs the whole menu. */
const FIELDS: ReadonlySet<string> = new Set([
  'price_info',
  'suspension_info',
  'menu_type',
  'product_info',
  'classifications',
  'beverage_info',
  'physical_properties_info',
  'medication_info',
  'nutritional_info',
  'selling_info',
]);
/** With nothing else, it is a call that takes an item off sale, or puts it back. */
const ABOUT_SALE: ReadonlySet<string> = new Set(['suspension_info', 'menu_type']);

/** Whether the body of a call about an item changes more than whether it is on sale. */
export function isChange(body: Buffer): boolean {
  return Object.keys(parseObject(body) ?? {}).some((key) => !ABOUT_SALE.has(key));
}

/** Answers a call that changes one item: each field that is sent replaces the item's, and others stay. */
export function answerChange(
  call: AppCall,
  { storeId, itemId }: { readonly storeId: string; readonly itemId: string },
  stores: StoreStates,
  rate: RateWindow,
  market: MarketRules & { readonly now: number },
): AppAnswer {
  const waitMs = rate.take(storeId);
  if (waitMs > 0) return withRetryAfter(refusal(429, 'too_many_requests', TOO_MANY), waitMs);
  const isScripted = call.fault?.kind === 'item_failed' && call.fault.ids.includes(itemId);
  const { payload } = stores.shown(storeId);
  if (isScripted || payload === null || stores.unknownItems(storeId, [itemId]).length > 0) {
    return refusal(404, 'not_found', 'The item was not found.');
  }
  const menu = parseObject(payload) ?? {};
  const sent = parseObject(call.body) ?? {};
  try {
    checkSent(sent, itemId, menu, market);
  } catch (broken) {
    if (broken instanceof BrokenRule) return refusal(400, 'invalid_request', broken.message);
    throw broken;
  }
  if (sent['suspension_info'] !== undefined) {
    const suspension = suspensionOf(sent['suspension_info'], market.now);
    if (suspension !== 'invalid') suspend(stores, { storeId, itemId }, suspension);
  }
  const items = listOf(menu['items']).map((item) =>
    item['id'] === itemId ? changed(item, sent) : item,
  );
  const shown = Buffer.from(JSON.stringify({ ...menu, items }));
  return { status: 204, changed: { storeId, payload: shown } };
}

function checkSent(
  sent: Fields,
  itemId: string,
  menu: Fields,
  { maximumPrice = Number.POSITIVE_INFINITY }: MarketRules,
): void {
  const unknown = Object.keys(sent).find((key) => !FIELDS.has(key));
  if (unknown !== undefined) refuse(`Invalid Request: ${unknown} is no field of this call`);
  if (
    sent['suspension_info'] !== undefined &&
    suspensionOf(sent['suspension_info'], 0) === 'invalid'
  ) {
    refuse('Invalid Request: suspension_info');
  }
  checkFacts(sent, `item ${itemId}`);
  if (sent['price_info'] === undefined) return;
  const priced = readPriceInfo(sent['price_info'], itemId, `item ${itemId}`);
  checkContexts(priced, itemId, menu);
  const tooHigh = [priced, ...priced.priceOverrides].find(({ price }) => price > maximumPrice);
  if (tooHigh) refuse(`Invalid Price Info: item ${itemId} price ${tooHigh.price}`);
}

const LISTS = { MENU: 'menus', ITEM: 'items', MODIFIER_GROUP: 'modifier_groups' } as const;

function checkContexts(
  { priceOverrides }: Pick<SentItem, 'priceOverrides'>,
  itemId: string,
  menu: Fields,
): void {
  for (const { contextType, contextValue } of priceOverrides) {
    if (!listOf(menu[LISTS[contextType]]).some(({ id }) => id === contextValue)) {
      refuse(`Unknown Reference: item ${itemId} override ${contextType} ${contextValue}`);
    }
  }
}

/** An upload has the classifications inside `dish_info`. */
function changed(item: Fields, sent: Fields): Fields {
  const { classifications, suspension_info: _suspension, menu_type: _type, ...rest } = sent;
  return {
    ...item,
    ...rest,
    ...(classifications !== undefined && { dish_info: { classifications } }),
  };
}

function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? (value as readonly Fields[]) : [];
}
