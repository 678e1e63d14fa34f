import { answerText, parseJson } from '../http-outcome';
import { isRecord } from '../is-record';
import type { MenuComparison } from '../app-client';

/**
 * Whether App A shows what was pushed. Compares only fields that we write, because the app adds its own. Null, empty
 * lists and empty objects equal absence; the order of fields never counts, the order of a list only where guests see
 * it. Images are ignored: the app may take hours over them, so a missing one says nothing about the menu.
 */
export function isSameMenu(pushed: unknown, live: unknown): boolean {
  return (
    JSON.stringify(canonical(pushed, MENU_CONFIGURATION)) ===
    JSON.stringify(canonical(live, MENU_CONFIGURATION))
  );
}

/** The same for two JSON texts. */
export function compareMenus(pushed: Buffer, shown: Buffer): MenuComparison {
  const live = parseJson(answerText(shown));
  if (live === undefined) return 'unreadable';
  return isSameMenu(JSON.parse(pushed.toString('utf8')), live) ? 'same' : 'different';
}

type Shape =
  | { readonly kind: 'value' }
  /** An object whose keys are data: the translations of a text. */
  | { readonly kind: 'map' }
  | { readonly kind: 'object'; readonly fields: Readonly<Record<string, Shape>> }
  /** With `sortBy`, the list is a set with these fields as its key. */
  | { readonly kind: 'list'; readonly of: Shape; readonly sortBy?: readonly string[] };

const VALUE: Shape = { kind: 'value' };
const TEXT: Shape = object({ translations: { kind: 'map' } });
const REFERENCES: Shape = list(object({ id: VALUE, type: VALUE }));

const QUANTITY: Shape = object({
  min_permitted: VALUE,
  max_permitted: VALUE,
  charge_above: VALUE,
});
const QUANTITY_INFO: Shape = object({
  quantity: QUANTITY,
  overrides: overridesOf({ quantity: QUANTITY }),
});

const MENU_CONFIGURATION: Shape = object({
  menus: entities({
    title: TEXT,
    subtitle: TEXT,
    service_availability: set(['day_of_week'], {
      day_of_week: VALUE,
      time_periods: set(['start_time'], { start_time: VALUE, end_time: VALUE }),
    }),
    category_ids: list(VALUE),
  }),
  categories: entities({ title: TEXT, subtitle: TEXT, entities: REFERENCES }),
  items: entities({
    external_data: VALUE,
    title: TEXT,
    description: TEXT,
    price_info: object({ price: VALUE, overrides: overridesOf({ price: VALUE }) }),
    quantity_info: QUANTITY_INFO,
    modifier_group_ids: object({ ids: list(VALUE) }),
  }),
  modifier_groups: entities({
    external_data: VALUE,
    title: TEXT,
    quantity_info: QUANTITY_INFO,
    modifier_options: REFERENCES,
  }),
});

function object(fields: Readonly<Record<string, Shape>>): Shape {
  return { kind: 'object', fields };
}

function list(of: Shape): Shape {
  return { kind: 'list', of };
}

function set(sortBy: readonly string[], fields: Readonly<Record<string, Shape>>): Shape {
  return { kind: 'list', of: object(fields), sortBy };
}

function entities(fields: Readonly<Record<string, Shape>>): Shape {
  return set(['id'], { id: VALUE, ...fields });
}

function overridesOf(fields: Readonly<Record<string, Shape>>): Shape {
  return set(['context_type', 'context_value'], {
    context_type: VALUE,
    context_value: VALUE,
    ...fields,
  });
}

/** The part of `value` that the shape names, in a fixed order; undefined if nothing is left. */
function canonical(value: unknown, shape: Shape): unknown {
  if (value === null) return undefined;
  if (shape.kind === 'list' && Array.isArray(value)) return canonicalList(value, shape);
  if (shape.kind === 'object' && isRecord(value)) return canonicalFields(value, shape.fields);
  if (shape.kind === 'map' && isRecord(value)) {
    return Object.entries(value)
      .map(([key, member]): [string, unknown] => [key, scalarOf(member)])
      .toSorted(byKey);
  }
  return scalarOf(value);
}

/**
 * We write no object and no list where this is used, so any of the app's differs from ours. One that is nested some
 * thousand levels deep could be read, but not written again as text.
 */
function scalarOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? {} : value;
}

function canonicalFields(
  value: Readonly<Record<string, unknown>>,
  fields: Readonly<Record<string, Shape>>,
): unknown {
  const kept: Record<string, unknown> = {};
  for (const [name, shape] of Object.entries(fields)) {
    const field = canonical(value[name], shape);
    if (field !== undefined) kept[name] = field;
  }
  return Object.keys(kept).length === 0 ? undefined : kept;
}

function canonicalList(
  values: readonly unknown[],
  shape: Extract<Shape, { kind: 'list' }>,
): unknown {
  if (values.length === 0) return undefined;
  const members = values.map((member) => canonical(member, shape.of));
  const { sortBy } = shape;
  if (sortBy === undefined) return members;
  return members
    .map((member): [string, unknown] => [sortKey(member, sortBy), member])
    .toSorted(byKey)
    .map(([, member]) => member);
}

function sortKey(member: unknown, sortBy: readonly string[]): string {
  return isRecord(member) ? JSON.stringify(sortBy.map((field) => member[field])) : '';
}

function byKey([left]: [string, unknown], [right]: [string, unknown]): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
