import type { ClientOptions, ItemCall, ItemCallOutcome, ItemCallRequest } from '../app-client';
import {
  areSame,
  type Differing,
  differingEntities,
  differingMembers,
  losesMember,
} from '../payload-differences';
import type { ItemCallRules, StoreFacts } from '../types';
import { post } from './availability';
import { itemPath, NO_PATH_SEGMENT } from './rules';
import type { WireItem, WireMenuConfiguration } from './wire';

/** The members of an item that its own call takes; titles, texts, images, taxes and bundles need the whole menu. */
const TAKEN: ReadonlySet<keyof WireItem> = new Set([
  'price_info',
  'dish_info',
  'beverage_info',
  'nutritional_info',
  'product_info',
]);

/** One item a call, by the path under which it goes off sale too. */
export const APP_A_ITEM_CALLS: ItemCallRules = {
  mostCalls: 50,
  // Five a second, minus a margin.
  spacingMs: 210,
  plan(before, after, store) {
    const [shown, wanted] = [before as WireMenuConfiguration, after as WireMenuConfiguration];
    const isRestSame =
      areSame(shown.menus, wanted.menus) &&
      areSame(shown.categories, wanted.categories) &&
      areSame(shown.modifier_groups, wanted.modifier_groups);
    const items = isRestSame && differingEntities(shown.items, wanted.items, ({ id }) => id);
    if (!items) return undefined;
    const calls = items.map((item) => planCall(item, store));
    return calls.includes(undefined) ? undefined : { calls: calls.filter((call) => !!call) };
  },
};

/** Undefined: the app has no call for this change. */
function planCall(
  item: Differing<WireItem>,
  { currencyExponent }: Pick<StoreFacts, 'currencyExponent'>,
): ItemCall | undefined {
  const { before, after } = item;
  const members = differingMembers(item);
  // What is not sent stays as it is in the app, so nothing can be taken away.
  const losesFact =
    members.some((name) => !TAKEN.has(name)) ||
    losesMember(before, after) ||
    losesMember(before.dish_info?.classifications, after.dish_info?.classifications) ||
    losesMember(before.nutritional_info, after.nutritional_info) ||
    ('container_deposit' in before.price_info && !('container_deposit' in after.price_info));
  if (losesFact || NO_PATH_SEGMENT.test(after.id)) return undefined;
  const isPriced = members.includes('price_info');
  // The pages of the two calls differ about the unit of prices there.
  if (isPriced && currencyExponent === 0) return undefined;
  const { price_info, dish_info, beverage_info, nutritional_info, product_info } = after;
  const body = {
    // With all overrides, even none: whether the app keeps those that are not sent is unknown.
    ...(isPriced && { price_info: { ...price_info, overrides: price_info.overrides ?? [] } }),
    ...(members.includes('dish_info') && { classifications: dish_info?.classifications }),
    ...(members.includes('beverage_info') && { beverage_info }),
    ...(members.includes('nutritional_info') && { nutritional_info }),
    ...(members.includes('product_info') && { product_info }),
  };
  return { wireId: after.id, body };
}

/** Changes one item; what its call does not carry stays as it is. */
export async function changeItem(
  options: ClientOptions,
  { token, appStoreId, call: { wireId, body } }: ItemCallRequest,
): Promise<ItemCallOutcome> {
  return post<ItemCallOutcome>(options, token, {
    path: itemPath(appStoreId, wireId ?? ''),
    body: body,
    done: { kind: 'changed' },
  });
}
