import type { WaitingFor } from '../../contract/why-it-waits';
import { Page, type PageFrame } from '../page';
import { NextPage } from '../controls';
import { StoreLink } from '../names';
import { Table, Text } from '../parts';
import type { Viewer } from '../../users/sql/users';
import { WithoutStores } from './without-stores';

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
    readonly since: string;
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
      <NextPage path="/console/stores" csv="/console/stores.csv" filter={{}} cursor={nextCursor} />
    </Page>
  );
}
