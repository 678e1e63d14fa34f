import type { Loss } from '../delivery-apps/types';
import type {
  Shown,
  ShownCategory,
  ShownGroup,
  ShownItem,
  ShownItemGroup,
  ShownMenu as ShownMenuEntity,
} from '../delivery-apps/shown';
import { amount } from './amount';
import { detailWords } from './detail-words';
import { State, Table, Text } from './parts';

interface ShownMenuProps {
  readonly shown: Shown;
  readonly losses: readonly Loss[];
  /** A longer page would not be read to its end. */
  readonly mostItems: number;
  /** Distinguishes the tables of several menus on one page: ` in integration 12`. */
  readonly where?: string;
  readonly heading?: 'h2' | 'h3';
}

/** A menu as an app shows it, with each loss beside its menu entity. */
export function ShownMenu({
  shown,
  losses: all,
  mostItems,
  where = '',
  heading: Heading = 'h2',
}: ShownMenuProps) {
  const items = new Map(shown.items.map((item) => [item.external_id, item]));
  const { lists, isCut } = listsOf(shown, mostItems);
  const groups = shown.modifier_groups.slice(0, mostItems);
  const keysOfGroups = placeGroups(lists, groups);
  const { losses, elsewhere } = placeLosses(all, lists, keysOfGroups);
  return (
    <>
      {lists.map(({ menu, category, rows }) => {
        const title = `${menu.name}: ${category.name}`;
        return (
          <section key={`${menu.identifier} ${category.external_id}`}>
            <Heading>{title}</Heading>
            <Losses of={[keyOfMenu(menu), keyOfCategory(category)]} losses={losses} />
            <Table
              caption={`Items of ${title}${where}`}
              none="No item of it is shown."
              rows={rows}
              columns={[
                { title: 'Item', cell: (id) => items.get(id)?.name ?? id },
                { title: 'Id', cell: (id) => id },
                { title: 'Price', as: 'number', cell: (id) => priceOf(items.get(id)) },
                { title: 'On sale', cell: (id) => (items.get(id)?.available ? 'yes' : 'no') },
                { title: 'Groups', cell: (id) => <Text>{groupsOf(items.get(id))}</Text> },
                {
                  title: 'Details',
                  as: 'sentence',
                  cell: (id) => <Text>{detailsOf(items.get(id))}</Text>,
                },
                {
                  title: 'Lost',
                  as: 'sentence',
                  cell: (id) => <LossesOfRow of={[keyOfItem(id)]} losses={losses} />,
                },
              ]}
            />
          </section>
        );
      })}
      {isCut && <p class="none">{`The first ${mostItems} items. The API answers all of them.`}</p>}
      <section>
        <Heading>Modifier groups</Heading>
        <Table
          caption={`Modifier groups${where}`}
          none="There are none."
          rows={groups}
          columns={[
            { title: 'Group', cell: (row) => row.name },
            { title: 'Id', cell: (row) => row.external_id },
            { title: 'Choose', cell: ({ min, max }) => choiceOf(min, max) },
            {
              title: 'Options',
              cell: (row) => row.options.map((option) => optionOf(option, items)).join(', '),
            },
            {
              title: 'Lost',
              as: 'sentence',
              cell: (row) => <LossesOfRow of={keysOfGroups.get(row) ?? []} losses={losses} />,
            },
          ]}
        />
      </section>
      <section>
        <Heading>Other losses</Heading>
        <LostTable
          caption={`Losses that stand beside no entity above${where}`}
          none="There are no other losses."
          losses={elsewhere}
        />
      </section>
    </>
  );
}

/** Losses with their menu entities. */
export function LostTable({
  caption,
  none,
  losses,
}: {
  readonly caption: string;
  readonly none: string;
  readonly losses: readonly Loss[];
}) {
  return (
    <Table
      caption={caption}
      none={none}
      rows={losses}
      columns={[
        { title: 'Severity', cell: (loss) => <State name={loss.severity} /> },
        { title: 'Entity', cell: (loss) => <Text>{loss.external_id}</Text> },
        { title: 'Loss', as: 'sentence', cell: (loss) => loss.message },
      ]}
    />
  );
}

/** Losses by the key of the entity beside which they stand. */
type PlacedLosses = ReadonlyMap<string, readonly Loss[]>;

interface PlaceProps {
  readonly of: readonly string[];
  readonly losses: PlacedLosses;
}

function LossesOfRow({ of: keys, losses }: PlaceProps) {
  return keys.some((key) => losses.has(key)) ? <Losses of={keys} losses={losses} /> : <>nothing</>;
}

function Losses({ of: keys, losses }: PlaceProps) {
  const found = keys.flatMap((key) => losses.get(key) ?? []);
  if (found.length === 0) return null;
  return (
    <ul class="losses">
      {found.map((loss, index) => (
        <li key={index}>
          <State name={loss.severity} /> {loss.message}
        </li>
      ))}
    </ul>
  );
}

/** A category with those of its items that have a row. */
interface ListOfItems {
  readonly menu: ShownMenuEntity;
  readonly category: ShownCategory;
  readonly rows: readonly string[];
}

function listsOf(shown: Shown, mostItems: number): { lists: ListOfItems[]; isCut: boolean } {
  let left = mostItems;
  const lists = shown.menus.flatMap((menu) =>
    menu.categories.map((category) => {
      const rows = category.items.slice(0, Math.max(0, left));
      left -= category.items.length;
      return { menu, category, rows };
    }),
  );
  return { lists, isCut: left < 0 };
}

type KeysOfGroups = ReadonlyMap<ShownGroup, readonly string[]>;

/**
 * What stands in the row of each group: the group, and those of its options that have no row of their own. An option of
 * many groups is with the first of them, so that a page is no longer than the losses are.
 */
function placeGroups(lists: readonly ListOfItems[], groups: readonly ShownGroup[]): KeysOfGroups {
  const placed = new Set(lists.flatMap(({ rows }) => rows.map(keyOfItem)));
  return new Map(
    groups.map((group) => {
      const options = new Set(group.options.map((option) => keyOfItem(option.external_id)));
      const own = [...options].filter((key) => !placed.has(key));
      for (const key of own) placed.add(key);
      return [group, [keyOf('modifier_groups', group.external_id), ...own]];
    }),
  );
}

/**
 * Divides losses into those that have a place among these rows and all others, so that none is missing from the page:
 * the entity of a loss may be shown only as copies, or be in a row that is not drawn.
 */
function placeLosses(
  all: readonly Loss[],
  lists: readonly ListOfItems[],
  keysOfGroups: KeysOfGroups,
): { readonly losses: PlacedLosses; readonly elsewhere: readonly Loss[] } {
  const places = new Set([
    ...lists.flatMap(({ menu, category, rows }) => [
      keyOfMenu(menu),
      keyOfCategory(category),
      ...rows.map(keyOfItem),
    ]),
    ...[...keysOfGroups.values()].flat(),
  ]);
  const losses = new Map<string, Loss[]>();
  const elsewhere: Loss[] = [];
  for (const loss of all) {
    const key = keyOfLoss(loss);
    const others = losses.get(key);
    if (others) others.push(loss);
    else if (places.has(key)) losses.set(key, [loss]);
    else elsewhere.push(loss);
  }
  return { losses, elsewhere };
}

/** Entities of different kinds may have the same id, so a key has the name of the entity's list in the menu. */
const keyOf = (list: string, id: string) => `${list} ${id}`;
const keyOfMenu = ({ identifier }: ShownMenuEntity) => keyOf('menus', identifier);
const keyOfCategory = ({ external_id: id }: ShownCategory) => keyOf('categories', id);
const keyOfItem = (id: string) => keyOf('items', id);

function keyOfLoss({ pointer, external_id: id }: Loss): string {
  return keyOf(pointer.split('/')[1] ?? '', id ?? '');
}

function groupsOf(item: ShownItem | undefined): string | undefined {
  return item?.modifier_groups.map(groupOf).join(', ');
}

function groupOf({ external_id: id, min, max, free_quantity: free }: ShownItemGroup): string {
  return `${id} (${choiceOf(min, max)}${free ? `, ${free} free` : ''})`;
}

/** How many are chosen. */
function choiceOf(min: number, max: number): string {
  return min === max ? `exactly ${max}` : `${min} to ${max}`;
}

function optionOf(
  { external_id: id, price, min, max }: ShownGroup['options'][number],
  items: ReadonlyMap<string, ShownItem>,
): string {
  const limits = max === null ? '' : ` (${choiceOf(min ?? 0, max)})`;
  return `${items.get(id)?.name ?? id} ${amount(price)}${limits}`;
}

function detailsOf(item: ShownItem | undefined): string | undefined {
  return detailWords(item?.details).join('; ') || undefined;
}

function priceOf(item: ShownItem | undefined): string {
  if (!item) return '–';
  const { price, promotion_price: promotion } = item;
  return promotion === null ? amount(price) : `${amount(promotion)} (${amount(price)})`;
}
