import type { ComponentChildren } from 'preact';
import type { UnavailableEntry } from '../../availability/sql/views';
import { appWords, Integration, Store } from '../names';
import { type Column, IdLink, reasonOf, Table, Text, When } from '../parts';
import type { Names } from '../sql/names';
import { type AwayApp, type DriftedMenu, LISTED, type StoppedRollout } from '../sql/wrong-now';

/** What is wrong in the delivery apps, beside uploads that failed. */
export interface WrongInApps {
  readonly away: readonly AwayApp[];
  readonly stillOnSale: readonly UnavailableEntry[];
  readonly drifted: readonly DriftedMenu[];
  readonly stopped: readonly StoppedRollout[];
  readonly names: Names;
}

export function WrongInAppsTables({ wrong }: { readonly wrong: WrongInApps }) {
  const { away, stillOnSale, drifted, stopped, names } = wrong;
  return (
    <>
      <Table
        caption="Uploads that wait because their app did not take them"
        none="No upload waits for an app that is away."
        rows={away}
        columns={[
          { title: 'App', cell: (row) => appWords(row.app) },
          { title: 'Uploads', as: 'number', cell: (row) => row.count },
          { title: 'Oldest', cell: (row) => <IdLink path="/console/uploads" id={row.oldestId} /> },
          { title: 'Accepted', cell: (row) => <When at={row.oldestAt} /> },
          {
            title: 'The app said',
            as: 'sentence',
            cell: (row) => <Text>{reasonOf(row.messages)}</Text>,
          },
        ]}
      />
      <Cut
        caption="Items that should be off sale and are not"
        none="No item is on sale that should not be."
        rows={stillOnSale}
        columns={[
          { title: 'Item', cell: (row) => row.externalId },
          { title: 'Store', cell: (row) => <Store id={row.storeId} names={names} /> },
          {
            title: 'Integration',
            cell: (row) => <Integration id={String(row.integrationId)} names={names} />,
          },
          { title: 'Since', cell: (row) => <When at={row.since} /> },
        ]}
        all={<a href="/console/availability">All items off sale</a>}
      />
      <Cut
        caption="Live menus that their app no longer shows as sent"
        none="No live menu is known to have drifted."
        rows={drifted}
        columns={[
          { title: 'Store', cell: (row) => <Store id={row.storeId} names={names} /> },
          {
            title: 'Integration',
            cell: (row) => <Integration id={String(row.integrationId)} names={names} />,
          },
          { title: 'Upload', cell: (row) => <IdLink path="/console/uploads" id={row.uploadId} /> },
          { title: 'Read back', cell: (row) => <When at={row.checkedAt} /> },
          { title: 'Differences', as: 'number', cell: (row) => <Text>{row.changesCount}</Text> },
        ]}
        all={<a href="/console/stores">All stores</a>}
      />
      <Cut
        caption="Rollouts that stopped after failures in the last 7 days"
        none="No rollout stopped in the last 7 days."
        rows={stopped}
        columns={[
          {
            title: 'Rollout',
            cell: (row) => <IdLink path="/console/rollouts" id={row.rolloutId} />,
          },
          { title: 'Ended', cell: (row) => <When at={row.finishedAt} /> },
        ]}
        all={<a href="/console/rollouts">All rollouts</a>}
      />
    </>
  );
}

/** A table of at most 20 rows, with the way to the others if there are more. */
function Cut<Row>({
  rows,
  all,
  ...table
}: {
  readonly caption: string;
  readonly none: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly all: ComponentChildren;
}) {
  return (
    <>
      <Table {...table} rows={rows.slice(0, LISTED)} />
      {rows.length > LISTED && (
        <p>
          {`There are more than these ${LISTED}. `}
          {all}
        </p>
      )}
    </>
  );
}
