/** The kind of thing that changed. A reference has the kind of its target, and `within` names its parent. */
export const CHANGE_KINDS = ['menu', 'category', 'item', 'modifier_group', 'option'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/**
 * One difference between two menus, by POS id and never by position (docs/api.md, "Preview a menu"). Applying all of
 * them to the first menu gives the second, except for the positions of added elements: only a different order of common
 * elements is listed. A reference that is removed and added again (a repeated one) keeps its positions.
 */
export interface MenuChange {
  readonly op: 'added' | 'removed' | 'changed';
  readonly kind: ChangeKind;
  /** Null for the order of one of the menu's own lists, such as `items`. */
  readonly external_id: string | null;
  /** The parent of a reference (menu, category, item or modifier group); absent for the entity itself. */
  readonly within?: string;
  /** The changed field by its name in an upload, such as `price.value`, or `order` for its list. */
  readonly field?: string;
  /** The whole removed element, or the field's value; null for a value that was absent. */
  readonly before?: unknown;
  /** The whole added element, or the field's value; null for a value that is absent. */
  readonly after?: unknown;
}

type Fields = Readonly<Record<string, unknown>>;

/** How to compare one list, of entities or of an entity's references. */
export interface ListRule {
  /** The field of the parent that holds the list. */
  readonly list: string;
  readonly kind: ChangeKind;
  /** The field with the element's id; undefined if the elements are ids themselves. */
  readonly id: string | undefined;
  /** Fields of an element by path, such as `price.value`. Null, empty texts and empty lists are absent. */
  readonly fields: readonly string[];
  /** The list of the element's references. */
  readonly references?: ListRule;
}

/**
 * Every difference between the lists that the rules name, in the order in which it is found: list by list, element by
 * element. Linear in the size of both. `within` is the POS id of the references' parent.
 */
export function compareList(
  rule: ListRule,
  before: Fields,
  after: Fields,
  changes: MenuChange[],
  parent?: { readonly kind: ChangeKind; readonly id: string },
): void {
  const within = parent && { within: parent.id };
  const old = elementsOf(before[rule.list], rule);
  const now = elementsOf(after[rule.list], rule);
  for (const [id, elements] of old.byId) {
    const { kept, removed, added } = pair(rule, elements, now.byId.get(id) ?? []);
    const about = { kind: rule.kind, external_id: id, ...within };
    removed.forEach((element) => changes.push({ op: 'removed', ...about, before: element }));
    added.forEach((element) => changes.push({ op: 'added', ...about, after: element }));
    kept.forEach(([one, other]) => compareElements(rule, about, one, other, changes));
  }
  for (const [id, elements] of now.byId) {
    if (old.byId.has(id)) continue;
    const about = { kind: rule.kind, external_id: id, ...within };
    elements.forEach((element) => changes.push({ op: 'added', ...about, after: element }));
  }
  if (isSameOrder(old, now)) return;
  changes.push({
    op: 'changed',
    kind: parent?.kind ?? rule.kind,
    external_id: parent?.id ?? null,
    field: 'order',
    before: old.ids,
    after: now.ids,
  });
}

interface Elements {
  readonly ids: readonly string[];
  /** In order; more than one if the id is repeated. */
  readonly byId: ReadonlyMap<string, readonly unknown[]>;
}

function elementsOf(list: unknown, rule: ListRule): Elements {
  const elements: readonly unknown[] = Array.isArray(list) ? list : [];
  const byId = new Map<string, unknown[]>();
  const ids = elements.map((element) => {
    const id = String(rule.id === undefined ? element : fieldAt(element, rule.id));
    const known = byId.get(id);
    if (known) known.push(element);
    else byId.set(id, [element]);
    return id;
  });
  return { ids, byId };
}

/**
 * Which elements with the same id are compared with each other. A repeated reference cannot be named individually in
 * a change, so unless all of them are unchanged, they are removed and added as a whole.
 */
function pair(rule: ListRule, old: readonly unknown[], now: readonly unknown[]) {
  const kept = old
    .slice(0, now.length)
    .map((element, at): [unknown, unknown] => [element, now[at]]);
  const isRepeated = old.length > 1 || now.length > 1;
  if (isRepeated && kept.some(([one, other]) => !isSameElement(rule, one, other))) {
    return { kept: [], removed: old, added: now };
  }
  return { kept, removed: old.slice(kept.length), added: now.slice(kept.length) };
}

function isSameElement(rule: ListRule, one: unknown, other: unknown): boolean {
  return rule.fields.every((field) => isSame(presentAt(one, field), presentAt(other, field)));
}

function compareElements(
  rule: ListRule,
  about: Pick<MenuChange, 'kind' | 'within'> & { readonly external_id: string },
  one: unknown,
  other: unknown,
  changes: MenuChange[],
): void {
  for (const field of rule.fields) {
    const [before, after] = [presentAt(one, field), presentAt(other, field)];
    if (!isSame(before, after)) changes.push({ op: 'changed', ...about, field, before, after });
  }
  if (!rule.references) return;
  const parent = { kind: rule.kind, id: about.external_id };
  compareList(rule.references, asFields(one), asFields(other), changes, parent);
}

/** Whether the ids common to both lists have the same order. */
function isSameOrder(old: Elements, now: Elements): boolean {
  const [one, other] = [idsAlsoIn(old, now), idsAlsoIn(now, old)];
  return one.every((id, at) => id === other[at]);
}

/** A repeated id, as often as it occurs in the other list too. */
function idsAlsoIn(list: Elements, other: Elements): readonly string[] {
  const seen = new Map<string, number>();
  return list.ids.filter((id) => {
    const occurrence = seen.get(id) ?? 0;
    seen.set(id, occurrence + 1);
    return occurrence < (other.byId.get(id)?.length ?? 0);
  });
}

/** Whether two JSON values are equal, regardless of the order of their fields. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one)) {
    return (
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((element, at) => isSame(element, other[at]))
    );
  }
  if (!isFields(one) || !isFields(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isSame(one[name], other[name]))
  );
}

function presentAt(element: unknown, field: string): unknown {
  const value = fieldAt(element, field) ?? null;
  return value === '' || (Array.isArray(value) && value.length === 0) ? null : value;
}

/** Caches parsed paths: a menu of 10,000 items needs the same ten 100,000 times. */
const PLACES = new Map<string, readonly string[]>();

function fieldAt(element: unknown, path: string): unknown {
  let place = PLACES.get(path);
  if (!place) PLACES.set(path, (place = path.split('.')));
  let value = element;
  for (const name of place) value = isFields(value) ? value[name] : undefined;
  return value;
}

function asFields(value: unknown): Fields {
  return isFields(value) ? value : {};
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
