import type { Item } from '../../src/menus/menu';
import { loss, type Work } from './difference-work';

/** As a difference names it. */
export function leftOut(pointer: string): string {
  return `${pointer} is left out`;
}

/** Everything that was sent is shown, or a loss says why not; everything that is shown was sent, or is a copy that is used. */
export function compareLeftOut(work: Work): void {
  const { sent, shown, items, groups, met, differ } = work;
  const behind = behindDroppedGroups(work);
  const placed = new Set(
    shown.menus.flatMap((menu) => menu.categories.map(({ external_id: id }) => id)),
  );
  for (const [kind, ids, there] of [
    ['categories', [...sent.categories.keys()], placed],
    ['items', [...sent.items.keys()], items],
    ['modifier_groups', [...sent.groups.keys()], groups],
  ] as const) {
    for (const id of ids) {
      const pointer = sent.pointerOf(kind, id);
      if (there.has(id) || work.parted.has(pointer)) continue;
      const copy = kind === 'modifier_groups' ? 'group_quantity_cloned' : 'option_cloned';
      const copied = kind === 'categories' ? [] : [loss(copy, pointer)];
      // What stands only behind a group that the app drops is used, but cannot be reached.
      const reasons = behind.get(pointer) ?? [loss('entity_unused', pointer)];
      differ(leftOut(pointer), ...reasons, ...copied);
    }
  }
  for (const id of items.keys()) {
    if (!sent.items.has(id) && !met.has(`item ${id}`)) differ(`the item ${id} was not sent`);
  }
  for (const id of groups.keys()) {
    if (!sent.groups.has(id) && !met.has(`group ${id}`)) differ(`the group ${id} was not sent`);
  }
}

/** What stands behind the groups of options that are shown without them: the losses that name these, by pointer. */
function behindDroppedGroups({ sent, withoutGroups }: Work): ReadonlyMap<string, string[]> {
  const behind = new Map<string, string[]>();
  for (const option of withoutGroups) {
    const named = loss('nested_groups_dropped', sent.pointerOf('items', option.external_id));
    const met = new Set<Item>();
    const open = [option];
    const note = (pointer: string) => behind.set(pointer, [...(behind.get(pointer) ?? []), named]);
    for (let item = open.pop(); item; item = open.pop()) {
      if (met.has(item)) continue;
      met.add(item);
      if (item !== option) note(sent.pointerOf('items', item.external_id));
      for (const { group } of sent.groupsOf(item)) {
        note(sent.pointerOf('modifier_groups', group.external_id));
        open.push(
          ...sent.optionsOf(group).flatMap(({ item_external_id: id }) => sent.items.get(id) ?? []),
        );
      }
    }
  }
  return behind;
}
