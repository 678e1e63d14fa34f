import type { DataModifierGroup, DataOption, Price, Quantity } from '../domain/menu';
import type { LossBook } from './losses';
import type { MenuIndex } from './menu-index';
import { isSamePrice } from './prices';
import { isSameQuantity } from './quantities';
import type { UsedEntities } from './unused-entities';

/**
 * One `repeated_reference_dropped` for each used modifier group that names an option again with another price or
 * quantity, and for each used item that names a group again with another quantity: the first counts in every app. A
 * plain repeat changes nothing and is no loss.
 */
export function reportRepeatedReferences(
  index: MenuIndex,
  used: UsedEntities,
  losses: LossBook,
): void {
  for (const [id, { entity, ref }] of index.items) {
    if (!used.items.has(id)) continue;
    const repeated = differingRepeat(entity.data_modifier_groups, groupIdOf, isSameGroupReference);
    if (repeated !== undefined) {
      losses.add('repeated_reference_dropped', ref, `modifier group ${repeated}`);
    }
  }
  for (const [id, { entity, ref }] of index.groups) {
    if (!used.groups.has(id)) continue;
    const repeated = differingRepeat(entity.data_options, optionIdOf, isSameOption);
    if (repeated !== undefined) losses.add('repeated_reference_dropped', ref, `item ${repeated}`);
  }
}

/** The id of the first reference that repeats an earlier one and says something else. */
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

function isSameGroupReference(one: DataModifierGroup, other: DataModifierGroup): boolean {
  return isSameOwnQuantity(one.quantity, other.quantity);
}

function isSameOption(one: DataOption, other: DataOption): boolean {
  return isSameOwnPrice(one.price, other.price) && isSameOwnQuantity(one.quantity, other.quantity);
}

function isSameOwnPrice(one: Price | null | undefined, other: Price | null | undefined): boolean {
  return one && other ? isSamePrice(one, other) : !one && !other;
}

function isSameOwnQuantity(
  one: Quantity | null | undefined,
  other: Quantity | null | undefined,
): boolean {
  return one && other ? isSameQuantity(one, other) : !one && !other;
}
