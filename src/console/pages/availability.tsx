import { Page, type PageFrame } from '../page';
import { Action, NextPage } from '../controls';
import { Integration, Store } from '../names';
import { State, Table, Trace, When } from '../parts';
import type { WaitingFor } from '../../contract/why-it-waits';
import { Waits } from '../waits';
import type { Names } from '../sql/names';

/** An item off sale, as the API returns it, with the workflow that switches it. */
export interface UnavailableEntry {
  readonly external_id: string;
  readonly store_id: number;
  readonly integration_id: string;
  readonly until: Date | null;
  readonly since: Date;
  readonly source: string;
  readonly state: string;
  readonly message: string | null;
  readonly waiting_for: WaitingFor | null;
  /** Null: there is no UI of Temporal. */
  readonly traceUrl: string | null;
}

export function AvailabilityPage({
  frame,
  items,
  names,
  filter,
  nextCursor,
}: {
  readonly frame: PageFrame;
  readonly items: readonly UnavailableEntry[];
  readonly names: Names;
  readonly filter: Readonly<Record<string, string>>;
  readonly nextCursor: string | null | undefined;
}) {
  return (
    <Page frame={frame}>
      <p>
        A failed one is wanted off sale, and the delivery app has not done it.{' '}
        {filter['store_id'] && <a href="/console/availability">Those of all stores</a>}
      </p>
      <Table
        caption="Items that are off sale, newest first"
        none={nextCursor ? 'None among those that were looked at.' : 'Everything is on sale.'}
        rows={items}
        columns={[
          { title: 'Item', cell: (row) => row.external_id },
          {
            title: 'Store',
            cell: (row) => <Store id={row.store_id} names={names} />,
          },
          {
            title: 'Integration',
            cell: (row) => <Integration id={row.integration_id} names={names} />,
          },
          { title: 'State', cell: (row) => <State name={row.state} /> },
          {
            title: 'The app said',
            as: 'sentence',
            cell: (row) => <Waits waits={row.waiting_for} otherwise={row.message} />,
          },
          { title: 'By', cell: (row) => row.source },
          { title: 'Since', cell: (row) => <When at={row.since} /> },
          { title: 'Until', cell: (row) => <When at={row.until} /> },
          { title: 'Trace', cell: (row) => <Trace url={row.traceUrl} /> },
          {
            title: 'Action',
            cell: (row) => (
              <Action
                name="Put back"
                question={`Guests of the delivery app can order ${row.external_id} again.`}
                path="/console/availability/restore"
                formToken={frame.formTokenFor(row)}
                fields={{
                  store_id: String(row.store_id),
                  integration_id: row.integration_id,
                  external_id: row.external_id,
                }}
              />
            ),
          },
        ]}
      />
      <NextPage path="/console/availability" filter={filter} cursor={nextCursor} />
    </Page>
  );
}
