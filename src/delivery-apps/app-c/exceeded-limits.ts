import type { Menu } from '../../menus/menu';
import type { EntityRef } from '../losses';
import type { Indexed, MenuIndex } from '../menu-index';
import { lengthOf } from '../text-length';
import type { UsedEntities } from '../unused-entities';
import { LIMITS } from './rules';
import type { WirePayload } from './wire';

/** One entity that is over the app's limits, and by how much. */
export interface ExceededLimit {
  readonly ref: EntityRef;
  /** Such as `21 categories (at most 20), 401 main items (at most 400)`. */
  readonly detail: string;
}

/**
 * What the app would refuse because of its size: the menu for its totals, categories with too many items, ids that
 * are too long.
 */
export function exceededLimits(
  menu: Menu,
  payload: WirePayload,
  index: MenuIndex,
  used: UsedEntities,
): readonly ExceededLimit[] {
  const totals = exceededTotals(payload);
  const menuRef = { kind: 'menu', index: 0, externalId: menu.identifier } as const;
  return [
    ...(totals === '' ? [] : [{ ref: menuRef, detail: totals }]),
    ...payload.categories.flatMap(({ app_category_id: id, app_item_ids: items }) => {
      const detail = overLimit(items.length, LIMITS.itemsPerCategory, 'items');
      const ref = index.categories.get(id)?.ref;
      return ref && detail !== undefined ? [{ ref, detail }] : [];
    }),
    ...longIds(menuRef, index, used),
  ];
}

/** POS ids only; the ids of copies are made to fit. */
function longIds(
  menuRef: EntityRef,
  index: MenuIndex,
  used: UsedEntities,
): readonly ExceededLimit[] {
  const refs = [
    menuRef,
    ...refsOf(index.categories, used.categories),
    ...refsOf(index.items, used.items),
    ...refsOf(index.groups, used.groups),
  ];
  return refs.flatMap((ref) => {
    const detail = overLimit(lengthOf(ref.externalId), LIMITS.idLength, 'characters in the id');
    return detail === undefined ? [] : [{ ref, detail }];
  });
}

function refsOf(
  entities: ReadonlyMap<string, Indexed<unknown>>,
  ids: ReadonlySet<string>,
): readonly EntityRef[] {
  return [...entities.values()].map(({ ref }) => ref).filter((ref) => ids.has(ref.externalId));
}

function exceededTotals({ categories, items, modifier_groups: groups }: WirePayload): string {
  const mainItems = items.filter((item) => item.is_sold_separately).length;
  return [
    overLimit(categories.length, LIMITS.categories, 'categories'),
    overLimit(items.length, LIMITS.items, 'items'),
    overLimit(mainItems, LIMITS.mainItems, 'main items'),
    overLimit(groups.length, LIMITS.groups, 'modifier groups'),
  ]
    .filter((detail) => detail !== undefined)
    .join(', ');
}

function overLimit(count: number, limit: number, what: string): string | undefined {
  return count > limit ? `${count} ${what} (at most ${limit})` : undefined;
}
