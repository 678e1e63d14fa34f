import { CHANGE_WORDS, ITEM_WORDS, OFF_SALE_WORDS } from '../../contract/plain-words';
import { Page, type PageFrame } from '../page';
import { Action, NextPage } from '../controls';
import { Integration, Store } from '../names';
import { State, Table, Terms, Trace, When } from '../parts';
import { pathOfItem } from '../page-of-url';
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
      {filter['store_id'] && (
        <p>
          <a href="/console/availability">Those of all stores</a>
        </p>
      )}
      <Terms words={STATE_WORDS} />
      <Table
        caption="Items that are off sale, newest first"
        none={nextCursor ? 'None among those that were looked at.' : 'Everything is on sale.'}
        rows={items}
        columns={[
          {
            title: 'Item',
            cell: (row) => (
              <a href={pathOfItem(row.store_id, row.external_id)}>{row.external_id}</a>
            ),
          },
          { title: 'Store', cell: (row) => <Store id={row.store_id} names={names} /> },
          {
            title: 'Integration',
            cell: (row) => <Integration id={row.integration_id} names={names} />,
          },
          { title: 'State', cell: (row) => <State name={STATES[row.state] ?? row.state} /> },
          {
            title: 'Why, and what to do',
            as: 'sentence',
            cell: (row) => <Why item={row} />,
          },
          { title: 'Since', cell: (row) => <When at={row.since} /> },
          { title: 'Until', cell: (row) => <When at={row.until} /> },
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
      <NextPage
        path="/console/availability"
        csv="/console/availability.csv"
        filter={filter}
        cursor={nextCursor}
      />
    </Page>
  );
}

/** What the last change of it means for a guest: that it is done says nothing on a list of items off sale. */
const STATES: Readonly<Record<string, string>> = { done: 'off sale', failed: 'still sold' };

const STATE_WORDS = {
  queued: CHANGE_WORDS.queued,
  running: CHANGE_WORDS.running,
  'off sale': CHANGE_WORDS.done,
  'still sold': CHANGE_WORDS.failed,
};

/** What keeps it off sale, whether the app knows, and what to do. */
function Why({ item }: { readonly item: UnavailableEntry }) {
  const { means, todo } = OFF_SALE_WORDS[item.source as keyof typeof OFF_SALE_WORDS];
  return (
    <>
      {means} {todo}{' '}
      {item.state === 'failed' && (
        <>
          <strong>{ITEM_WORDS.failed.means}</strong> {ITEM_WORDS.failed.todo}
        </>
      )}
      {item.waiting_for && <Waits waits={item.waiting_for} />}
      {item.traceUrl && (
        <>
          {' '}
          <Trace url={item.traceUrl} />
        </>
      )}
    </>
  );
}
