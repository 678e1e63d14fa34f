import { LIMITS } from '../../schemas/limits';
import { ALLERGENS } from '../../src/menus/details';
import { DAYS_OF_WEEK, type MenuDocument, type Schedule } from '../../src/menus/menu';
import type { Random } from './random';

/** How much of everything a menu has. Its lists refer round and round to `targets` entities: to few often, or to many once. */
export interface MenuShape {
  readonly menus: number;
  readonly categories: number;
  /** References of one menu to categories; more than there are categories repeat them. */
  readonly categoryReferences: number;
  readonly items: number;
  readonly groups: number;
  /** References of one category, item and group. */
  readonly dataItems: number;
  readonly dataGroups: number;
  readonly options: number;
  /** How many different entities these refer to. */
  readonly targets: number;
  readonly periods: number;
  readonly itemPeriods: number;
  readonly idLength: number;
  readonly textLength: number;
  readonly prices: 'own' | 'other' | 'conflicting';
  readonly quantities: boolean;
  /** Of the groups of items. */
  readonly freeUnits?: boolean;
  readonly details?: boolean;
}

/** A valid menu of that shape; limits of the API are kept, as beyond them nothing is transformed. */
export function shapedMenu(shape: MenuShape): MenuDocument {
  const id = (kind: string, n: number) => `${kind}${n}`.padEnd(shape.idLength, '~');
  const text = (length: number) => 'é"\\'.repeat(Math.ceil(shape.textLength / 3)).slice(0, length);
  const price = (n: number) => {
    if (shape.prices === 'own') return {};
    const value = shape.prices === 'other' ? '200' : String(200 + (n % 3));
    return { price: { value, promotion_value: '150' } };
  };
  const quantity = { min_quantity: '0', max_quantity: '3' };
  const limits = shape.quantities ? { quantity } : {};
  const groupLimits = shape.freeUnits ? { quantity: { ...quantity, free_quantity: '1' } } : limits;
  const target = (n: number, count: number) => n % Math.max(1, Math.min(count, shape.targets));
  const items = Math.min(shape.items, LIMITS.items);
  const groups = Math.min(shape.groups, LIMITS.modifierGroups);
  const categories = Math.min(shape.categories, LIMITS.categories);
  return {
    menus: list(Math.min(shape.menus, LIMITS.menus), (n) => ({
      identifier: id('M', n),
      name: text(LIMITS.name),
      description: text(LIMITS.description),
      category_external_ids: list(
        Math.min(shape.categoryReferences, LIMITS.categoriesOfMenu),
        (at) => id('C', (at + n) % categories),
      ),
      schedules: week(shape.periods),
    })),
    categories: list(categories, (n) => ({
      external_id: id('C', n),
      name: text(LIMITS.name),
      data_items: list(shape.dataItems, (at) => ({
        item_external_id: id('I', target(at + n, items)),
        ...price(at + n),
      })),
    })),
    items: list(items, (n) => ({
      external_id: id('I', n),
      name: text(LIMITS.name),
      description: text(LIMITS.description),
      image_url: `http://images.example/${n}`,
      price: { value: '100' },
      ...(shape.details && {
        available: false,
        details: {
          tax: { rate: '1600' },
          allergens: ALLERGENS,
          bundled_items: list(Math.max(1, Math.min(20, shape.dataItems)), (at) => ({
            item_external_id: id('I', target(at + n, items)),
            quantity: '1',
          })),
        },
      }),
      schedules: week(shape.itemPeriods),
      // Only the second half has groups and only the first is offered in one, so that no group contains itself.
      data_modifier_groups:
        n < items / 2 || groups === 0
          ? []
          : list(shape.dataGroups, (at) => ({
              modifier_group_external_id: id('G', target(at + n, groups)),
              ...groupLimits,
            })),
    })),
    modifier_groups: list(groups, (n) => ({
      external_id: id('G', n),
      name: text(LIMITS.name),
      quantity: { min_quantity: '0', max_quantity: '2' },
      data_options: list(Math.min(shape.options, LIMITS.optionsOfGroup), (at) => ({
        item_external_id: id('I', target(at + n, Math.ceil(items / 2))),
        ...price(at + n),
        ...limits,
      })),
    })),
  };
}

/** `count` periods of a minute each, spread over the days. */
function week(count: number): readonly Schedule[] {
  return DAYS_OF_WEEK.flatMap((day_of_week, day) => {
    const ofDay = Math.min(Math.ceil((count - day) / DAYS_OF_WEEK.length), 1_439);
    if (ofDay <= 0) return [];
    return [
      {
        day_of_week,
        periods: list(ofDay, (at) => ({ start: clock(at), end: clock(at + 1) })),
      },
    ];
  });
}

function clock(minute: number): string {
  return `${twoDigits(Math.floor(minute / 60))}:${twoDigits(minute % 60)}`;
}

function twoDigits(part: number): string {
  return String(part).padStart(2, '0');
}

function list<Entry>(length: number, make: (n: number) => Entry): Entry[] {
  return Array.from({ length }, (_, n) => make(n));
}

/**
 * What grows with a menu: how many entities it has, and how many others each of them refers to. Its menus and what each
 * of them refers to stay: they have limits of 20 and 100.
 */
export const MORE_ENTITIES = ['categories', 'items', 'groups', 'targets'] as const;
export const LONGER_LISTS = ['dataItems', 'dataGroups', 'options', 'targets'] as const;

type Growing = (typeof MORE_ENTITIES | typeof LONGER_LISTS)[number];

/** The same shape with twice as much of what grows. */
export function doubledShape(
  shape: MenuShape,
  growing: readonly Growing[] = [...new Set([...MORE_ENTITIES, ...LONGER_LISTS])],
): MenuShape {
  return { ...shape, ...Object.fromEntries(growing.map((key) => [key, shape[key] * 2])) };
}

/** A shape at random. */
export function randomShape(random: Random): MenuShape {
  const one = <Value>(...values: readonly Value[]): Value => {
    const value = values[random(values.length)];
    if (value === undefined) throw new RangeError('There is nothing to choose from.');
    return value;
  };
  return {
    menus: one(1, 1, 5, 20),
    categories: one(1, 1, 3, 10, 40),
    categoryReferences: one(1, 3, 20, 100),
    items: one(2, 10, 60),
    groups: one(0, 1, 5, 30),
    dataItems: one(0, 1, 10, 100),
    dataGroups: one(0, 1, 10, 100),
    options: one(1, 10, 100),
    targets: one(1, 5, 60),
    periods: one(1, 7, 100),
    itemPeriods: one(0, 0, 7, 50),
    idLength: one(1, 10, 255),
    textLength: one(10, 49, 250, 2_000),
    prices: one('own', 'other', 'conflicting'),
    quantities: one(true, false),
    freeUnits: one(true, false),
    details: one(true, false),
  };
}
