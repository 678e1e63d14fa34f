import type { DataModifierGroup, DataOption, Price, Quantity } from '../menus/menu';
import { quoteValue } from '../platform/text/quote-value';
import type { LossBook } from './losses';
import type { MenuIndex } from './menu-index';
import { isSamePrice } from './prices';
import { isSameGroupQuantity, isSameQuantity } from './quantities';
import type { UsedEntities } from './unused-entities';

/**
 * One `repeated_reference_dropped` for each used modifier group that repeats an option with another price or
 * quantity, and for each used item that repeats a group with another quantity: every app uses the first. A plain
 * repeat changes nothing and is no loss.
 */
export function reportRepeatedReferences(
  index: MenuIndex,
  used: UsedEntities,
  losses: LossBook,
): void {
  for (const [id, { entity, ref }] of index.items) {
    if (!used.items.has(id)) continue;
    const repeated = differingRepeat(entity.data_modifier_groups, groupIdOf, (one, other) =>
      isSameGroupReference(one, other, index),
    );
    if (repeated !== undefined) {
      losses.add('repeated_reference_dropped', ref, `modifier group ${quoteValue(repeated)}`);
    }
  }
  for (const [id, { entity, ref }] of index.groups) {
    if (!used.groups.has(id)) continue;
    const repeated = differingRepeat(entity.data_options, optionIdOf, (one, other) =>
      isSameOption(one, other, index),
    );
    if (repeated !== undefined) {
      losses.add('repeated_reference_dropped', ref, `item ${quoteValue(repeated)}`);
    }
  }
}

/** The id of the first reference that repeats an earlier one with different values. */
function differingRepeat<T>(
  references: readonly T[],
  idOf: (reference: T) => string,
  isSame: (one: T, other: T) => boolean,
): string | undefined {
  const first = new Map<string, T>();
  for (const reference of references) {
    const id = idOf(reference);
    const known = first.get(id);
    if (known === undefined) first.set(id, reference);
    else if (!isSame(known, reference)) return id;
  }
  return undefined;
}

function groupIdOf(reference: DataModifierGroup): string {
  return reference.modifier_group_external_id;
}

function optionIdOf(option: DataOption): string {
  return option.item_external_id;
}

/** Compares the limits that apply: a reference without its own has the group's. */
function isSameGroupReference(
  one: DataModifierGroup,
  other: DataModifierGroup,
  { groups }: MenuIndex,
): boolean {
  const own = groups.get(groupIdOf(one))?.entity.quantity;
  return isSameOwn(one.quantity ?? own, other.quantity ?? own, isSameGroupQuantity);
}

/** Compares the selling prices: an option without its own has the item's. */
function isSameOption(one: DataOption, other: DataOption, { items }: MenuIndex): boolean {
  const own = items.get(optionIdOf(one))?.entity.price;
  return (
    isSameOwn(one.price ?? own, other.price ?? own, isSamePrice) &&
    isSameOwn(one.quantity, other.quantity, isSameQuantity)
  );
}

function isSameOwn<T extends Price | Quantity>(
  one: T | null | undefined,
  other: T | null | undefined,
  isSame: (one: T, other: T) => boolean,
): boolean {
  return one && other ? isSame(one, other) : !one && !other;
}
