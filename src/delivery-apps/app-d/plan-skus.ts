import { copyId } from '../copy-id';
import type { GroupPlan, PlannedGroup } from '../group-copies';
import type { LossBook } from '../losses';
import { firstOfEach, type Indexed, type MenuIndex } from '../menu-index';
import { digitsToInteger } from '../prices';
import type { DataOption, Item } from '../../menus/menu';
import { LIMITS } from './rules';

/** One option of a planned group. */
export interface PlannedOption {
  readonly item: Indexed<Item>;
  readonly option: DataOption;
  /** Digits of the price and what costs it: the option itself, or else its item. */
  readonly price: string;
  /** How many a guest may take: never more than the group allows. */
  readonly max: number;
  sku: string;
}

/** By planned group id. A group with more options than the app takes has none here: that menu is not sent. */
export type OptionPlan = ReadonlyMap<string, readonly PlannedOption[]>;

/**
 * The options of every planned group with their SKUs. The app wants whatever has one SKU to look alike everywhere and to
 * stand once in a product. So an option that is sold too, costs something else in another group, may be taken another
 * number of times there, or stands in two groups of one product gets an SKU of its own, `{item}~{group}`; the sold
 * entry, else the first option, keeps the POS id.
 */
export function planOptions(
  index: MenuIndex,
  groups: GroupPlan,
  sold: ReadonlySet<string>,
  losses: LossBook,
): OptionPlan {
  const plan = new Map(groups.groups.map((group) => [group.id, optionsOf(group, index)]));
  const copied = differingOptions(plan, sold);
  for (const ids of groups.idsOfItem.values()) copyWithinProduct(plan, ids, copied);
  const taken = new Set(index.items.keys());
  for (const [groupId, options] of plan) {
    for (const option of options) {
      if (!copied.has(option)) continue;
      option.sku = copyId([option.sku, groupId], taken, LIMITS.idLength);
      taken.add(option.sku);
      losses.add('option_cloned', option.item.ref);
    }
  }
  return plan;
}

function optionsOf({ group, quantity }: PlannedGroup, { items }: MenuIndex): PlannedOption[] {
  const ofGroup = digitsToInteger(quantity.max_quantity);
  const options = firstOfEach(group.data_options, (option) => option.item_external_id);
  // Copies of a group are many; what is over the limit is not worth one list for each.
  if (options.length > LIMITS.itemsPerCategory) return [];
  return options.flatMap((option): PlannedOption[] => {
    const item = items.get(option.item_external_id);
    if (!item) return [];
    const own = option.quantity ? digitsToInteger(option.quantity.max_quantity) : ofGroup;
    const { value: price } = option.price ?? item.entity.price;
    return [{ item, option, price, max: Math.min(own, ofGroup), sku: option.item_external_id }];
  });
}

/** Options that are sold too, and those that differ from the first one with their POS id. */
function differingOptions(plan: OptionPlan, sold: ReadonlySet<string>): Set<PlannedOption> {
  const copied = new Set<PlannedOption>();
  const first = new Map<string, PlannedOption>();
  for (const option of [...plan.values()].flat()) {
    const known = first.get(option.sku);
    if (!known) first.set(option.sku, option);
    const differs =
      known &&
      (known.max !== option.max || digitsToInteger(known.price) !== digitsToInteger(option.price));
    if (differs || sold.has(option.sku)) copied.add(option);
  }
  return copied;
}

/** Of the options of one product that still share an SKU all but the first are copied. */
function copyWithinProduct(
  plan: OptionPlan,
  groupIds: readonly string[],
  copied: Set<PlannedOption>,
): void {
  const seen = new Set<string>();
  for (const option of groupIds.flatMap((id) => plan.get(id) ?? [])) {
    if (copied.has(option)) continue;
    if (seen.has(option.sku)) copied.add(option);
    seen.add(option.sku);
  }
}
