import type { Loss } from '../delivery-apps/types';
import type { Shown, ShownItem } from '../delivery-apps/shown';
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
  const losses = byEntity(all);
  const lists = shown.menus.flatMap((menu) =>
    menu.categories.map((category) => ({ menu, category })),
  );
  const known = new Set([
    ...shown.menus.map(({ identifier }) => identifier),
    ...lists.map(({ category }) => category.external_id),
    ...items.keys(),
    ...shown.modifier_groups.map((group) => group.external_id),
  ]);
  const elsewhere = all.filter(({ external_id: id }) => id === null || !known.has(id));
  let left = mostItems;
  return (
    <>
      {lists.map(({ menu, category }) => {
        const rows = category.items.slice(0, Math.max(0, left));
        left -= category.items.length;
        const title = `${menu.name}: ${category.name}`;
        return (
          <section key={`${menu.identifier} ${category.external_id}`}>
            <Heading>{title}</Heading>
            <Losses of={[menu.identifier, category.external_id]} losses={losses} />
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
                  title: 'Lost',
                  as: 'sentence',
                  cell: (id) => <LossesOfRow id={id} losses={losses} />,
                },
              ]}
            />
          </section>
        );
      })}
      {left < 0 && (
        <p class="none">{`The first ${mostItems} items. The API answers all of them.`}</p>
      )}
      <section>
        <Heading>Modifier groups</Heading>
        <Table
          caption={`Modifier groups${where}`}
          none="There are none."
          rows={shown.modifier_groups.slice(0, mostItems)}
          columns={[
            { title: 'Group', cell: (row) => row.name },
            { title: 'Id', cell: (row) => row.external_id },
            { title: 'Choose', cell: (row) => `${row.min} to ${row.max}` },
            {
              title: 'Options',
              cell: (row) =>
                row.options
                  .map(
                    ({ external_id: id, price }) => `${items.get(id)?.name ?? id} ${amount(price)}`,
                  )
                  .join(', '),
            },
            {
              title: 'Lost',
              as: 'sentence',
              cell: (row) => <LossesOfRow id={row.external_id} losses={losses} />,
            },
          ]}
        />
      </section>
      <section>
        <Heading>Not shown at all</Heading>
        <LostTable
          caption={`Losses of what the app does not show${where}`}
          none="Everything that was sent is shown."
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

function LossesOfRow({
  id,
  losses,
}: {
  readonly id: string;
  readonly losses: ReadonlyMap<string, readonly Loss[]>;
}) {
  return losses.has(id) ? <Losses of={[id]} losses={losses} /> : <>nothing</>;
}

function Losses({
  of: ids,
  losses,
}: {
  readonly of: readonly string[];
  readonly losses: ReadonlyMap<string, readonly Loss[]>;
}) {
  const found = ids.flatMap((id) => losses.get(id) ?? []);
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

function byEntity(losses: readonly Loss[]): ReadonlyMap<string, readonly Loss[]> {
  const found = new Map<string, Loss[]>();
  for (const loss of losses) {
    const id = loss.external_id ?? '';
    const others = found.get(id);
    if (others) others.push(loss);
    else found.set(id, [loss]);
  }
  return found;
}

function groupsOf(item: ShownItem | undefined): string | undefined {
  return item?.modifier_groups.map((each) => each.external_id).join(', ');
}

function priceOf(item: ShownItem | undefined): string {
  if (!item) return '–';
  const { price, promotion_price: promotion } = item;
  return promotion === null ? amount(price) : `${amount(promotion)} (${amount(price)})`;
}

/** Prices are digits with two implied decimals. */
function amount(price: string): string {
  const digits = price.padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
