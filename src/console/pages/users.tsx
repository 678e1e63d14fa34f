import type { MadeLink } from '../../users/sign-in-link';
import type { UserRow } from '../../users/sql/users';
import { Action, Filter, NextPage } from '../controls';
import { Page, type PageFrame } from '../page';
import { Fields, State, Table, Text, When } from '../parts';

export function UsersPage({
  frame,
  users,
  filter,
  nextCursor,
  canLink,
}: {
  readonly frame: PageFrame;
  readonly users: readonly UserRow[];
  readonly filter: Readonly<Record<string, string>>;
  readonly nextCursor: string | null | undefined;
  /** Whether the viewer may make sign-in links. */
  readonly canLink: boolean;
}) {
  const formTokenOf = ({ state }: UserRow) =>
    canLink && state === 'active' ? frame.formToken : null;
  return (
    <Page frame={frame}>
      <Filter
        path="/console/users"
        fields={[{ name: 'name', label: 'Part of the name' }]}
        filter={filter}
      />
      <Table
        caption="Users, newest first"
        none="There are none."
        rows={users}
        columns={[
          { title: 'Name', cell: (row) => row.name },
          { title: 'Id', cell: (row) => <code>{row.userId}</code> },
          { title: 'State', cell: (row) => <State name={row.state} /> },
          { title: 'Permissions', cell: (row) => <Text>{row.permissions.join(', ')}</Text> },
          {
            title: 'Action',
            cell: (row) => (
              <Action
                name="Make a sign-in link"
                question={`Whoever has the link signs in as ${row.name}, once and within 15 minutes.`}
                path={`/console/users/${row.userId}/sign-in-link`}
                formToken={formTokenOf(row)}
              />
            ),
          },
        ]}
      />
      <NextPage path="/console/users" filter={filter} cursor={nextCursor} />
    </Page>
  );
}

/** Shown once: of the link only a hash is kept. */
export function MadeLinkPage({
  frame,
  link,
}: {
  readonly frame: PageFrame;
  readonly link: MadeLink;
}) {
  return (
    <Page frame={frame}>
      <p>Send this link to the user. It signs in whoever opens it first, and is not shown again.</p>
      <Fields
        fields={[
          ['Link', <code key="link">{link.url}</code>],
          ['Good until', <When key="until" at={link.expiresAt} />],
        ]}
      />
      <p>
        <a href="/console/users">Back to the users</a>
      </p>
    </Page>
  );
}
