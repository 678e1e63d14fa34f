import { reportIgnoredDetails } from '../../src/delivery-apps/item-details';
import { reportOptionQuantities, reportPromotions } from '../../src/delivery-apps/ignored-fields';
import { fitImage, toImageUrl } from '../../src/delivery-apps/images/image-url';
import { reportItemHours } from '../../src/delivery-apps/item-schedules';
import { createLossBook } from '../../src/delivery-apps/losses';
import { firstOfEach, indexMenu, type MenuIndex } from '../../src/delivery-apps/menu-index';
import * as prices from '../../src/delivery-apps/prices';
import { freeUnitsOf, limitsOf } from '../../src/delivery-apps/quantities';
import * as read from '../../src/delivery-apps/read-payload';
import { reportRepeatedReferences } from '../../src/delivery-apps/repeated-references';
import type { Shown, ShownGroup } from '../../src/delivery-apps/shown';
import type { SwitchedItem } from '../../src/delivery-apps/app-client';
import type { TransformInput, TransformResult } from '../../src/delivery-apps/types';
import { findUsedEntities, reportUnusedEntities } from '../../src/delivery-apps/unused-entities';
import {
  amountOf,
  type DataModifierGroup,
  type DayOfWeek,
  type Menu,
  type Price,
} from '../../src/menus/menu';

/** The menu in App E's form, and its losses: hours and details of items, promotions, quantities of options. */
export function transformForAppE(
  { menu: document }: TransformInput,
  losses = createLossBook(),
): TransformResult {
  const index = indexMenu(document);
  const used = findUsedEntities(document, index);
  const named = prices.namedPrices(document.menus, index);
  document.menus.forEach((menu, position) => {
    const ref = { kind: 'menu', index: position, externalId: menu.identifier } as const;
    if (position > 0) losses.add('second_menu_refused', ref);
    if (menu.schedules.every(({ periods }) => periods.length === 0)) losses.add('no_hours', ref);
  });
  for (const [id, { entity, ref }] of index.items) {
    if (used.items.has(id)) fitImage(losses, ref, entity.image_url, undefined);
  }
  prices.reportPriceConflicts(document.menus, named, index, losses);
  reportRepeatedReferences(index, used, losses);
  reportItemHours(document, index, used, losses);
  reportPromotions(index, used, named, losses);
  reportOptionQuantities(index, used, losses);
  reportIgnoredDetails(index, used, losses, () => false);
  reportUnusedEntities(index, used, losses);
  const [menu] = document.menus;
  const payload = menu ? wireMenu(menu, index, used.items, named[0]) : null;
  const itemIds = new Map([...used.items].map((id) => [id, [id]] as const));
  return { payload, losses: losses.list(), itemIds };
}

function wireMenu(
  menu: Menu,
  { categories, items, groups }: MenuIndex,
  used: ReadonlySet<string>,
  named: prices.NamedPrices | undefined,
) {
  const products = [...items.values()].filter(({ ref }) => used.has(ref.externalId));
  return {
    ...titled(menu.identifier, menu),
    hours: menu.schedules.flatMap(({ day_of_week: day, periods }) =>
      periods.map(({ start, end }) => ({ day, from: start, to: end })),
    ),
    sections: firstOfEach(menu.category_external_ids, itself).flatMap((id) => {
      const category = categories.get(id)?.entity;
      const ids = category?.data_items.map((one) => one.item_external_id) ?? [];
      return category ? [{ ...titled(id, category), products: firstOfEach(ids, itself) }] : [];
    }),
    products: products.map(({ entity: item }) => ({
      ...titled(item.external_id, item),
      photo: (item.image_url && toImageUrl(item.image_url)) || undefined,
      cents: centsOf(named?.get(item.external_id)?.price ?? item.price),
      on: true,
      choices: firstOfEach(item.data_modifier_groups, groupIdOf).flatMap((reference) => {
        const group = groups.get(groupIdOf(reference))?.entity;
        if (!group) return [];
        const options = firstOfEach(group.data_options, (one) => one.item_external_id);
        const quantity = reference.quantity ?? group.quantity;
        return {
          ...titled(group.external_id, group),
          ...limitsOf(quantity),
          free: freeUnitsOf(quantity),
          of: options.map(({ item_external_id: product, price }) => {
            const cents = centsOf(price ?? items.get(product)?.entity.price ?? { free: true });
            return { product, cents };
          }),
        };
      }),
    })),
  };
}

function centsOf(price: Price): number {
  return prices.digitsToInteger(amountOf(price));
}

function titled(id: string, entity: { readonly name: string; description?: string | null }) {
  return { id, title: entity.name, ...(entity.description && { text: entity.description }) };
}

const itself = (id: string): string => id;
const groupIdOf = (one: DataModifierGroup): string => one.modifier_group_external_id;

/** What guests of App E see of a payload or of the app's answer. */
export function readShownByAppE(payload: unknown): Shown {
  const menu = read.fieldsOf(payload);
  const products = read.objectsIn(menu['products']);
  const groups = products.flatMap((product) => read.objectsIn(product['choices']).map(toGroup));
  const hours = read.objectsIn(menu['hours']).map(({ day, from, to }) => ({
    day: read.textOf(day) as DayOfWeek,
    period: { start: read.textOf(from), end: read.textOf(to) },
  }));
  const categories = read
    .objectsIn(menu['sections'])
    .map((section) => ({ ...titleOf(section), items: read.textsIn(section['products']) }));
  const { external_id: identifier, name, description } = titleOf(menu);
  return {
    menus: [{ identifier, name, description, hours: read.toHours(hours), categories }],
    items: products.map((product) => ({
      ...titleOf(product),
      image_url: read.optionalText(product['photo']),
      ...priced(product),
      prices_by_menu: [],
      hours: null,
      available: product['on'] !== false,
      modifier_groups: read.objectsIn(product['choices']).map((choice) => {
        const { external_id, min, max } = toGroup(choice);
        const free = read.countOf(choice['free']);
        return { external_id, min, max, ...(free > 0 && { free_quantity: free }) };
      }),
    })),
    modifier_groups: firstOfEach(groups, (group) => group.external_id),
  };
}

function toGroup(choice: read.Fields): ShownGroup {
  const { external_id, name } = titleOf(choice);
  const [min, max] = [read.countOf(choice['min']), read.countOf(choice['max'])];
  const options = read.objectsIn(choice['of']).map((option) => {
    const id = read.textOf(option['product']);
    return { external_id: id, ...priced(option), min: null, max: null };
  });
  return { external_id, name, min, max, options };
}

function titleOf({ id, title, text }: read.Fields) {
  const [external_id, name] = [read.textOf(id), read.textOf(title)];
  return { external_id, name, description: read.optionalText(text) };
}

const priced = ({ cents }: read.Fields) => ({
  price: read.priceDigits(cents, 1) ?? '',
  promotion_price: null,
});

/** The menu that our transform wrote, with these products off. */
export function writeUnavailable(payload: Buffer, items: readonly SwitchedItem[]): Buffer {
  const off = new Set<unknown>(items.map(({ wireId }) => wireId));
  const menu = JSON.parse(payload.toString('utf8'), (_, value: unknown) => {
    const { on, id } = read.fieldsOf(value);
    return on === true && off.has(id) ? { ...read.fieldsOf(value), on: false } : value;
  });
  return Buffer.from(JSON.stringify(menu));
}
