import type { WaitingFor } from '../../contract/why-it-waits';
import { Waits } from '../waits';
import { Page, type PageFrame } from '../page';
import { Action, Links, NextPage } from '../controls';
import { IntegrationLink, StoreLink } from '../names';
import type { Viewer } from '../../users/sql/users';
import { WithoutStores } from './without-stores';
import { Fields, IdLink, State, Table, Text, When } from '../parts';

/** A store as the API shows it. */
export interface StoreEntry {
  readonly id: number;
  readonly name: string;
  readonly country: string;
  readonly time_zone: string | null;
  readonly direction: string | null;
}

/** A delivery app that a store is connected to, as the API shows it. */
export interface StoreIntegration {
  readonly integration_id: string;
  readonly name: string;
  readonly app: string;
  readonly active: boolean;
  readonly has_token: boolean;
  readonly delivery_id: string | null;
  readonly live_upload_id: string | null;
  readonly paused: {
    readonly until: string | null;
    readonly reason: string | null;
    readonly state: string;
    readonly waiting_for: WaitingFor | null;
  } | null;
}

/** The live menu in a delivery app, and whether the app still showed it at the last reading. */
export interface LiveEntry {
  readonly integration_id: string;
  readonly upload_id: string | null;
  readonly live_since: Date | null;
  readonly drift: {
    readonly state: string;
    readonly checked_at: Date | null;
    readonly changes_count: number | null;
  };
}

export function StoresPage({
  frame,
  viewer,
  stores,
  nextCursor,
}: {
  readonly frame: PageFrame;
  readonly viewer: Viewer;
  readonly stores: readonly StoreEntry[];
  readonly nextCursor: string | null | undefined;
}) {
  return (
    <Page frame={frame}>
      {stores.length === 0 && <WithoutStores viewer={viewer} />}
      <Table
        caption="Stores, newest first"
        none="There are none."
        rows={stores}
        columns={[
          { title: 'Store', cell: (row) => <StoreLink id={row.id} name={row.name} /> },
          { title: 'Country', cell: (row) => row.country },
          { title: 'Address', cell: (row) => <Text>{row.direction}</Text> },
        ]}
      />
      <NextPage path="/console/stores" filter={{}} cursor={nextCursor} />
    </Page>
  );
}

export function StorePage({
  frame,
  store,
  integrations,
  live,
}: {
  readonly frame: PageFrame;
  readonly store: StoreEntry;
  readonly integrations: readonly StoreIntegration[];
  readonly live: readonly LiveEntry[];
}) {
  const path = `/console/stores/${store.id}`;
  const formToken = frame.formTokenFor({ store_id: store.id });
  return (
    <Page frame={frame}>
      <Fields
        fields={[
          ['Id', store.id],
          ['Country', store.country],
          ['Time zone', store.time_zone ?? 'none'],
          ['Address', <Text key="address">{store.direction}</Text>],
        ]}
      />
      <Links
        to={[
          [`/console/uploads?store_id=${store.id}`, 'Uploads of this store'],
          [`/console/availability?store_id=${store.id}`, 'Items off sale in this store'],
          [`${path}/preview`, 'Preview a menu'],
        ]}
      />
      <section>
        <h2>Delivery apps</h2>
        <Table
          caption="Delivery apps that the store is connected to"
          none="The store is connected to none."
          rows={integrations}
          columns={[
            {
              title: 'Integration',
              cell: (row) => <IntegrationLink id={row.integration_id} name={row} />,
            },
            { title: 'Active', cell: (row) => (row.active ? 'yes' : 'no') },
            { title: 'Token', cell: (row) => (row.has_token ? 'yes' : 'no') },
            { title: 'Id in the app', cell: (row) => <Text>{row.delivery_id}</Text> },
            { title: 'Takes orders', cell: (row) => <Paused paused={row.paused} /> },
            {
              title: 'Action',
              cell: (row) => (
                <Switch path={path} row={row} name={store.name} formToken={formToken} />
              ),
            },
          ]}
        />
      </section>
      <section>
        <h2>Live menus</h2>
        <Table
          caption="What each delivery app shows"
          none="The store is connected to none."
          rows={live}
          columns={[
            {
              title: 'Integration',
              cell: ({ integration_id: id }) => (
                <IntegrationLink
                  id={id}
                  name={integrations.find((each) => each.integration_id === id)}
                />
              ),
            },
            {
              title: 'Upload',
              cell: ({ upload_id: id }) => (id ? <IdLink path="/console/uploads" id={id} /> : '–'),
            },
            { title: 'Since', cell: (row) => <When at={row.live_since} /> },
            { title: 'Read back', cell: (row) => <State name={row.drift.state} /> },
            { title: 'At', cell: (row) => <When at={row.drift.checked_at} /> },
            {
              title: 'Differences',
              as: 'number',
              cell: (row) => <Text>{row.drift.changes_count}</Text>,
            },
            {
              title: 'Action',
              cell: (row) =>
                row.upload_id && (
                  <Action
                    name="Read back"
                    question="The menu is read from the delivery app and compared with what was sent."
                    path={`${path}/check`}
                    formToken={formToken}
                    fields={{ integration_id: row.integration_id }}
                  />
                ),
            },
          ]}
        />
      </section>
    </Page>
  );
}

function Paused({ paused }: { readonly paused: StoreIntegration['paused'] }) {
  if (!paused) return <>yes</>;
  return (
    <>
      <State name="paused" /> {paused.reason && `(${paused.reason}) `}
      {paused.until ? <When at={paused.until} /> : 'until it is resumed'}
      {paused.waiting_for && (
        <>
          {'. '}
          <Waits waits={paused.waiting_for} />
        </>
      )}
    </>
  );
}

function Switch({
  path,
  row,
  name,
  formToken,
}: {
  readonly path: string;
  readonly row: StoreIntegration;
  readonly name: string;
  readonly formToken: string | null;
}) {
  const fields = { integration_id: row.integration_id };
  return row.paused ? (
    <Action
      name="Resume"
      question={`Guests of ${row.name} can order at ${name} again.`}
      path={`${path}/resume`}
      {...{ formToken, fields }}
    />
  ) : (
    <Action
      name="Pause"
      question={`Guests of ${row.name} cannot order at ${name} until it is resumed.`}
      path={`${path}/pause`}
      {...{ formToken, fields }}
    />
  );
}
