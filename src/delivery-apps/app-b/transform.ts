import {
  amountOf,
  type Category,
  type DataModifierGroup,
  type Item,
  type Menu,
  type ModifierGroup,
  type Price,
  type Schedule,
} from '../../menus/menu';
import { reportOptionQuantities, reportPromotions } from '../ignored-fields';
import { fitTexts } from '../fit-texts';
import { reportSoldForNothing } from '../free-items';
import { createLossBook, type EntityRef, type LossBook } from '../losses';
import { fitImage } from '../images/image-url';
import { reportIgnoredDetails } from '../item-details';
import { firstOfEach, indexMenu, type MenuIndex } from '../menu-index';
import {
  hasCoin,
  type NamedPrices,
  namedPrices,
  reportPriceConflicts,
  toDecimalText,
} from '../prices';
import { freeUnitsOf, limitsOf } from '../quantities';
import { reportRepeatedReferences } from '../repeated-references';
import type { StoreFacts, TransformInput, TransformResult } from '../types';
import { findUsedEntities, reportUnusedEntities, type UsedEntities } from '../unused-entities';
import { TEXT_LENGTHS } from './rules';
import { mergeWeek } from './schedules';
import type {
  Shift,
  WireCategory,
  WireDocument,
  WireItem,
  WireMenu,
  WireOptionGroup,
} from './wire';

interface Work {
  readonly store: StoreFacts;
  readonly index: MenuIndex;
  readonly used: UsedEntities;
  readonly losses: LossBook;
}

/** The menu in App B's form, and the losses. Prices are decimal text; hours are the same every day. */
export function transformForAppB(
  { menu: document, store }: TransformInput,
  losses = createLossBook(),
): TransformResult {
  const index = indexMenu(document);
  const work: Work = { store, index, used: findUsedEntities(document, index), losses };
  document.menus.slice(1).forEach((menu, position) => {
    losses.add('second_menu_refused', menuRef(menu, position + 1));
  });
  const [menu] = document.menus;
  const prices = namedPrices(document.menus, index);
  const payload = menu ? wireDocument(work, menu, prices[0]) : null;
  reportPriceConflicts(document.menus, prices, index, losses);
  const priced = { menus: document.menus, prices, index, nestedGroups: true };
  reportSoldForNothing('sold_for_nothing', priced, losses);
  reportRepeatedReferences(index, work.used, losses);
  reportPromotions(index, work.used, prices, losses);
  reportOptionQuantities(index, work.used, losses);
  reportIgnoredDetails(index, work.used, losses, (name) => name === 'barcode');
  reportUnusedEntities(index, work.used, losses);
  const itemIds = new Map(payload?.items.map(({ id }) => [id, [id]]));
  return { payload, losses: losses.list(), itemIds };
}

function menuRef(menu: Menu, index: number): EntityRef {
  return { kind: 'menu', index, externalId: menu.identifier };
}

function wireDocument(work: Work, menu: Menu, prices: NamedPrices | undefined): WireDocument {
  const { index, used } = work;
  return {
    menu: wireMenu(work, menu),
    categories: kept(index.categories, used.categories).map(({ entity, ref }) =>
      wireCategory(work, entity, ref),
    ),
    items: kept(index.items, used.items).map(({ entity, ref }) => {
      const named = prices?.get(entity.external_id) ?? { price: entity.price, ref };
      return wireItem(work, entity, ref, wirePrice(work, named.ref, named.price));
    }),
    option_groups: kept(index.groups, used.groups).map(({ entity, ref }) =>
      wireOptionGroup(work, entity, ref, prices),
    ),
  };
}

/** The used entries of a list, in document order. */
function kept<T>(list: ReadonlyMap<string, T>, ids: ReadonlySet<string>): readonly T[] {
  return [...list].filter(([id]) => ids.has(id)).map(([, entry]) => entry);
}

function wireMenu({ index, losses }: Work, menu: Menu): WireMenu {
  const ref = menuRef(menu, 0);
  const texts = wireTexts(losses, ref, menu);
  const shifts = wireShifts(losses, ref, menu.schedules);
  if (shifts.length === 0) losses.add('no_hours', ref);
  const ids = menu.category_external_ids.filter((id) => index.categories.has(id));
  return {
    id: menu.identifier,
    ...texts,
    category_ids: firstOfEach(ids, (id) => id),
    shifts,
  };
}

function wireCategory({ index, losses }: Work, category: Category, ref: EntityRef): WireCategory {
  const ids = category.data_items.map((reference) => reference.item_external_id);
  return {
    id: category.external_id,
    ...wireTexts(losses, ref, category),
    item_ids: firstOfEach(ids, (id) => id).filter((id) => index.items.has(id)),
  };
}

function wireItem(work: Work, item: Item, ref: EntityRef, price: string): WireItem {
  const texts = wireTexts(work.losses, ref, item);
  const imageUrl = fitImage(work.losses, ref, item.image_url, undefined);
  const shifts = wireShifts(work.losses, ref, item.schedules ?? []);
  const groups = firstOfEach(item.data_modifier_groups, (one) => one.modifier_group_external_id);
  return {
    id: item.external_id,
    ...texts,
    ...(imageUrl !== undefined && { image_url: imageUrl }),
    price,
    ...(item.details?.barcode && { ean: item.details.barcode }),
    ...(shifts.length > 0 && { shifts }),
    option_groups: groups.flatMap((reference) => wireGroupReference(work.index, reference)),
  };
}

/** Limits are written on the item even if they are the group's, because the app has none on groups. */
function wireGroupReference(
  index: MenuIndex,
  reference: DataModifierGroup,
): WireItem['option_groups'] {
  const id = reference.modifier_group_external_id;
  const group = index.groups.get(id)?.entity;
  if (!group) return [];
  const quantity = reference.quantity ?? group.quantity;
  const free = freeUnitsOf(quantity);
  return [{ id, ...limitsOf(quantity), ...(free > 0 && { free }) }];
}

function wireOptionGroup(
  work: Work,
  group: ModifierGroup,
  ref: EntityRef,
  prices: NamedPrices | undefined,
): WireOptionGroup {
  const { index, losses } = work;
  const options = firstOfEach(group.data_options, (option) => option.item_external_id);
  return {
    id: group.external_id,
    ...wireTexts(losses, ref, { name: group.name }),
    options: options.flatMap(({ item_external_id: id, price }) => {
      const item = index.items.get(id);
      if (!item) return [];
      // By default the app uses the item's price in the menu, but an option costs what the item itself costs.
      const other = price ?? (prices?.has(id) ? item.entity.price : undefined);
      if (!other) return [{ item_id: id }];
      return [{ item_id: id, price: wirePrice(work, price ? ref : item.ref, other) }];
    }),
  };
}

function wireShifts(
  losses: LossBook,
  ref: EntityRef,
  schedules: readonly Schedule[],
): readonly Shift[] {
  const { shifts, leadingDay, openedDays, changedDays } = mergeWeek(schedules);
  const effects = [
    ...(openedDays.length > 0 ? [`opens ${openedDays.join(', ')}`] : []),
    ...(changedDays.length > 0 ? [`changes ${changedDays.join(', ')}`] : []),
  ];
  if (effects.length > 0) {
    losses.add('days_merged', ref, `those of ${leadingDay}, which ${effects.join(' and ')}`);
  }
  return shifts;
}

/** Name and description; the latter is absent if it is empty. */
function wireTexts(
  losses: LossBook,
  ref: EntityRef,
  entity: { readonly name: string; readonly description?: string | null },
): { readonly name: string; readonly description?: string } {
  const { name, description } = fitTexts(losses, ref, entity, TEXT_LENGTHS);
  return { name, ...(description && { description }) };
}

/** `ref` names the price. */
function wirePrice({ store, losses }: Work, ref: EntityRef, price: Price): string {
  const value = amountOf(price);
  hasCoin(losses, ref, value, store);
  return toDecimalText(value);
}
