import { copyId } from '../copy-id';
import type { GroupPlan, PlannedGroup } from '../group-copies';
import type { LossBook } from '../losses';
import { firstOfEach, type Indexed, type MenuIndex } from '../menu-index';
import { isSameAmount } from '../prices';
import { limitsOf } from '../quantities';
import type { DataOption, Item, Price } from '../../menus/menu';
import { LIMITS } from './rules';

/** One option of a planned group. */
export interface PlannedOption {
  readonly item: Indexed<Item>;
  readonly option: DataOption;
  /** Its own, or else that of its item. */
  readonly price: Price;
  /** How many a guest may take: at most as many as the group allows. */
  readonly max: number;
  /** In the free part of a group: such an option never keeps the POS id. */
  readonly isFreePart: boolean;
  sku: string;
}

/** By planned group id. A group with more options than the app takes has an empty list: such a menu is not sent. */
export type OptionPlan = ReadonlyMap<string, readonly PlannedOption[]>;

/**
 * The options of every planned group with their SKUs. The app requires that everything with the same SKU looks alike
 * everywhere and occurs once in a product. So an option gets a separate SKU, `{item}~{group}`, if it is also sold,
 * has another price or maximum in another group, or is in two groups of one product. The sold entry, or else the
 * first option, keeps the POS id.
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
  const { max: ofGroup } = limitsOf(quantity);
  const isFreePart = group.part?.kind === 'free';
  const options = firstOfEach(group.data_options, (option) => option.item_external_id);
  // There may be many copies of a group, so one over the limit gets no list.
  if (options.length > LIMITS.itemsPerCategory) return [];
  return options.flatMap((option): PlannedOption[] => {
    const item = items.get(option.item_external_id);
    if (!item) return [];
    const own = option.quantity ? limitsOf(option.quantity).max : ofGroup;
    const price = option.price ?? item.entity.price;
    const max = Math.min(own, ofGroup);
    return [{ item, option, price, max, isFreePart, sku: option.item_external_id }];
  });
}

/** Options that are also sold, and those that differ from the first one with their POS id. */
function differingOptions(plan: OptionPlan, sold: ReadonlySet<string>): Set<PlannedOption> {
  const copied = new Set<PlannedOption>();
  const first = new Map<string, PlannedOption>();
  for (const option of [...plan.values()].flat()) {
    if (option.isFreePart) {
      copied.add(option);
      continue;
    }
    const known = first.get(option.sku);
    if (!known) first.set(option.sku, option);
    const differs = known && (known.max !== option.max || !isSameAmount(known.price, option.price));
    if (differs || sold.has(option.sku)) copied.add(option);
  }
  return copied;
}

/** Of a product's options that still share an SKU, all but the first are copied. */
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
