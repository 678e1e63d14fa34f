import type { Item } from '../../menus/menu';
import type { PlannedGroup } from '../group-copies';
import type { Indexed } from '../menu-index';
import { limitsOf } from '../quantities';
import { groupTexts } from '../split-groups';
import type { OptionPlan } from './plan-skus';
import { shownTexts, type TransformContext, wirePrice } from './transform-context';
import type { WireTexts, WireTopping } from './wire';

/**
 * The toppings of an item by its POS id, ordered by group. A group at the same position in many products is written
 * once and shared: otherwise a menu over the app's limits would fill the memory with copies.
 */
export function toToppings(
  context: TransformContext,
  options: OptionPlan,
  textsOf: (item: Indexed<Item>) => WireTexts,
): (itemId: string) => readonly WireTopping[] {
  const groups = new Map(context.groups.groups.map((group) => [group.id, group]));
  const written = new Map<string, readonly WireTopping[]>();
  return (itemId) =>
    (context.groups.idsOfItem.get(itemId) ?? []).flatMap((groupId, position) => {
      const group = groups.get(groupId);
      const key = `${position} ${groupId}`;
      const known = written.get(key);
      if (known || !group) return known ?? [];
      const toppings = toGroupToppings(context, group, position, options, textsOf);
      written.set(key, toppings);
      return toppings;
    });
}

function toGroupToppings(
  context: TransformContext,
  { id, group, quantity }: PlannedGroup,
  position: number,
  options: OptionPlan,
  textsOf: (item: Indexed<Item>) => WireTexts,
): readonly WireTopping[] {
  const ref = context.index.groups.get(group.external_id)?.ref;
  const planned = options.get(id) ?? [];
  if (!ref || planned.length === 0) return [];
  const { min, max: most } = limitsOf(quantity);
  const category = {
    id,
    name: shownTexts(context, ref, groupTexts(group)).name,
    minQty: min,
    maxQty: most,
    sortingPosition: position,
  };
  return planned.map(({ item, option, price, max, sku }, sortingPosition) => ({
    ...textsOf(item),
    sku,
    type: 'TOPPING',
    price: wirePrice(context, option.price ? ref : item.ref, price),
    sortingPosition,
    maxLimit: max,
    category,
  }));
}
