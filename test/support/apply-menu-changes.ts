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
  const ofOp = (op: MenuChange['op']) =>
    changes.filter((change) => change.op === op && change.field !== 'order');
  const [removed, changed, added] = [ofOp('removed'), ofOp('changed'), ofOp('added')];
  // What is removed and added again stays where it was.
  const again = new Set<MenuChange>();
  for (const change of removed) {
    const match = added.find((one) => !again.has(one) && placeName(one) === placeName(change));
    if (match) again.add(match);
    else applyOne(lists, change);
  }
  const replaced = new Map<string, number>();
  for (const change of again) {
    const name = placeName(change);
    const occurrence = replaced.get(name) ?? 0;
    replaced.set(name, occurrence + 1);
    replaceOne(lists, change, occurrence);
  }
  for (const change of changed) applyOne(lists, change);
  for (const change of added) if (!again.has(change)) applyOne(lists, change);
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

function placeName({ kind, external_id: id, within }: MenuChange): string {
  return JSON.stringify([kind, within, id]);
}

function replaceOne(lists: Lists, change: MenuChange, occurrence: number): void {
  const [list, idOf] = placeOf(lists, change);
  const places = list.flatMap((element, at) => (idOf(element) === change.external_id ? [at] : []));
  const at = places[occurrence];
  if (at === undefined) throw new Error(`${change.external_id} is not so often in the list.`);
  list[at] = structuredClone(change.after as Element);
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
