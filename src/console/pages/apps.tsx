import { Page, type PageFrame } from '../page';
import { Links, NextPage } from '../controls';
import { appWords, IntegrationLink } from '../names';
import { Fields, Table } from '../parts';
import type { AppEntry } from '../sql/apps';

export function AppsPage({
  frame,
  apps,
  nextCursor,
}: {
  readonly frame: PageFrame;
  readonly apps: readonly AppEntry[];
  readonly nextCursor: string | null;
}) {
  return (
    <Page frame={frame}>
      <Table
        caption="Integrations with delivery apps, newest first"
        none="There are none."
        rows={apps}
        columns={[
          {
            title: 'Integration',
            cell: (row) => <IntegrationLink id={String(row.integrationId)} name={row} />,
          },
          { title: 'Active', cell: (row) => (row.active ? 'yes' : 'no') },
          { title: 'In flight at most', as: 'number', cell: (row) => row.maxInFlight },
          { title: 'Uploads waiting', as: 'number', cell: (row) => row.waiting },
          { title: 'Failed today', as: 'number', cell: (row) => row.failed },
        ]}
      />
      <NextPage path="/console/apps" filter={{}} cursor={nextCursor} />
    </Page>
  );
}

export function AppPage({ frame, app }: { readonly frame: PageFrame; readonly app: AppEntry }) {
  const uploads = `/console/uploads?integration_id=${app.integrationId}`;
  return (
    <Page frame={frame}>
      <Fields
        fields={[
          ['App', appWords(app.app)],
          ['Id', app.integrationId],
          ['Active', app.active ? 'yes' : 'no'],
          ['In flight at most', app.maxInFlight],
          ['Uploads waiting', app.waiting],
          ['Failed of those accepted today', app.failed],
        ]}
      />
      <Links
        to={[
          [uploads, 'All its uploads'],
          [`${uploads}&state=queued`, 'Queued'],
          [`${uploads}&state=running`, 'Running'],
          [`${uploads}&state=failed`, 'Failed'],
          [`/console/availability?integration_id=${app.integrationId}`, 'Items off sale in it'],
        ]}
      />
    </Page>
  );
}
