import {
  amountOf,
  type DataModifierGroup,
  type DataOption,
  type GroupQuantity,
  type Item,
  type Quantity,
} from '../menus/menu';
import { copyId } from './copy-id';
import type { LossBook } from './losses';
import { firstOfEach, type Indexed, type MenuIndex, type OfferedGroup } from './menu-index';
import { digitsToInteger } from './prices';
import { freeUnitsOf, isSameGroupQuantity, limitsOf } from './quantities';
import type { UsedEntities } from './unused-entities';

type Kind = NonNullable<OfferedGroup['part']>['kind'];

/** A group that is offered in parts: their ids, and for those that some item offers, the limits in the first one. */
interface SplitGroup {
  readonly own: GroupQuantity;
  readonly ids: Readonly<Record<Kind, string>>;
  readonly quantities: Map<Kind, Quantity>;
}

interface SplitOptions {
  /** Of the app's ids, in characters. */
  readonly longestId: number;
  /** Groups whose free units the app can express. */
  readonly keeps?: (group: OfferedGroup) => boolean;
}

/**
 * For an app without free units: a group that has some is offered as two, first `{group}~free` at no price, then the
 * group with the rest of its limits; as the first alone if all of its units are free. Where an item has other limits
 * than the group, and so other parts, its references say so. A group of which nothing costs anything stays whole.
 */
export function splitGroups(index: MenuIndex, options: SplitOptions): MenuIndex {
  const split = groupsToSplit(index, options);
  if (split.size === 0) return index;
  const items = new Map(
    [...index.items].map(([id, { entity, ref }]) => [
      id,
      { ref, entity: withParts(entity, split) },
    ]),
  );
  const groups = new Map(
    [...index.groups].flatMap(([id, group]) => {
      const parts = split.get(id);
      return parts && parts.quantities.size > 0 ? partsOf(group, parts) : [[id, group] as const];
    }),
  );
  return { ...index, items, groups };
}

function groupsToSplit(
  index: MenuIndex,
  { longestId, keeps = () => false }: SplitOptions,
): ReadonlyMap<string, SplitGroup> {
  const { items, groups } = index;
  const withFreeUnits = new Set<string>();
  for (const [id, { entity }] of groups)
    if (freeUnitsOf(entity.quantity) > 0) withFreeUnits.add(id);
  for (const { entity } of items.values()) {
    for (const { modifier_group_external_id: id, quantity } of entity.data_modifier_groups) {
      if (quantity && freeUnitsOf(quantity) > 0) withFreeUnits.add(id);
    }
  }
  const taken = new Set(groups.keys());
  const newId = (group: string, part: string): string => {
    const id = copyId([group, part], taken, longestId);
    taken.add(id);
    return id;
  };
  const split = new Map<string, SplitGroup>();
  for (const id of withFreeUnits) {
    const group = groups.get(id)?.entity;
    if (!group || keeps(group) || !optionPrices(group, index).some((price) => price > 0)) continue;
    const { quantity: own } = group;
    const isSplit = freeUnitsOf(own) > 0;
    const ids = {
      free: newId(id, 'free'),
      paid: isSplit ? id : newId(id, 'paid'),
      whole: isSplit ? newId(id, 'whole') : id,
    };
    split.set(id, { own, ids, quantities: new Map() });
  }
  return split;
}

/** The prices of the options of a group there, in hundredths. */
export function optionPrices(
  { data_options: options }: OfferedGroup,
  { items }: Pick<MenuIndex, 'items'>,
): readonly number[] {
  return firstOfEach(options, (option) => option.item_external_id).flatMap((option) => {
    const price = option.price ?? items.get(option.item_external_id)?.entity.price;
    return price ? [digitsToInteger(amountOf(price))] : [];
  });
}

function idOf(reference: DataModifierGroup): string {
  return reference.modifier_group_external_id;
}

function withParts(item: Item, split: ReadonlyMap<string, SplitGroup>): Item {
  if (!item.data_modifier_groups.some((one) => split.has(idOf(one)))) return item;
  const references = firstOfEach(item.data_modifier_groups, idOf).flatMap((reference) => {
    const group = split.get(idOf(reference));
    return group ? referencesTo(group, reference) : [reference];
  });
  return { ...item, data_modifier_groups: references };
}

/** One for each part; only one with limits of the item's own has a quantity. */
function referencesTo(
  { own, ids, quantities }: SplitGroup,
  { quantity }: DataModifierGroup,
): readonly DataModifierGroup[] {
  const isOther = quantity && !isSameGroupQuantity(quantity, own);
  return partsOfQuantity(quantity ?? own).map(([kind, ofPart]) => {
    if (!quantities.has(kind)) quantities.set(kind, ofPart);
    return { modifier_group_external_id: ids[kind], ...(isOther && { quantity: ofPart }) };
  });
}

function partsOfQuantity(quantity: GroupQuantity): readonly (readonly [Kind, Quantity])[] {
  const { min, max } = limitsOf(quantity);
  const free = freeUnitsOf(quantity);
  if (free === 0) return [['whole', toQuantity(min, max)]];
  const least = Math.min(min, free);
  const parts: (readonly [Kind, Quantity])[] = [['free', toQuantity(least, free)]];
  if (max > free) parts.push(['paid', toQuantity(min - least, max - free)]);
  return parts;
}

function toQuantity(min: number, max: number): Quantity {
  return { min_quantity: String(min), max_quantity: String(max) };
}

function partsOf(
  { entity: group, ref }: Indexed<OfferedGroup>,
  { ids, quantities }: SplitGroup,
): readonly (readonly [string, Indexed<OfferedGroup>])[] {
  const own = new Map(partsOfQuantity(group.quantity));
  return (['free', 'paid', 'whole'] as const).flatMap((kind) => {
    const offered = quantities.get(kind);
    if (!offered) return [];
    const quantity = own.get(kind) ?? offered;
    const entity = {
      ...group,
      external_id: ids[kind],
      quantity,
      part: { of: group.external_id, kind },
      data_options: group.data_options.map((option) => toPart(option, kind)),
    };
    return [[ids[kind], { entity, ref }]];
  });
}

/** What must be taken of a single option cannot be said of two groups together. */
function toPart(option: DataOption, kind: Kind): DataOption {
  if (kind === 'whole') return option;
  const { quantity } = option;
  return {
    ...option,
    ...(kind === 'free' && { price: { free: true } }),
    ...(quantity && { quantity: toQuantity(0, limitsOf(quantity).max) }),
  };
}

/**
 * One `free_quantity_split` for each used group that is offered as two, and one `group_quantity_cloned` for each that is
 * also offered whole, by an id of ours, for the items where nothing of it is free.
 */
export function reportSplitGroups(
  { groups }: MenuIndex,
  used: UsedEntities,
  losses: LossBook,
): void {
  for (const [id, { entity, ref }] of groups) {
    const { part } = entity;
    if (!part || !used.groups.has(id)) continue;
    if (part.kind === 'paid') losses.add('free_quantity_split', ref);
    if (part.kind === 'whole' && id !== part.of) losses.add('group_quantity_cloned', ref);
  }
}

/**
 * For an app that shows what must be taken of an option: one `option_quantity_ignored` for each used group that is
 * offered as two and had such an option.
 */
export function reportSplitMinimums(
  { groups }: MenuIndex,
  sent: MenuIndex,
  used: UsedEntities,
  losses: LossBook,
): void {
  for (const [id, { entity, ref }] of groups) {
    if (!entity.part || entity.part.kind === 'whole' || !used.groups.has(id)) continue;
    const options = sent.groups.get(entity.part.of)?.entity.data_options ?? [];
    const each = firstOfEach(options, (option) => option.item_external_id);
    const hasMinimum = each.some(({ quantity }) => quantity && limitsOf(quantity).min > 0);
    if (hasMinimum) losses.add('option_quantity_ignored', ref);
  }
}

/** The used entities by the ids that were sent. */
export function usedAsSent({ groups }: MenuIndex, used: UsedEntities): UsedEntities {
  const ids = [...used.groups].map((id) => groups.get(id)?.entity.part?.of ?? id);
  return { ...used, groups: new Set(ids) };
}

/** The name of a group for `fitTexts`: that of its paid part says so. */
export function groupTexts({ name, part }: OfferedGroup): { name: string; suffix?: string } {
  return part?.kind === 'paid' ? { name, suffix: ' +' } : { name };
}
