import { copyId } from '../copy-id';
import type { LossBook } from '../losses';
import { hasGroups, type MenuIndex } from '../menu-index';
import { offeredItems, type UsedEntities } from '../unused-entities';
import { LIMITS } from './rules';

/** How items appear as options when App C accepts only one level of modifier groups. */
export interface OptionPlan {
  /** Items that are only options and lose their own groups, by POS id. */
  readonly plain: ReadonlySet<string>;
  /** Items that are sold with groups and also are options: the id of the copy without groups, by POS id. */
  readonly copies: ReadonlyMap<string, string>;
}

/** Nothing changes if the app accepts nested groups. */
export const NESTED: OptionPlan = { plain: new Set(), copies: new Map() };

/**
 * With one level of groups, an option has none of its own. An item that is also sold keeps its groups there, and the
 * groups that offer it refer to a copy, with the id `{item}~option`.
 */
export function planOptions(
  index: MenuIndex,
  used: UsedEntities,
  sold: ReadonlySet<string>,
  losses: LossBook,
): OptionPlan {
  const taken = new Set(index.items.keys());
  const plain = new Set<string>();
  const copies = new Map<string, string>();
  const options = offeredItems(index, used);
  for (const [id, { entity, ref }] of index.items) {
    if (!options.has(id) || !hasGroups(entity, index)) continue;
    if (!sold.has(id)) {
      plain.add(id);
      continue;
    }
    const copy = copyId([id, 'option'], taken, LIMITS.idLength);
    taken.add(copy);
    copies.set(id, copy);
    losses.add('option_cloned', ref);
  }
  return { plain, copies };
}
