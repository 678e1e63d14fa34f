import type { ChangeCounts, MenuChange } from '../../menus/changes/menu-changes';
import { amount } from '../amount';
import { Page, type PageFrame } from '../page';
import { NextPage } from '../controls';
import { Fields, State, Table, Text } from '../parts';

/** The difference between two menus, as the API returns it. */
export interface ChangesOfUpload {
  readonly against: string | null;
  readonly counts: ChangeCounts;
  readonly changes: readonly MenuChange[];
}

export function UploadChangesPage({
  frame,
  uploadId,
  changes: { against, counts, changes },
  filter,
  nextCursor,
}: {
  readonly frame: PageFrame;
  readonly uploadId: string;
  readonly changes: ChangesOfUpload;
  readonly filter: Readonly<Record<string, string>>;
  readonly nextCursor: string | null | undefined;
}) {
  const path = `/console/uploads/${uploadId}/changes`;
  return (
    <Page frame={frame}>
      <Fields
        fields={[
          ['Upload', <UploadLink key="upload" id={uploadId} />],
          ['Compared with', against ? <UploadLink key="against" id={against} /> : 'no menu at all'],
          ['Added', counts.added],
          ['Removed', counts.removed],
          ['Changed', counts.changed],
        ]}
      />
      <form method="get" action={path} class="filter">
        <label>
          Compare with{' '}
          <select name="against">
            <option value="previous">what was live before</option>
            <option value="live" selected={filter['against'] === 'live'}>
              what is live now
            </option>
          </select>
        </label>
        <button type="submit">Show</button>
      </form>
      {filter['against'] === 'live' && (
        <p>Guests would see these differences if this menu went live now.</p>
      )}
      <Table
        caption="What differs, side by side"
        none="The two menus are the same."
        rows={changes}
        columns={[
          { title: 'Change', cell: (row) => <State name={row.op} /> },
          { title: 'Of', cell: (row) => row.kind.replaceAll('_', ' ') },
          { title: 'Id', cell: (row) => <Text>{row.external_id}</Text> },
          { title: 'Within', cell: (row) => <Text>{row.within}</Text> },
          { title: 'Field', cell: (row) => <Text>{row.field}</Text> },
          {
            title: 'Before',
            as: 'sentence',
            cell: (row) => <Value of={row.before} field={row.field} />,
          },
          {
            title: 'After',
            as: 'sentence',
            cell: (row) => <Value of={row.after} field={row.field} />,
          },
        ]}
      />
      <NextPage path={path} filter={filter} cursor={nextCursor} />
    </Page>
  );
}

function UploadLink({ id }: { readonly id: string }) {
  return <a href={`/console/uploads/${id}`}>{id}</a>;
}

const LONGEST_VALUE = 300;

/** A value as it was sent, a price as people read it; an element by its name, if it has one. */
function Value({ of: value, field }: { readonly of: unknown; readonly field: string | undefined }) {
  if (value === undefined || value === null) return <>–</>;
  if (field?.startsWith('price.') && typeof value === 'string' && /^\d+$/.test(value)) {
    return <>{amount(value)}</>;
  }
  if (typeof value === 'string') return <>{value}</>;
  if (typeof value === 'object' && 'name' in value && typeof value.name === 'string') {
    return <>{value.name}</>;
  }
  const text = JSON.stringify(value);
  return <code>{text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)} …` : text}</code>;
}
