import { NextPage } from '../controls';
import { pageOfUrl } from '../page-of-url';
import { State, Table, Text, When } from '../parts';

/** What happened to a store, as the API shows it. */
export interface TimelineEntry {
  readonly at: Date;
  readonly kind: string;
  readonly title: string;
  readonly state: string;
  readonly by: { readonly user_id: string; readonly name: string } | null;
  readonly url: string | null;
}

export interface TimelinePage {
  readonly entries: readonly TimelineEntry[];
  readonly nextCursor: string | null | undefined;
}

/** Everything that happened to a store, newest first: the answer to who did what, and when. */
export function Timeline({
  entries,
  nextCursor,
  path,
}: TimelinePage & {
  /** The page of the store. */
  readonly path: string;
}) {
  return (
    <section id="happened">
      <h2>What happened</h2>
      <Table
        caption="Menus, items off sale, pauses, rollouts, changes made in the apps, and messages that failed; newest first"
        none="Nothing yet."
        rows={entries}
        columns={[
          { title: 'When', cell: (row) => <When at={row.at} /> },
          { title: 'What', as: 'sentence', cell: (row) => <Title entry={row} /> },
          { title: 'State', cell: (row) => <State name={stateOf(row)} /> },
          { title: 'By', cell: (row) => <Text>{row.by?.name}</Text> },
        ]}
      />
      <NextPage path={path} csv={`${path}/timeline.csv`} filter={{}} cursor={nextCursor} />
    </section>
  );
}

/** That a rollout is done says nothing of this store. */
function stateOf({ kind, state }: TimelineEntry): string {
  return kind === 'rollout' && state === 'done' ? 'ended' : state;
}

function Title({ entry: { title, url } }: { readonly entry: TimelineEntry }) {
  const page = pageOfUrl(url);
  return page === null ? <>{title}</> : <a href={page}>{title}</a>;
}
