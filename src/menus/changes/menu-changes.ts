import { DETAIL_NAMES } from '../details';
import type { MenuDocument } from '../menu';
import { CHANGE_KINDS, compareList, type ListRule, type MenuChange } from './compare-lists';

export type { MenuChange } from './compare-lists';

/** How many changes there are of each operation. */
export type ChangeCounts = Readonly<Record<MenuChange['op'], number>>;

const PRICE = ['price.value', 'price.promotion_value', 'price.free'];
const QUANTITY = ['quantity.min_quantity', 'quantity.max_quantity', 'quantity.exactly'];
const GROUP_QUANTITY = [...QUANTITY, 'quantity.free_quantity'];

const OFF_SALE = ['available', 'unavailable_until', 'visible_from', 'visible_until'];
const DETAILS = DETAIL_NAMES.map((name) => `details.${name}`);

/** The lists of an upload, with the names of their fields. */
const SENT_LISTS: readonly ListRule[] = [
  {
    list: 'menus',
    kind: 'menu',
    id: 'identifier',
    fields: ['name', 'description', 'schedules'],
    references: { list: 'category_external_ids', kind: 'category', id: undefined, fields: [] },
  },
  {
    list: 'categories',
    kind: 'category',
    id: 'external_id',
    fields: ['name', 'description'],
    references: { list: 'data_items', kind: 'item', id: 'item_external_id', fields: PRICE },
  },
  {
    list: 'items',
    kind: 'item',
    id: 'external_id',
    fields: ['name', 'description', 'image_url', 'schedules', ...PRICE, ...OFF_SALE, ...DETAILS],
    references: {
      list: 'data_modifier_groups',
      kind: 'modifier_group',
      id: 'modifier_group_external_id',
      fields: GROUP_QUANTITY,
    },
  },
  {
    list: 'modifier_groups',
    kind: 'modifier_group',
    id: 'external_id',
    fields: ['name', ...GROUP_QUANTITY],
    references: {
      list: 'data_options',
      kind: 'option',
      id: 'item_external_id',
      fields: [...PRICE, ...QUANTITY],
    },
  },
];

const NO_MENU: MenuDocument = { menus: [], categories: [], items: [], modifier_groups: [] };

/**
 * The changes from `before` to `after`, two menus as they were sent; `null` is no menu, so everything is added.
 * Their order: menus, categories, items, modifier groups, options; within each, added, removed, changed; then by POS
 * id. Linear in both menus, except for sorting the changes.
 */
export function changesBetween(
  before: MenuDocument | null,
  after: MenuDocument,
): readonly MenuChange[] {
  return compareLists(SENT_LISTS, before ?? NO_MENU, after);
}

/** The same for any two values with the lists that `rules` name. */
export function compareLists(
  rules: readonly ListRule[],
  before: object,
  after: object,
): readonly MenuChange[] {
  const changes: MenuChange[] = [];
  const [old, now] = [{ ...before }, { ...after }];
  for (const rule of rules) compareList(rule, old, now, changes);
  return changes.toSorted(inOrder);
}

export function countChanges(changes: readonly MenuChange[]): ChangeCounts {
  const counts = { added: 0, removed: 0, changed: 0 };
  for (const { op } of changes) counts[op] += 1;
  return counts;
}

const OPERATIONS: readonly MenuChange['op'][] = ['added', 'removed', 'changed'];

/** Changes of one thing stay in the order in which they were found: its own before those of its references. */
function inOrder(one: MenuChange, other: MenuChange): number {
  return (
    CHANGE_KINDS.indexOf(one.kind) - CHANGE_KINDS.indexOf(other.kind) ||
    OPERATIONS.indexOf(one.op) - OPERATIONS.indexOf(other.op) ||
    compareTexts(one.external_id ?? '', other.external_id ?? '') ||
    compareTexts(one.within ?? '', other.within ?? '')
  );
}

/** By code unit, which is the same on every machine. */
function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
