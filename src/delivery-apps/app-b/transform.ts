import type {
  Category,
  DataModifierGroup,
  Item,
  Menu,
  ModifierGroup,
  Schedule,
} from '../../menus/menu';
import { reportOptionQuantities, reportPromotions } from '../ignored-fields';
import { addImageLoss, createLossBook, type EntityRef, type LossBook } from '../losses';
import { isHttpsUrl } from '../images/https-url';
import { firstOfEach, indexMenu, type MenuIndex } from '../menu-index';
import {
  digitsToInteger,
  type NamedPrices,
  namedPrices,
  reportPriceConflicts,
  toDecimalText,
} from '../prices';
import { isLonger } from '../../platform/text/is-longer';
import { reportRepeatedReferences } from '../repeated-references';
import type { TransformInput, TransformResult } from '../types';
import { findUsedEntities, reportUnusedEntities, type UsedEntities } from '../unused-entities';
import { MAX_DESCRIPTION_CHARACTERS, MAX_NAME_CHARACTERS } from './rules';
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
  readonly index: MenuIndex;
  readonly used: UsedEntities;
  readonly losses: LossBook;
}

/** The menu in App B's form, and the losses. Prices are decimal text; hours are the same every day. */
export function transformForAppB(
  { menu: document }: TransformInput,
  losses = createLossBook(),
): TransformResult {
  const index = indexMenu(document);
  const work: Work = { index, used: findUsedEntities(document, index), losses };
  document.menus.slice(1).forEach((menu, position) => {
    losses.add('second_menu_refused', menuRef(menu, position + 1));
  });
  const [menu] = document.menus;
  const prices = namedPrices(document.menus, index);
  const payload = menu ? wireDocument(work, menu, prices[0]) : null;
  reportPriceConflicts(document.menus, prices, index, losses);
  reportRepeatedReferences(index, work.used, losses);
  reportPromotions(index, work.used, prices, losses);
  reportOptionQuantities(index, work.used, losses);
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
      const { price } = prices?.get(entity.external_id) ?? entity;
      return wireItem(work, entity, ref, toDecimalText(price.value));
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
  checkTexts(losses, ref, menu);
  const shifts = wireShifts(losses, ref, menu.schedules);
  if (shifts.length === 0) losses.add('no_hours', ref);
  const ids = menu.category_external_ids.filter((id) => index.categories.has(id));
  return {
    id: menu.identifier,
    name: menu.name,
    ...described(menu.description),
    category_ids: firstOfEach(ids, (id) => id),
    shifts,
  };
}

function wireCategory({ index, losses }: Work, category: Category, ref: EntityRef): WireCategory {
  checkTexts(losses, ref, category);
  const ids = category.data_items.map((reference) => reference.item_external_id);
  return {
    id: category.external_id,
    name: category.name,
    ...described(category.description),
    item_ids: firstOfEach(ids, (id) => id).filter((id) => index.items.has(id)),
  };
}

function wireItem(work: Work, item: Item, ref: EntityRef, price: string): WireItem {
  checkTexts(work.losses, ref, item);
  const shifts = wireShifts(work.losses, ref, item.schedules ?? []);
  const groups = firstOfEach(item.data_modifier_groups, (one) => one.modifier_group_external_id);
  return {
    id: item.external_id,
    name: item.name,
    ...described(item.description),
    ...pictured(work.losses, ref, item.image_url),
    price,
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
  const min = digitsToInteger(quantity.min_quantity);
  return [{ id, min, max: digitsToInteger(quantity.max_quantity) }];
}

function wireOptionGroup(
  { index, losses }: Work,
  group: ModifierGroup,
  ref: EntityRef,
  prices: NamedPrices | undefined,
): WireOptionGroup {
  checkTexts(losses, ref, group);
  const options = firstOfEach(group.data_options, (option) => option.item_external_id);
  return {
    id: group.external_id,
    name: group.name,
    options: options.flatMap(({ item_external_id: id, price }) => {
      const item = index.items.get(id)?.entity;
      // By default the app uses the item's price in the menu, but an option costs what the item itself costs.
      const other = price ?? (prices?.has(id) ? item?.price : undefined);
      return item ? [{ item_id: id, ...(other && { price: toDecimalText(other.value) }) }] : [];
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

function described(description: string | null | undefined): { readonly description?: string } {
  return description ? { description } : {};
}

function pictured(
  losses: LossBook,
  ref: EntityRef,
  url: string | null | undefined,
): { readonly image_url?: string } {
  if (!url) return {};
  if (isHttpsUrl(url)) return { image_url: url };
  addImageLoss(losses, ref, 'not_https');
  return {};
}

/** A text that is too long blocks: cutting it would show half a name, and the app refuses the whole menu. */
function checkTexts(
  losses: LossBook,
  ref: EntityRef,
  entity: { readonly name: string; readonly description?: string | null },
): void {
  const problems: string[] = [];
  if (isLonger(entity.name, MAX_NAME_CHARACTERS)) {
    problems.push(`name may not be greater than ${MAX_NAME_CHARACTERS} characters`);
  }
  if (isLonger(entity.description ?? '', MAX_DESCRIPTION_CHARACTERS)) {
    problems.push(`description may not be greater than ${MAX_DESCRIPTION_CHARACTERS} characters`);
  }
  if (problems.length > 0) losses.add('text_too_long', ref, problems.join(', its '));
}
