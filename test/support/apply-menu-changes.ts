import type { MenuChange } from '../../src/menus/changes/menu-changes';
import type { MenuDocument } from '../../src/menus/menu';

type Element = string | { [field: string]: unknown };
type Lists = Record<string, Element[]>;

/** Where a kind's entities stand, their id, and where their references stand with theirs. */
const ENTITIES = {
  menu: ['menus', 'identifier', 'category_external_ids', ''],
  category: ['categories', 'external_id', 'data_items', 'item_external_id'],
  item: ['items', 'external_id', 'data_modifier_groups', 'modifier_group_external_id'],
  modifier_group: ['modifier_groups', 'external_id', 'data_options', 'item_external_id'],
} as const;

/** The kind that has references of this one. */
const PARENTS = {
  category: 'menu',
  item: 'category',
  modifier_group: 'item',
  option: 'modifier_group',
} as const;

/** A reader's own way to carry out a list of changes; it shares nothing with what finds them. */
export function applyMenuChanges(
  menu: MenuDocument,
  changes: readonly MenuChange[],
): Record<string, unknown> {
  const lists = structuredClone(menu) as unknown as Lists;
  const inOrder = (['removed', 'changed', 'added'] as const).flatMap((op) =>
    changes.filter((change) => change.op === op && change.field !== 'order'),
  );
  for (const change of inOrder) applyOne(lists, change);
  for (const change of changes) if (change.field === 'order') applyOrder(lists, change);
  return lists;
}

function applyOne(lists: Lists, change: MenuChange): void {
  const [list, idOf] = placeOf(lists, change);
  const at = list.findLastIndex((element) => idOf(element) === change.external_id);
  if (change.op === 'removed') list.splice(at, 1);
  else if (change.op === 'added') list.push(structuredClone(change.after as Element));
  else setField(list[at], change.field ?? '', change.after);
}

function placeOf(
  lists: Lists,
  { kind, within }: MenuChange,
): readonly [Element[], (element: Element) => string] {
  if (within !== undefined && kind !== 'menu') return referencesOf(lists, PARENTS[kind], within);
  if (kind === 'option') throw new Error('An option stands within a group.');
  const [list, id] = ENTITIES[kind];
  return [lists[list] ?? [], idReader(id)];
}

function referencesOf(lists: Lists, kind: keyof typeof ENTITIES, id: string) {
  const [list, own, references, referenceId] = ENTITIES[kind];
  const parent = lists[list]?.find((element) => idReader(own)(element) === id);
  if (typeof parent !== 'object') throw new Error(`There is no ${kind} ${id}.`);
  return [parent[references] as Element[], idReader(referenceId)] as const;
}

function idReader(field: string): (element: Element) => string {
  return (element) => String(typeof element === 'string' ? element : element[field]);
}

function setField(element: Element | undefined, path: string, value: unknown): void {
  if (typeof element !== 'object') throw new Error('Only an object has fields.');
  const [name = '', member] = path.split('.');
  if (member === undefined) element[name] = value;
  else element[name] = { ...(element[name] as object), [member]: value };
}

function applyOrder(lists: Lists, { kind, external_id: id, after }: MenuChange): void {
  if (kind === 'option') throw new Error('An option has no list.');
  const [list, idOf] =
    id === null
      ? ([lists[ENTITIES[kind][0]] ?? [], idReader(ENTITIES[kind][1])] as const)
      : referencesOf(lists, kind, id);
  const rest = [...list];
  const ordered = (after as string[]).map((wanted) => {
    const [element] = rest.splice(
      rest.findIndex((one) => idOf(one) === wanted),
      1,
    );
    if (element === undefined) throw new Error(`${wanted} is not in the list.`);
    return element;
  });
  list.splice(0, list.length, ...ordered);
}
