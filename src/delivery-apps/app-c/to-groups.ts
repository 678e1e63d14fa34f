import type { DataOption, ModifierGroup } from '../../menus/menu';
import { fitTexts } from '../fit-texts';
import type { EntityRef } from '../losses';
import { firstOfEach } from '../menu-index';
import { limitsOf } from '../quantities';
import type { GroupPlan, PlannedGroup } from '../group-copies';
import { groupTexts } from '../split-groups';
import { BUY_MODE, IS_REQUIRED, TEXT_LENGTHS } from './rules';
import { type TransformContext, wirePrice } from './transform-context';
import type { WireGroup, WireOption } from './wire';

/** The options of a group, each once: of repeated ones the first counts. */
interface GroupOptions {
  readonly wire: readonly WireOption[];
  /** Whether each may be chosen only once. */
  readonly eachOnce: boolean;
}

/** The planned groups; copies share the list of options with their original. */
export function toGroups(context: TransformContext, plan: GroupPlan): readonly WireGroup[] {
  const optionsOf = new Map<string, GroupOptions>();
  return plan.groups.flatMap((planned) => {
    const { group } = planned;
    const ref = context.index.groups.get(group.external_id)?.ref;
    if (!ref) return [];
    const options = optionsOf.get(group.external_id) ?? toOptions(context, group, ref);
    optionsOf.set(group.external_id, options);
    const texts = groupTexts(group);
    const { name } = fitTexts(context.losses, ref, texts, TEXT_LENGTHS.modifier_group);
    return [toGroup(planned, name, options)];
  });
}

function toGroup(
  { id, group, quantity }: PlannedGroup,
  name: string,
  options: GroupOptions,
): WireGroup {
  const { min, max } = limitsOf(quantity);
  const posId = group.part?.of ?? group.external_id;
  return {
    app_modifier_group_id: id,
    ...(id !== posId && { app_external_id: posId }),
    modifier_group_name: name,
    buy_mode: buyMode(options, min, max),
    is_required: min > 0 ? IS_REQUIRED.yes : IS_REQUIRED.no,
    quantity_min_permitted: min,
    quantity_max_permitted: max,
    app_mg_items: options.wire,
  };
}

/**
 * Single: each option at most once. If there are fewer options than the minimum, the app requires that an option may
 * be chosen several times.
 */
function buyMode(
  { wire, eachOnce }: GroupOptions,
  min: number,
  max: number,
): WireGroup['buy_mode'] {
  if (min > wire.length) return BUY_MODE.multi;
  return max === 1 || eachOnce ? BUY_MODE.single : BUY_MODE.multi;
}

function toOptions(context: TransformContext, group: ModifierGroup, ref: EntityRef): GroupOptions {
  const references = firstOfEach(group.data_options, (option) => option.item_external_id);
  return {
    wire: references.flatMap((option) => toOption(context, option, ref)),
    eachOnce: references.every(({ quantity }) => quantity && limitsOf(quantity).max === 1),
  };
}

/**
 * The price is always written: as a sold item, the option may have another price or a promotion, and neither may
 * apply here.
 */
function toOption(
  context: TransformContext,
  option: DataOption,
  groupRef: EntityRef,
): readonly WireOption[] {
  const item = context.index.items.get(option.item_external_id);
  if (!item) return [];
  const price = option.price
    ? wirePrice(context, groupRef, option.price)
    : wirePrice(context, item.ref, item.entity.price);
  const id = context.options.copies.get(option.item_external_id) ?? option.item_external_id;
  return [{ app_item_id: id, price }];
}
