import type { Category, DataOption, Item, MenuDocument, ModifierGroup } from '../../src/menus/menu';
import { DAYS_OF_WEEK } from '../../src/menus/menu';
import { type Random, randomFrom } from './random';

const DISHES = [
  'Burger',
  'Taco',
  'Burrito',
  'Pizza',
  'Ramen',
  'Ensalada',
  'Sándwich',
  'Arepa',
  'Ceviche',
];
const STYLES = [
  'clásico',
  'doble',
  'de la casa',
  'picante',
  'vegano',
  'al carbón',
  'familiar',
  'con queso',
];
const EXTRAS = [
  'Tocino',
  'Queso',
  'Aguacate',
  'Jalapeño',
  'Salsa verde',
  'Papas',
  'Refresco',
  'Guacamole',
];
const GROUPS = ['Elige tu bebida', 'Agrega extras', 'Término', 'Elige tu salsa', 'Acompañamiento'];

/**
 * A valid menu of about `entities` menus, categories, items and groups together, the same for the same
 * `seed`: one menu, a category for 18 sold items, an option item for each sold one, a group for 7.
 */
export function sizedMenu(entities: number, seed: number): MenuDocument {
  const random = randomFrom(seed);
  const groupCount = Math.max(1, Math.round(entities * 0.07));
  const categoryCount = Math.max(1, Math.round(entities * 0.025));
  const itemCount = entities - 1 - groupCount - categoryCount;
  const soldCount = Math.ceil(itemCount / 2);
  const sold = list(soldCount, (n) => soldItem(n, groupCount, random));
  const extras = list(itemCount - soldCount, (n) => extraItem(n, random));
  const categories = list(categoryCount, (n) => category(n, soldCount, categoryCount, random));
  const allDays = DAYS_OF_WEEK.map((day_of_week) => ({
    day_of_week,
    periods: [
      { start: '08:00', end: '12:30' },
      { start: '13:00', end: '23:30' },
    ],
  }));
  return {
    menus: [
      {
        identifier: 'menu-1',
        name: 'Carta principal',
        description: 'Todos los días',
        category_external_ids: categories.slice(0, 100).map(({ external_id }) => external_id),
        schedules: allDays,
      },
    ],
    categories,
    items: [...sold, ...extras],
    modifier_groups: list(groupCount, (n) => group(n, extras.length, random)),
  };
}

function soldItem(n: number, groupCount: number, random: Random): Item {
  return {
    external_id: `item-${n}`,
    name: `${pick(DISHES, random)} ${pick(STYLES, random)} ${n}`,
    description: `Preparado al momento con ${pick(EXTRAS, random)} y ${pick(EXTRAS, random)}.`,
    image_url: `https://images.example/menus/1/items/${n}/photo-${random(1e6)}.jpg`,
    price: priced(4000 + 100 * random(300)),
    data_modifier_groups: list(random(4), () => ({
      modifier_group_external_id: `group-${random(groupCount)}`,
    })),
  };
}

function extraItem(n: number, random: Random): Item {
  return {
    external_id: `extra-${n}`,
    name: `${pick(EXTRAS, random)} ${n}`,
    price: priced(500 + 50 * random(60)),
    data_modifier_groups: [],
  };
}

function category(n: number, soldCount: number, categoryCount: number, random: Random): Category {
  const size = Math.ceil(soldCount / categoryCount);
  const first = n * size;
  return {
    external_id: `category-${n}`,
    name: `${pick(DISHES, random)}s ${pick(STYLES, random)}`,
    data_items: list(Math.max(0, Math.min(size, soldCount - first)), (at) => ({
      item_external_id: `item-${first + at}`,
      ...(random(5) === 0 && { price: priced(4000 + 100 * random(300)) }),
    })),
  };
}

function group(n: number, extraCount: number, random: Random): ModifierGroup {
  const option = (): DataOption => ({
    item_external_id: `extra-${random(extraCount)}`,
    ...(random(2) === 0 && { price: priced(500 + 50 * random(60)) }),
    ...(random(3) === 0 && { quantity: { min_quantity: '0', max_quantity: '3' } }),
  });
  return {
    external_id: `group-${n}`,
    name: `${pick(GROUPS, random)} ${n}`,
    quantity: { min_quantity: String(random(2)), max_quantity: String(2 + random(4)) },
    data_options: list(3 + random(8), option),
  };
}

function priced(value: number) {
  return { value: String(value) };
}

function pick(words: readonly string[], random: Random): string {
  return words[random(words.length)] ?? '';
}

function list<Entry>(length: number, make: (n: number) => Entry): Entry[] {
  return Array.from({ length }, (_, n) => make(n));
}
