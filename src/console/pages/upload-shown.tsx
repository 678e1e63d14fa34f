import type { Loss } from '../../delivery-apps/types';
import type { Shown, ShownItem } from '../../delivery-apps/shown';
import { Page, type PageFrame } from '../page';
import { Fields, State, Table, Text } from '../parts';
import type { WholeUpload } from './upload';

/** More would make a page that nobody reads to its end. */
const MOST_ITEMS = 500;

/** What the app shows of an upload, with what was lost beside the entity that lost it. */
export function UploadShownPage({
  frame,
  upload,
  shown,
}: {
  readonly frame: PageFrame;
  readonly upload: WholeUpload;
  readonly shown: Shown;
}) {
  const items = new Map(shown.items.map((item) => [item.external_id, item]));
  const losses = byEntity(upload.losses);
  const lists = shown.menus.flatMap((menu) =>
    menu.categories.map((category) => ({ menu, category })),
  );
  const known = new Set([
    ...shown.menus.map(({ identifier }) => identifier),
    ...lists.map(({ category }) => category.external_id),
    ...items.keys(),
    ...shown.modifier_groups.map((group) => group.external_id),
  ]);
  const elsewhere = upload.losses.filter(({ external_id: id }) => id === null || !known.has(id));
  let left = MOST_ITEMS;
  return (
    <Page frame={frame}>
      <Fields
        fields={[
          [
            'Upload',
            <a key="upload" href={`/console/uploads/${upload.upload_id}`}>
              {upload.upload_id}
            </a>,
          ],
          ['Integration', upload.integration_id],
          ['Menus', shown.menus.length],
          ['Items', shown.items.length],
          ['Losses', upload.losses.length],
        ]}
      />
      {lists.map(({ menu, category }) => {
        const rows = category.items.slice(0, Math.max(0, left));
        left -= category.items.length;
        const title = `${menu.name}: ${category.name}`;
        return (
          <section key={`${menu.identifier} ${category.external_id}`}>
            <h2>{title}</h2>
            <Losses of={[menu.identifier, category.external_id]} losses={losses} />
            <Table
              caption={`Items of ${title}`}
              none="No item of it is shown."
              rows={rows}
              columns={[
                { title: 'Item', cell: (id) => items.get(id)?.name ?? id },
                { title: 'Id', cell: (id) => id },
                { title: 'Price', numeric: true, cell: (id) => priceOf(items.get(id)) },
                { title: 'On sale', cell: (id) => (items.get(id)?.available ? 'yes' : 'no') },
                {
                  title: 'Groups',
                  cell: (id) => (
                    <Text>
                      {items
                        .get(id)
                        ?.modifier_groups.map((each) => each.external_id)
                        .join(', ')}
                    </Text>
                  ),
                },
                { title: 'Lost', cell: (id) => <Losses of={[id]} losses={losses} /> },
              ]}
            />
          </section>
        );
      })}
      {left < 0 && (
        <p class="none">{`The first ${MOST_ITEMS} items. The API answers all of them.`}</p>
      )}
      <section>
        <h2>Modifier groups</h2>
        <Table
          caption="Modifier groups"
          none="There are none."
          rows={shown.modifier_groups.slice(0, MOST_ITEMS)}
          columns={[
            { title: 'Group', cell: (row) => row.name },
            { title: 'Id', cell: (row) => row.external_id },
            { title: 'Choose', cell: (row) => `${row.min} to ${row.max}` },
            {
              title: 'Options',
              cell: (row) =>
                row.options
                  .map(
                    (each) =>
                      `${items.get(each.external_id)?.name ?? each.external_id} ${amount(each.price)}`,
                  )
                  .join(', '),
            },
            { title: 'Lost', cell: (row) => <Losses of={[row.external_id]} losses={losses} /> },
          ]}
        />
      </section>
      <section>
        <h2>Not shown at all</h2>
        <Table
          caption="Losses of what the app does not show"
          none="Everything that was sent is shown."
          rows={elsewhere}
          columns={[
            { title: 'Severity', cell: (loss) => <State name={loss.severity} /> },
            { title: 'Entity', cell: (loss) => <Text>{loss.external_id}</Text> },
            { title: 'Loss', cell: (loss) => loss.message },
          ]}
        />
      </section>
    </Page>
  );
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
    found.set(id, [...(found.get(id) ?? []), loss]);
  }
  return found;
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
