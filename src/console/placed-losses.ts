import type { Loss } from '../delivery-apps/types';
import type {
  Shown,
  ShownCategory,
  ShownGroup,
  ShownMenu as ShownMenuEntity,
} from '../delivery-apps/shown';

/*
 * Where on a page of a menu each loss stands.
 */

/** Losses by the key of the entity beside which they stand. */
export type PlacedLosses = ReadonlyMap<string, readonly Loss[]>;

/** A category with those of its items that have a row. */
interface ListOfItems {
  readonly menu: ShownMenuEntity;
  readonly category: ShownCategory;
  readonly rows: readonly string[];
}

export function listsOf(shown: Shown, mostItems: number): { lists: ListOfItems[]; isCut: boolean } {
  let left = mostItems;
  const lists = shown.menus.flatMap((menu) =>
    menu.categories.map((category) => {
      const rows = category.items.slice(0, Math.max(0, left));
      left -= category.items.length;
      return { menu, category, rows };
    }),
  );
  return { lists, isCut: left < 0 };
}

type KeysOfGroups = ReadonlyMap<ShownGroup, readonly string[]>;

/**
 * What stands in the row of each group: the group, and those of its options that have no row of their own. An option of
 * many groups is with the first of them, so that a page is no longer than the losses are.
 */
export function placeGroups(
  lists: readonly ListOfItems[],
  groups: readonly ShownGroup[],
): KeysOfGroups {
  const placed = new Set(lists.flatMap(({ rows }) => rows.map(keyOfItem)));
  return new Map(
    groups.map((group) => {
      const options = new Set(group.options.map((option) => keyOfItem(option.external_id)));
      const own = [...options].filter((key) => !placed.has(key));
      for (const key of own) placed.add(key);
      return [group, [keyOf('modifier_groups', group.external_id), ...own]];
    }),
  );
}

/**
 * Divides losses into those that have a place among these rows and all others, so that none is missing from the page:
 * the entity of a loss may be shown only as copies, or be in a row that is not drawn.
 */
export function placeLosses(
  all: readonly Loss[],
  lists: readonly ListOfItems[],
  keysOfGroups: KeysOfGroups,
): { readonly losses: PlacedLosses; readonly elsewhere: readonly Loss[] } {
  const places = new Set([
    ...lists.flatMap(({ menu, category, rows }) => [
      keyOfMenu(menu),
      keyOfCategory(category),
      ...rows.map(keyOfItem),
    ]),
    ...[...keysOfGroups.values()].flat(),
  ]);
  const losses = new Map<string, Loss[]>();
  const elsewhere: Loss[] = [];
  for (const loss of all) {
    const key = keyOfLoss(loss);
    const others = losses.get(key);
    if (others) others.push(loss);
    else if (places.has(key)) losses.set(key, [loss]);
    else elsewhere.push(loss);
  }
  return { losses, elsewhere };
}

/** Entities of different kinds may have the same id, so a key has the name of the entity's list in the menu. */
const keyOf = (list: string, id: string) => `${list} ${id}`;
export const keyOfMenu = ({ identifier }: ShownMenuEntity) => keyOf('menus', identifier);
export const keyOfCategory = ({ external_id: id }: ShownCategory) => keyOf('categories', id);
export const keyOfItem = (id: string) => keyOf('items', id);

function keyOfLoss({ pointer, external_id: id }: Loss): string {
  return keyOf(pointer.split('/')[1] ?? '', id ?? '');
}
