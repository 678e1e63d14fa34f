import {
  amountOf,
  type GroupQuantity,
  type Category,
  type DataOption,
  type Item,
  type Menu,
  type MenuDocument,
  type ModifierGroup,
  type Price,
  type Quantity,
} from '../../src/menus/menu';

/** A price that a menu names for an item, and where it says so. */
interface NamedPrice {
  readonly price: Price;
  readonly pointer: string;
}

interface SentMenuPart {
  readonly menu: Menu;
  readonly pointer: string;
  readonly categories: readonly {
    readonly category: Category;
    readonly pointer: string;
    /** Each item once. */
    readonly items: readonly string[];
  }[];
  readonly soldItems: ReadonlySet<string>;
  /** By item: the first price that the menu names for it. */
  readonly prices: ReadonlyMap<string, NamedPrice>;
}

interface DroppedPart {
  readonly what: string;
  readonly pointer: string;
  readonly losses: readonly string[];
}

/** The content of a menu, with the rules for repeated parts. */
export interface SentMenu {
  readonly menus: readonly SentMenuPart[];
  readonly categories: ReadonlyMap<string, Category>;
  readonly items: ReadonlyMap<string, Item>;
  readonly groups: ReadonlyMap<string, ModifierGroup>;
  /** Parts that the menu repeats with different values: only the first counts in any app. */
  readonly dropped: readonly DroppedPart[];
  readonly pointerOf: (list: 'categories' | 'items' | 'modifier_groups', id: string) => string;
  /** Each group of an item once, with the limits that hold for it there. */
  groupsOf(
    item: Item,
  ): readonly { readonly group: ModifierGroup; readonly quantity: GroupQuantity }[];
  /** Each option of a group once. */
  readonly optionsOf: (group: ModifierGroup) => readonly DataOption[];
}

export function readSentMenu(document: MenuDocument): SentMenu {
  const items = byId(document.items);
  const groups = byId(document.modifier_groups);
  const categories = byId(document.categories);
  const pointers = new Map(
    (['categories', 'items', 'modifier_groups'] as const).flatMap((list) =>
      document[list].map(({ external_id: id }, at) => [`${list} ${id}`, `/${list}/${at}`] as const),
    ),
  );
  const pointerOf: SentMenu['pointerOf'] = (list, id) => pointers.get(`${list} ${id}`) ?? '';
  const groupsOf: SentMenu['groupsOf'] = (item) =>
    once(item.data_modifier_groups, (one) => one.modifier_group_external_id).flatMap((one) => {
      const group = groups.get(one.modifier_group_external_id);
      return group ? [{ group, quantity: one.quantity ?? group.quantity }] : [];
    });
  const menus = document.menus.map((menu, at) => {
    const placed = once(menu.category_external_ids, (id) => id).flatMap((id) => {
      const category = categories.get(id);
      if (!category) return [];
      const ids = category.data_items.map((one) => one.item_external_id);
      return [{ category, pointer: pointerOf('categories', id), items: once(ids, (one) => one) }];
    });
    return {
      menu,
      pointer: `/menus/${at}`,
      categories: placed,
      soldItems: new Set(placed.flatMap((one) => one.items)),
      prices: firstPrices(placed),
    };
  });
  const used = reachable(menus, items, groupsOf);
  return {
    menus,
    categories,
    items,
    groups,
    dropped: [
      ...priceConflicts(menus, pointerOf),
      ...document.items
        .filter((item) => used.items.has(item) && repeatsGroup(item, groups))
        .map((item) => dropped('repeated_reference_dropped', pointerOf('items', item.external_id))),
      ...document.modifier_groups
        .filter((group) => used.groups.has(group) && repeatsOption(group, items))
        .map((group) =>
          dropped('repeated_reference_dropped', pointerOf('modifier_groups', group.external_id)),
        ),
    ],
    pointerOf,
    groupsOf,
    optionsOf,
  };
}

function optionsOf(group: ModifierGroup): readonly DataOption[] {
  return once(group.data_options, (one) => one.item_external_id);
}

function dropped(code: string, pointer: string): DroppedPart {
  return { pointer, what: `${code} ${pointer}`, losses: [`${code} ${pointer}`] };
}

function firstPrices(categories: SentMenuPart['categories']): ReadonlyMap<string, NamedPrice> {
  const prices = new Map<string, NamedPrice>();
  for (const { category, pointer } of categories) {
    for (const { item_external_id: id, price } of category.data_items) {
      if (price && !prices.has(id)) prices.set(id, { price, pointer });
    }
  }
  return prices;
}

function priceConflicts(menus: readonly SentMenuPart[], pointerOf: SentMenu['pointerOf']) {
  return menus.flatMap(({ categories, prices }) =>
    categories.flatMap(({ category }) =>
      category.data_items.flatMap(({ item_external_id: id, price }) => {
        const first = prices.get(id);
        if (!price || !first || samePrice(price, first.price)) return [];
        return [dropped('item_price_conflict_in_menu', pointerOf('items', id))];
      }),
    ),
  );
}

function samePrice(one: Price, other: Price): boolean {
  const promotions = [one, other].map(({ promotion_value: value }) => Number(value ?? 0));
  return Number(amountOf(one)) === Number(amountOf(other)) && promotions[0] === promotions[1];
}

function repeatsGroup(item: Item, groups: ReadonlyMap<string, ModifierGroup>): boolean {
  const first = new Map<string, string>();
  return item.data_modifier_groups.some(({ modifier_group_external_id: id, quantity }) => {
    const effective = quantity ?? groups.get(id)?.quantity;
    const said = `${limitsText(effective)} ${Number(effective?.free_quantity ?? 0)}`;
    const known = first.get(id);
    if (known === undefined) first.set(id, said);
    return known !== undefined && known !== said;
  });
}

function repeatsOption(group: ModifierGroup, items: ReadonlyMap<string, Item>): boolean {
  const first = new Map<string, string>();
  return group.data_options.some(({ item_external_id: id, price, quantity }) => {
    const own = price ?? items.get(id)?.price ?? { value: '' };
    const promotion = Number(own.promotion_value ?? 0);
    const said = `${Number(amountOf(own))} ${promotion} ${limitsText(quantity)}`;
    const known = first.get(id);
    if (known === undefined) first.set(id, said);
    return known !== undefined && known !== said;
  });
}

function limitsText(quantity: Quantity | null | undefined): string {
  return quantity ? JSON.stringify(sentLimits(quantity)) : '';
}

/** The limits that a quantity says. */
export function sentLimits({ exactly, min_quantity: min, max_quantity: max }: Quantity) {
  return { min: Number(exactly ?? min), max: Number(exactly ?? max) };
}

function reachable(
  menus: readonly SentMenuPart[],
  items: ReadonlyMap<string, Item>,
  groupsOf: SentMenu['groupsOf'],
): { readonly items: ReadonlySet<Item>; readonly groups: ReadonlySet<ModifierGroup> } {
  const found = { items: new Set<Item>(), groups: new Set<ModifierGroup>() };
  const open = menus.flatMap(({ soldItems }) => [...soldItems]);
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const item = items.get(id);
    if (!item || found.items.has(item)) continue;
    found.items.add(item);
    for (const { group } of groupsOf(item)) {
      found.groups.add(group);
      open.push(...optionsOf(group).map((option) => option.item_external_id));
    }
  }
  return found;
}

function byId<T extends { readonly external_id: string }>(
  entities: readonly T[],
): ReadonlyMap<string, T> {
  return new Map(entities.map((entity) => [entity.external_id, entity]));
}

function once<T>(values: readonly T[], idOf: (value: T) => string): readonly T[] {
  const seen = new Set<string>();
  return values.filter((value) => seen.size < seen.add(idOf(value)).size);
}
