import type { Menu } from '../../domain/menu';
import type { EntityRef } from '../losses';
import type { MenuIndex } from '../menu-index';
import { lengthOf } from './cut-text';
import { LIMITS } from './rules';
import type { WirePayload } from './wire';

/** One entity that is over the app's limits, and by how much. */
export interface ExceededLimit {
  readonly ref: EntityRef;
  /** Such as `21 categories (at most 20), 401 main items (at most 400)`. */
  readonly detail: string;
}

/** What the app would refuse for its size: the menu for its totals, categories that are too full, ids too long. */
export function exceededLimits(
  menu: Menu,
  payload: WirePayload,
  index: MenuIndex,
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
    ...payload.modifier_groups.flatMap(({ app_modifier_group_id: id }) => {
      const detail = overLimit(lengthOf(id), LIMITS.groupIdLength, 'characters in the id');
      const ref = index.groups.get(id)?.ref;
      return ref && detail !== undefined ? [{ ref, detail }] : [];
    }),
  ];
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
