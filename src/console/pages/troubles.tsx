import type { PlainWords } from '../../contract/plain-words';
import { Integration, Store } from '../names';
import { State, Table, When } from '../parts';
import type { Names } from '../sql/names';

/** What is wrong in a store, with what to do. */
export interface Trouble {
  readonly storeId: number;
  /** Null: it is about no delivery app. */
  readonly integrationId: string | null;
  readonly state: string;
  readonly since: Date;
  /** Until when, where that is known. */
  readonly until?: Date | null;
  /** Which thing of the store it is about, where it is not the store itself. */
  readonly what?: string;
  readonly words: PlainWords;
  /** What the app or a person said, as a sentence. */
  readonly said: string | null;
  readonly to: { readonly path: string; readonly words: string };
}

export interface Troubles {
  readonly troubles: readonly Trouble[];
  /** There are more of a kind than are listed. */
  readonly isCut: boolean;
  readonly names: Names;
}

export function TroubledStores({
  troubles: { troubles, isCut, names },
}: {
  readonly troubles: Troubles;
}) {
  if (troubles.length === 0) return null;
  return (
    <>
      <Table
        caption="Stores with something wrong, the longest first"
        none=""
        rows={troubles}
        columns={[
          { title: 'Store', cell: (row) => <Store id={row.storeId} names={names} /> },
          {
            title: 'App',
            cell: ({ integrationId: id }) =>
              id === null ? 'stock systems' : <Integration id={id} names={names} />,
          },
          { title: 'State', cell: (row) => <State name={row.state} /> },
          {
            title: 'Since',
            cell: ({ since, until }) => (
              <>
                <When at={since} />
                {until && <When at={until} before=", until " />}
              </>
            ),
          },
          {
            title: 'What is the matter, and what to do',
            as: 'sentence',
            cell: ({ what, words, said }) => (
              <>
                {what && <strong>{`${what}: `}</strong>}
                {words.means}
                {said && ` ${said}`}
                {words.todo && (
                  <>
                    {' '}
                    <strong>What to do:</strong> {words.todo}
                  </>
                )}
              </>
            ),
          },
          { title: 'More', cell: ({ to }) => <a href={to.path}>{to.words}</a> },
        ]}
      />
      {isCut && (
        <p>
          There are more of some kinds than these.{' '}
          <a href="/console/uploads?state=failed">All uploads that failed</a>,{' '}
          <a href="/console/uploads?state=running">all that are on their way</a>,{' '}
          <a href="/console/availability">all items off sale</a>
        </p>
      )}
    </>
  );
}
