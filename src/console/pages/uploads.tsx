import { UPLOAD_WORDS } from '../../contract/plain-words';
import { UPLOAD_STATES } from '../../../schemas/states';
import { Page, type PageFrame } from '../page';
import { byState, Filter, MADE_BY, NextPage } from '../controls';
import { Integration, Store } from '../names';
import { type Column, IdLink, reasonOf, State, Table, Terms, When } from '../parts';
import type { WaitingFor } from '../../contract/why-it-waits';
import type { UploadState } from '../../uploads/upload';
import { Waits } from '../waits';
import type { Names } from '../sql/names';

/** An upload as the API's list shows it. */
export interface UploadEntry {
  readonly upload_id: string;
  readonly store_id: number;
  readonly integration_id: string;
  readonly state: UploadState;
  readonly created_at: Date;
  readonly finished_at: Date | null;
  readonly waiting_for: WaitingFor | null;
  readonly messages: readonly string[];
  readonly user_id: string;
  readonly loss_counts: Readonly<Record<'block' | 'warn' | 'info', number>>;
}

const FILTER = [
  byState(UPLOAD_STATES),
  { name: 'store_id', label: 'Store id' },
  { name: 'integration_id', label: 'Integration id' },
  ...MADE_BY,
];

const uploadColumns = (names: Names): readonly Column<UploadEntry>[] => [
  {
    title: 'Upload',
    cell: (row) => <IdLink path="/console/uploads" id={row.upload_id} />,
  },
  { title: 'State', cell: (row) => <State name={row.state} /> },
  { title: 'Store', cell: (row) => <Store id={row.store_id} names={names} /> },
  { title: 'Integration', cell: (row) => <Integration id={row.integration_id} names={names} /> },
  { title: 'Accepted', cell: (row) => <When at={row.created_at} /> },
  { title: 'Ended', cell: (row) => <When at={row.finished_at} /> },
  {
    title: 'Losses',
    as: 'number',
    cell: ({ loss_counts: { block, warn, info } }) => block + warn + info,
  },
  {
    title: 'What was said',
    as: 'sentence',
    cell: (row) => <Waits waits={row.waiting_for} otherwise={reasonOf(row.messages)} />,
  },
];

export function UploadsPage({
  frame,
  uploads,
  names,
  filter,
  nextCursor,
}: {
  readonly frame: PageFrame;
  readonly uploads: readonly UploadEntry[];
  readonly names: Names;
  readonly filter: Readonly<Record<string, string>>;
  readonly nextCursor: string | null | undefined;
}) {
  return (
    <Page frame={frame}>
      <Filter path="/console/uploads" fields={FILTER} filter={filter} />
      <Terms words={UPLOAD_WORDS} />
      <Table
        caption={
          filter['store_id']
            ? `Uploads of store ${filter['store_id']}, newest first`
            : 'Uploads, newest first'
        }
        none={nextCursor ? 'None among those that were looked at.' : 'There are none.'}
        rows={uploads}
        columns={uploadColumns(names)}
      />
      <NextPage
        path="/console/uploads"
        csv="/console/uploads.csv"
        filter={filter}
        cursor={nextCursor}
      />
    </Page>
  );
}
