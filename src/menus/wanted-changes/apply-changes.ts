import { quoteValue } from '../../platform/text/quote-value';
import { compactJson, rawElements, rawMembers, withMembers } from '../../platform/text/raw-json';
import type { MenuDocument, Price } from '../menu';
import type { WantedChanges, WantedItemChange, WantedOptionPrice } from './wanted-changes';

/** The changed menu, its four lists as JSON; or one sentence for each id that it does not have. */
export type AppliedChanges =
  | { readonly ok: true; readonly text: Buffer }
  | { readonly ok: false; readonly sentences: readonly string[] };

/**
 * Makes the changes in a kept menu, the JSON of its four lists. All of it that is not changed stays as it was sent, to
 * the digit. One pass over the text, and linear in it and the changes.
 */
export function applyChanges(menu: string, changes: WantedChanges): AppliedChanges {
  const lists = rawMembers(menu);
  const kept = keptMenuOf(lists);
  const unknown = new Set<string>();
  const report = (what: string, id: string): void => {
    unknown.add(`${what} does not exist: ${quoteValue(id)}`);
  };
  for (const item of changes.items) changeItem(kept, item, report);
  for (const option of changes.options) changeOption(kept, option, report);
  if (unknown.size > 0) return { ok: false, sentences: [...unknown] };
  return { ok: true, text: textOf(kept, lists) };
}

type Report = (what: string, id: string) => void;

/** A list of entities: as they were sent, parsed, and where each id stands first. */
interface KeptList<T> {
  readonly texts: string[];
  readonly entities: readonly T[];
  readonly places: ReadonlyMap<string, number>;
}

interface KeptMenu {
  readonly menus: KeptList<MenuDocument['menus'][number]>;
  readonly categories: KeptList<MenuDocument['categories'][number]>;
  readonly items: KeptList<MenuDocument['items'][number]>;
  readonly groups: KeptList<MenuDocument['modifier_groups'][number]>;
  readonly isRead: (name: 'menus' | 'categories' | 'items' | 'groups') => boolean;
}

/** Each list is read when it is first needed: most changes are of items alone. */
function keptMenuOf(lists: ReadonlyMap<string, string>): KeptMenu {
  const read: Partial<{ -readonly [Name in keyof KeptMenu]: KeptMenu[Name] }> = {};
  return {
    get menus() {
      return (read.menus ??= readList(lists.get('menus'), (each) => each.identifier));
    },
    get categories() {
      return (read.categories ??= readList(lists.get('categories'), (each) => each.external_id));
    },
    get items() {
      return (read.items ??= readList(lists.get('items'), (each) => each.external_id));
    },
    get groups() {
      return (read.groups ??= readList(lists.get('modifier_groups'), (each) => each.external_id));
    },
    isRead: (name) => read[name] !== undefined,
  };
}

function readList<T>(text = '[]', idOf: (entity: T) => string): KeptList<T> {
  const entities = JSON.parse(text) as readonly T[];
  const places = new Map<string, number>();
  entities.forEach((entity, place) => {
    const id = idOf(entity);
    if (!places.has(id)) places.set(id, place);
  });
  return { texts: [...rawElements(text)], entities, places };
}

function changeItem(kept: KeptMenu, change: WantedItemChange, report: Report): void {
  const { external_id: id, details, prices_by_menu: menuPrices, ...values } = change;
  const place = kept.items.places.get(id);
  if (place === undefined) return report('The item external id', id);
  const old = kept.items.texts[place] ?? '{}';
  const members = new Map(Object.entries(values).map(([name, value]) => [name, textOrNone(value)]));
  if (details !== undefined) members.set('details', changedDetails(old, details));
  kept.items.texts[place] = withMembers(old, members);
  for (const { item_external_id: bundled } of details?.bundled_items ?? []) {
    if (!kept.items.places.has(bundled)) report('The item bundled item external id', bundled);
  }
  if (menuPrices === undefined) return;
  if (menuPrices === null) {
    for (const categoryId of kept.categories.places.keys()) setPrice(kept, categoryId, id, null);
    return;
  }
  for (const { identifier, price = null } of menuPrices) {
    const menu = kept.menus.entities[kept.menus.places.get(identifier) ?? -1];
    if (!menu) {
      report('The menu identifier', identifier);
      continue;
    }
    const isSet = menu.category_external_ids.map((categoryId) =>
      setPrice(kept, categoryId, id, price),
    );
    if (!isSet.includes(true)) report('The category data item external id', id);
  }
}

/** The details with these members in place of theirs; null leaves one out, and null for all of them every one. */
function changedDetails(
  item: string,
  details: NonNullable<WantedItemChange['details']> | null,
): string | undefined {
  if (details === null) return undefined;
  const old = rawMembers(item).get('details') ?? 'null';
  const members = new Map(
    Object.entries(details).map(([name, value]) => [name, textOrNone(value)]),
  );
  return withMembers(old === 'null' ? '{}' : old, members);
}

/** An item's price in one category; false: it does not stand there. */
function setPrice(
  { categories }: KeptMenu,
  categoryId: string,
  itemId: string,
  price: Price | null,
): boolean {
  const place = categories.places.get(categoryId);
  if (place === undefined) return false;
  return setPrices(categories, place, 'data_items', itemId, price);
}

function changeOption(
  { groups }: KeptMenu,
  { modifier_group_external_id: groupId, item_external_id: itemId, price }: WantedOptionPrice,
  report: Report,
): void {
  const place = groups.places.get(groupId);
  if (place === undefined) return report('The modifier group external id', groupId);
  const isSet = setPrices(groups, place, 'data_options', itemId, price);
  if (!isSet) report('The modifier group data option external id', itemId);
}

/** The price of an item wherever it stands in the inner list of an entity; false: nowhere. */
function setPrices<T extends object>(
  list: KeptList<T>,
  place: number,
  inner: 'data_items' | 'data_options',
  itemId: string,
  price: Price | null,
): boolean {
  const entity = list.entities[place] as
    | { readonly [name: string]: readonly { readonly item_external_id: string }[] }
    | undefined;
  const references = entity?.[inner] ?? [];
  if (!references.some((one) => one.item_external_id === itemId)) return false;
  const text = list.texts[place] ?? '{}';
  const changed = rawElements(rawMembers(text).get(inner) ?? '[]').map((element, index) =>
    references[index]?.item_external_id === itemId
      ? withMembers(element, new Map([['price', textOrNone(price)]]))
      : element,
  );
  list.texts[place] = withMembers(text, new Map([[inner, `[${changed.join(',')}]`]]));
  return true;
}

/** What is null, or an empty text, is left out: it counts as absent. */
function textOrNone(value: unknown): string | undefined {
  return value === null || value === '' ? undefined : JSON.stringify(value);
}

function textOf(kept: KeptMenu, lists: ReadonlyMap<string, string>): Buffer {
  const list = (name: 'categories' | 'items' | 'groups', member: string = name): string =>
    kept.isRead(name) ? `[${kept[name].texts.join(',')}]` : (lists.get(member) ?? '[]');
  return compactJson(
    '{"menus":',
    lists.get('menus') ?? '[]',
    `,"categories":${list('categories')}`,
    `,"items":${list('items')}`,
    `,"modifier_groups":${list('groups', 'modifier_groups')}}`,
  );
}
