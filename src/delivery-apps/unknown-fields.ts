import type { MenuDocument } from '../menus/menu';
import { firstCodePoints } from '../platform/text/clean-text';
import { quoteValue } from '../platform/text/quote-value';
import { type LossBook, MAX_LOSSES } from './losses';
import { indexMenu } from './menu-index';
import { findUsedEntities, type UsedEntities } from './unused-entities';

/** The keys of an object in a menu: of each the keys of the objects in it, or null for a value. */
type Form = ReadonlyMap<string, Form | null>;

function form(values: string, objects: Readonly<Record<string, Form>> = {}): Form {
  return new Map<string, Form | null>([
    ...values.split(' ').map((key) => [key, null] as const),
    ...Object.entries(objects),
  ]);
}

const PRICE = form('value promotion_value free');
const QUANTITY = form('min_quantity max_quantity exactly');
const GROUP_QUANTITY = form('min_quantity max_quantity exactly free_quantity');
const SCHEDULES = form('day_of_week', { periods: form('start end') });

const DETAILS = form('tax_labels serves_alone allergens diets barcode', {
  tax: form('rate included excise_rate'),
  alcohol: form('units by_volume'),
  calories: form('from to'),
  bundled_items: form('item_external_id quantity'),
  deposit: form('value'),
});

const ITEM_VALUES =
  'external_id name description image_url available unavailable_until visible_from visible_until';

/** Every key that a menu may have (`src/menus/menu.ts`): whatever else is sent reaches no delivery app. */
const FORMS = {
  menus: form('identifier name description category_external_ids', { schedules: SCHEDULES }),
  categories: form('external_id name description', {
    data_items: form('item_external_id', { price: PRICE }),
  }),
  items: form(ITEM_VALUES, {
    schedules: SCHEDULES,
    price: PRICE,
    details: DETAILS,
    data_modifier_groups: form('modifier_group_external_id', { quantity: GROUP_QUANTITY }),
  }),
  modifier_groups: form('external_id name', {
    quantity: GROUP_QUANTITY,
    data_options: form('item_external_id', { price: PRICE, quantity: QUANTITY }),
  }),
} as const satisfies Record<keyof MenuDocument, Form>;

const LISTS = ['menus', 'categories', 'items', 'modifier_groups'] as const;
/** What an upload has beside its menu. */
const BESIDE_A_MENU: Form = form('store_id integration_id');

/** An unknown key at one kind of place: how often it was sent, and where first. */
interface Found {
  readonly pointer: string;
  readonly externalId: string | null;
  count: number;
}

/** By kind of place (`items.price`), then by key. */
type FoundKeys = Map<string, Map<string, Found>>;

/**
 * One `unknown_field` for each key that the menu form does not have and each kind of place where it was sent, in
 * document order; `besides` are JSON objects with what was sent beside the menu. Not for keys that begin with `x_`,
 * which are the caller's own, null values, what is inside of an unknown object, and entities that nothing uses. Time is
 * linear in the size of the menu.
 */
export function reportUnknownFields(
  menu: MenuDocument,
  besides: readonly string[],
  losses: LossBook,
): void {
  const found: FoundKeys = new Map();
  for (const text of besides) {
    noteUnknown(found, JSON.parse(text), BESIDE_A_MENU, '', { pointer: '', externalId: null });
  }
  // Few menus have unknown keys, and only for them it matters what is used.
  if (hasUnknown(menu)) noteInEntities(found, menu);
  for (const [prefix, keys] of found) {
    for (const [key, each] of keys) losses.addField(each, describe(prefix, key, each.count));
  }
}

function describe(prefix: string, key: string, count: number): string {
  const name = quoteValue(firstCodePoints(key, SHOWN_KEY_LENGTH));
  const times = count === 1 ? 'once' : `${count} times`;
  return `${prefix === '' ? '' : `${prefix}.`}${name} (${times})`;
}

const SHOWN_KEY_LENGTH = 255;

function noteInEntities(found: FoundKeys, menu: MenuDocument): void {
  const used = findUsedEntities(menu, indexMenu(menu));
  for (const list of LISTS) {
    const ids = idsOf(used, list);
    for (const [index, entity] of menu[list].entries()) {
      const externalId = 'identifier' in entity ? entity.identifier : entity.external_id;
      if (ids && !ids.has(externalId)) continue;
      const place = { pointer: `/${list}/${index}`, externalId };
      noteUnknown(found, entity, FORMS[list], list, place);
    }
  }
}

/** Undefined: all are used. */
function idsOf(used: UsedEntities, list: keyof MenuDocument): ReadonlySet<string> | undefined {
  switch (list) {
    case 'menus':
      return undefined;
    case 'modifier_groups':
      return used.groups;
    case 'categories':
    case 'items':
      return used[list];
  }
}

function hasUnknown(menu: MenuDocument): boolean {
  return LISTS.some((list) => menu[list].some((entity) => isUnknownIn(entity, FORMS[list])));
}

function isUnknownIn(value: unknown, known: Form): boolean {
  if (Array.isArray(value)) return value.some((each) => isUnknownIn(each, known));
  if (typeof value !== 'object' || value === null) return false;
  for (const key in value) {
    const inner = known.get(key);
    if (inner === undefined) return true;
    if (inner !== null && isUnknownIn(Reflect.get(value, key), inner)) return true;
  }
  return false;
}

function noteUnknown(
  found: FoundKeys,
  value: unknown,
  known: Form,
  prefix: string,
  place: Omit<Found, 'count'>,
): void {
  if (Array.isArray(value)) {
    for (const each of value) noteUnknown(found, each, known, prefix, place);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    const inner = known.get(key);
    if (inner) noteUnknown(found, member, inner, prefix === '' ? key : `${prefix}.${key}`, place);
    else if (inner === undefined && member !== null && !key.startsWith('x_')) {
      countField(found, prefix, key, place);
    }
  }
}

function countField(
  found: FoundKeys,
  prefix: string,
  key: string,
  place: Omit<Found, 'count'>,
): void {
  let keys = found.get(prefix);
  if (keys === undefined) found.set(prefix, (keys = new Map()));
  const before = keys.get(key);
  if (before) before.count += 1;
  // A hostile menu has half a million of them; no list shows more than these, the others are only counted.
  else keys.set(key, keys.size < MAX_LOSSES ? { ...place, count: 1 } : UNLISTED);
}

const UNLISTED: Found = { pointer: '', externalId: null, count: 0 };
