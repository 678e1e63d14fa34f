import fc from 'fast-check';
import type {
  Category,
  DataItem,
  DataOption,
  DayOfWeek,
  Item,
  Menu,
  MenuDocument,
  ModifierGroup,
  Period,
  Price,
  Quantity,
  Schedule,
} from '../../src/menus/menu';
import { DAYS_OF_WEEK } from '../../src/menus/menu';
import { isBlank } from '../../src/platform/text/blank';

/** Ids that a careless index, pointer or sentence would trip over, among ordinary ones. */
const STRANGE_IDS = [
  '__proto__',
  'constructor',
  'toString',
  '0',
  ' a ',
  'a/b~c',
  '$&',
  'né',
  '🍔',
  'VALUE',
];

/** A text without a visible character is an absent one. */
function visible(maxLength: number): fc.Arbitrary<string> {
  return fc.string({ minLength: 1, maxLength }).filter((text) => !isBlank(text));
}

const id = fc.oneof(
  { weight: 4, arbitrary: visible(12) },
  { weight: 1, arbitrary: fc.constantFrom(...STRANGE_IDS) },
);

const label = fc.oneof(visible(30), fc.constant('é'.repeat(255)));
const description = fc.option(fc.string({ maxLength: 60 }), { nil: null });

const price: fc.Arbitrary<Price> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record(
      {
        value: fc.integer({ min: 1, max: 999_999_999_999 }).map(String),
        promotion_value: fc.constantFrom('990', '007', null),
        free: fc.constantFrom(false, null),
      },
      { requiredKeys: ['value'] },
    ),
  },
  fc.constantFrom<Price[]>({ free: true }, { free: true, value: '00', promotion_value: '' }),
);

const quantity: fc.Arbitrary<Quantity> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.nat(20), fc.integer({ min: 1, max: 20 }))
      .map(([min, more]) => ({ min_quantity: String(min), max_quantity: String(min + more) })),
  },
  fc.integer({ min: 1, max: 20 }).map((exactly) => ({ exactly: String(exactly) })),
);

/** Periods that at most touch: cut points in order, every other gap a period. */
const periods: fc.Arbitrary<Period[]> = fc
  .uniqueArray(fc.nat(24 * 60 - 1), { minLength: 2, maxLength: 6 })
  .map((minutes) => {
    const cuts = minutes.toSorted((a, b) => a - b);
    return cuts.slice(1).map((end, index) => ({ start: clock(cuts[index] ?? 0), end: clock(end) }));
  })
  .chain((touching) => fc.shuffledSubarray(touching, { minLength: 1 }));

function clock(minute: number): string {
  return `${twoDigits(Math.floor(minute / 60))}:${twoDigits(minute % 60)}`;
}

function twoDigits(part: number): string {
  return String(part).padStart(2, '0');
}

const schedules: fc.Arbitrary<Schedule[]> = fc
  .subarray<DayOfWeek>([...DAYS_OF_WEEK], { minLength: 1, maxLength: 3 })
  .chain((days) =>
    fc.tuple(...days.map((day) => periods.map((of) => ({ day_of_week: day, periods: of })))),
  );

interface Ids {
  readonly menus: readonly string[];
  readonly categories: readonly string[];
  readonly items: readonly string[];
  readonly groups: readonly string[];
}

/** Sometimes the first id is repeated. */
function withRepeats(chosen: fc.Arbitrary<string[]>): fc.Arbitrary<string[]> {
  return fc
    .tuple(chosen, fc.nat(3))
    .map(([ids, n]) => (n === 0 ? ids.concat(ids.slice(0, 1)) : ids));
}

const uniqueIds = (minLength: number, maxLength: number) =>
  fc.uniqueArray(id, { minLength, maxLength });

/** More items than groups: see `menuOf`. */
const ids: fc.Arbitrary<Ids> = fc.record({
  menus: uniqueIds(1, 3),
  categories: uniqueIds(1, 4),
  items: uniqueIds(4, 8),
  groups: uniqueIds(1, 3),
});

/** Any valid menu, with at least one of each entity and of each reference. */
export const menuArbitrary: fc.Arbitrary<MenuDocument> = ids.chain(menuOf);

/** Two menus that have many ids in common, as two versions of one menu have. */
export const menuPairArbitrary: fc.Arbitrary<readonly [MenuDocument, MenuDocument]> = fc
  .tuple(ids, fc.nat(1))
  .chain(([known, more]) =>
    fc.tuple(
      menuOf(known),
      menuOf({
        ...known,
        items: known.items.slice(known.items.length > 4 ? more : 0),
        menus: known.menus.toReversed(),
      }),
    ),
  );

/**
 * An item refers only to groups from its own number on, a group only to items after its own number: so there
 * are nested groups, and never a cycle.
 */
function menuOf({ menus, categories, items, groups }: Ids): fc.Arbitrary<MenuDocument> {
  return fc.record({
    menus: fc.tuple(...menus.map((identifier) => menuArbitraryOf(identifier, categories))),
    categories: fc.tuple(...categories.map((external_id) => categoryOf(external_id, items))),
    items: fc.tuple(
      ...items.map((external_id, n) => itemOf(external_id, groups.slice(n), n === 0)),
    ),
    modifier_groups: fc.tuple(
      ...groups.map((external_id, n) => groupOf(external_id, items.slice(n + 1))),
    ),
  });
}

function menuArbitraryOf(identifier: string, categories: readonly string[]): fc.Arbitrary<Menu> {
  return fc.record(
    {
      identifier: fc.constant(identifier),
      name: label,
      description,
      category_external_ids: withRepeats(fc.shuffledSubarray([...categories], { minLength: 1 })),
      schedules,
    },
    { requiredKeys: ['identifier', 'name', 'category_external_ids', 'schedules'] },
  );
}

function categoryOf(external_id: string, items: readonly string[]): fc.Arbitrary<Category> {
  const dataItem: fc.Arbitrary<DataItem> = fc.record(
    { item_external_id: fc.constantFrom(...items), price: fc.option(price) },
    { requiredKeys: ['item_external_id'] },
  );
  return fc.record(
    {
      external_id: fc.constant(external_id),
      name: label,
      description,
      data_items: fc.array(dataItem, { maxLength: 4 }),
    },
    { requiredKeys: ['external_id', 'name', 'data_items'] },
  );
}

function itemOf(
  external_id: string,
  groups: readonly string[],
  withGroups: boolean,
): fc.Arbitrary<Item> {
  return fc.record(
    {
      external_id: fc.constant(external_id),
      name: label,
      description,
      image_url: fc.option(fc.webUrl()),
      schedules: fc.option(fc.oneof(schedules, fc.constant([]))),
      price,
      data_modifier_groups: withRepeats(
        fc.shuffledSubarray([...groups], { minLength: withGroups ? 1 : 0 }),
      ).chain((chosen) => fc.tuple(...chosen.map(dataGroupOf))),
    },
    { requiredKeys: ['external_id', 'name', 'price', 'data_modifier_groups'] },
  );
}

function dataGroupOf(group: string) {
  return fc.record(
    { modifier_group_external_id: fc.constant(group), quantity: fc.option(quantity) },
    { requiredKeys: ['modifier_group_external_id'] },
  );
}

function groupOf(external_id: string, items: readonly string[]): fc.Arbitrary<ModifierGroup> {
  const option: fc.Arbitrary<DataOption> = fc.record(
    {
      item_external_id: fc.constantFrom(...items),
      price: fc.option(price),
      quantity: fc.option(quantity),
    },
    { requiredKeys: ['item_external_id'] },
  );
  return fc.record({
    external_id: fc.constant(external_id),
    name: label,
    quantity,
    data_options: fc.array(option, { minLength: 1, maxLength: 4 }),
  });
}
