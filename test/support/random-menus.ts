import {
  type Category,
  DAYS_OF_WEEK,
  type GroupQuantity,
  type Item,
  type Menu,
  type MenuDocument,
  type ModifierGroup,
  type Price,
  type Quantity,
  type Schedule,
} from '../../src/menus/menu';
import type { Random } from './random';
import { randomDetails } from './random-details';

/** Common to all menus of one run. */
export interface RandomMenuOptions {
  /** Most menus of one document. */
  readonly menus: number;
}

/**
 * A valid menu with everything in it that apps differ about: promotions good and bad, prices by menu and in conflict,
 * hours of all shapes, nested and repeated groups, limits of items and options, prices of 0, texts too long, emoji, HTML,
 * images without SSL and with odd letters, strange ids and entities that nothing refers to. Most of them are small, so that a difference is easy to read.
 */
export function randomMenu(random: Random, options: RandomMenuOptions): MenuDocument {
  const maker = createMaker(random);
  const { chance, many, pick } = maker;
  // Now and then about as many as App C takes, so that there is no room for one of ours.
  const categories: [number, number] = chance(6) ? [18, 20] : [1, 4];
  const ids = {
    menus: many(1, options.menus, (n) => maker.id('M', n)),
    categories: many(...categories, (n) => maker.id('C', n)),
    items: many(2, 9, (n) => maker.id('I', n)),
    groups: many(0, 4, (n) => maker.id('G', n)),
  };
  const weeks = many(1, 3, () => maker.week());
  const groups = ids.groups.map((id, n) =>
    maker.group(id, beyond(ids.items, n, ids.groups.length)),
  );
  return {
    menus: ids.menus.map((identifier): Menu => ({
      identifier,
      name: maker.name(),
      ...maker.description(),
      category_external_ids:
        ids.categories.length > 4 ? ids.categories : maker.someOf(ids.categories),
      schedules: pick(weeks),
    })),
    categories: ids.categories.map((external_id): Category => ({
      external_id,
      name: maker.name(),
      ...maker.description(),
      data_items: chance(8)
        ? []
        : maker.someOf(ids.items).map((id) => ({ item_external_id: id, ...maker.otherPrice() })),
    })),
    items: ids.items.map((external_id, n): Item => ({
      external_id,
      name: maker.name(),
      ...maker.description(),
      ...maker.image(),
      ...maker.ownWeek(weeks),
      price: maker.price(),
      ...maker.details(ids.items),
      ...maker.availability(),
      data_modifier_groups: chance(50)
        ? []
        : maker
            .someOf(groupsAfter(ids.groups, n, ids.items.length))
            .map((id) => ({ modifier_group_external_id: id, ...maker.otherGroupQuantity() })),
    })),
    modifier_groups: groups,
  };
}

/** Items behind the place of group `n`, and groups behind that of item `n`: so there are nested groups and no cycle. */
function beyond(items: readonly string[], n: number, groups: number): readonly string[] {
  const after = items.slice(Math.ceil((items.length * (n + 0.5)) / groups));
  return after.length > 0 ? after : items.slice(-1);
}

function groupsAfter(groups: readonly string[], n: number, items: number): readonly string[] {
  if (n === items - 1) return [];
  return groups.filter((_, at) => items * ((at + 0.5) / groups.length) > n);
}

type Maker = ReturnType<typeof createMaker>;

function createMaker(random: Random) {
  const chance = (percent: number) => random(100) < percent;
  const pick = <Value>(values: readonly Value[]): Value => {
    const value = values[random(values.length)];
    if (value === undefined) throw new RangeError('There is nothing to choose from.');
    return value;
  };
  const many = <Value>(least: number, most: number, make: (n: number) => Value): Value[] =>
    Array.from({ length: least + random(most - least + 1) }, (_, n) => make(n));
  /** Whole units of money, so that any app can have it, in most menus. */
  const step = chance(75) ? 100 : 1;
  const oddTexts = chance(25);
  const freeThings = chance(25);
  const freeUnits = chance(25);
  const withDetails = chance(25);

  function digits(value: number): string {
    return chance(5) ? `0${value}` : String(value);
  }
  function amount(): number {
    return freeThings && chance(30) ? 0 : step * (1 + random(30));
  }
  function price(value = amount()): Price {
    if (freeThings && chance(15)) return pick([{ free: true }, { free: true, value: '0' }]);
    if (chance(60)) {
      return { value: digits(value), ...(chance(20) && { promotion_value: pick([null, '']) }) };
    }
    const promotion = pick([step, value || step, value + step, Math.max(step, value - step)]);
    return { value: digits(value), promotion_value: digits(promotion) };
  }
  function quantity(): Quantity {
    const min = random(3);
    if (chance(15)) return { exactly: digits(min + 1) };
    return { min_quantity: String(min), max_quantity: String(min + 1 + random(3)) };
  }
  function text(lengths: readonly number[]): string {
    const word = pick(['Tacos', 'Crème brûlée', 'Ensalada "César"', 'Ramen', '拉麺']);
    if (!oddTexts) return word;
    if (chance(20))
      return pick(['Hot 🌶️  dog', '🍔 Burger', 'Té 👩‍🍳', 'Soup ©', 'Fish &amp; <b>chips</b>']);
    if (!chance(15)) return word;
    const part = chance(50) ? word : pick(CLUSTERS);
    const long = part.repeat(200).slice(0, pick(lengths) + 2);
    // Half a surrogate pair is no text: the API refuses it.
    return /[\uD800-\uDBFF]$/.test(long) ? long.slice(0, -1) : long;
  }
  function otherPrice(): { readonly price?: Price | null } {
    if (chance(60)) return chance(20) ? { price: null } : {};
    return { price: price() };
  }
  function groupQuantity(): GroupQuantity {
    const limits = quantity();
    if (!freeUnits || chance(40)) return limits;
    return {
      ...limits,
      free_quantity: digits(random(Number(limits.exactly ?? limits.max_quantity) + 1)),
    };
  }
  function other<Value>(make: () => Value): { readonly quantity?: Value | null } {
    if (chance(60)) return chance(20) ? { quantity: null } : {};
    return { quantity: make() };
  }
  const otherQuantity = () => other(quantity);
  const otherGroupQuantity = () => other(groupQuantity);
  function someOf(values: readonly string[]): string[] {
    if (values.length === 0) return [];
    return many(1, values.length + 1, () => pick(values));
  }

  return {
    chance,
    pick,
    many,
    price,
    otherPrice,
    otherGroupQuantity,
    someOf,
    week: () => randomWeek({ chance, pick }),
    name: () => text([51, 60, 101]),
    description: () =>
      pick([{}, { description: null }, { description: '' }, { description: text([401, 255]) }]),
    image: () =>
      pick([
        {},
        { image_url: null },
        { image_url: 'https://images.example/1.png' },
        { image_url: 'http://images.example/2.png' },
        { image_url: 'HTTPS://images.example/ä b.png' },
      ]),
    availability: (): Pick<Item, 'available'> =>
      chance(85) ? {} : pick([{ available: false }, { available: true }, { available: null }]),
    details(items: readonly string[]): Pick<Item, 'details'> {
      if (!withDetails) return {};
      return chance(50) ? { details: randomDetails(random, items) } : pick([{}, { details: null }]);
    },
    ownWeek(weeks: readonly Schedule[][]): Pick<Item, 'schedules'> {
      if (chance(60)) return pick([{}, { schedules: null }, { schedules: [] }]);
      return { schedules: chance(60) ? pick(weeks) : randomWeek({ chance, pick }) };
    },
    id(kind: string, n: number): string {
      return chance(5) ? pick([`${kind}~${n}`, `${kind}/${n}`, `${kind}é${n}`]) : `${kind}${n}`;
    },
    group(external_id: string, items: readonly string[]): ModifierGroup {
      return {
        external_id,
        name: text([51, 101]),
        quantity: groupQuantity(),
        data_options: someOf(items).map((id) => ({
          item_external_id: id,
          ...otherPrice(),
          ...otherQuantity(),
        })),
      };
    },
  };
}

/** Several code points each, of which an app would show the half. */
const CLUSTERS = ['👨‍👩‍👧‍👦', '🇲🇽', 'e\u0301', '한\u1100', '👍🏽 '];

const PERIODS = [
  [{ start: '09:00', end: '22:00' }],
  [
    { start: '18:00', end: '23:59' },
    { start: '12:00', end: '15:00' },
  ],
  [
    { start: '08:00', end: '12:00' },
    { start: '12:00', end: '16:00' },
  ],
  [
    { start: '12:31', end: '16:00' },
    { start: '08:00', end: '12:30' },
  ],
  [{ start: '08:00', end: '16:00' }],
  [{ start: '00:00', end: '02:00' }],
];

function randomWeek({ chance, pick }: Pick<Maker, 'chance' | 'pick'>): Schedule[] {
  const usual = pick(PERIODS);
  const days = DAYS_OF_WEEK.filter(() => !chance(10));
  const week = (days.length > 0 ? days : DAYS_OF_WEEK).flatMap((day_of_week): Schedule[] => {
    const periods = chance(8) ? pick(PERIODS) : usual;
    // A day that several schedules name has the periods of them all.
    if (!chance(10)) return [{ day_of_week, periods }];
    return periods.map((period) => ({ day_of_week, periods: [period] }));
  });
  return chance(20) ? week.toReversed() : week;
}
