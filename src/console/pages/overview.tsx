import type { DeliveriesOfMinute } from '../sql/deliveries-of-hour';
import { type FailedPublication, LISTED_FAILURES } from '../sql/failed-publications';
import type { TroubledWebhook, UploadCount } from '../sql/overview';
import { Page, type PageFrame } from '../page';
import { appWords, IntegrationLink, StoreLink, Words } from '../names';
import {
  Fields,
  IdLink,
  reasonOf,
  spellDuration,
  State,
  Table,
  Text,
  WebhookType,
  When,
} from '../parts';
import type { Viewer } from '../../users/sql/users';
import { WithoutStores } from './without-stores';
import { type WrongInApps, WrongInAppsTables } from './wrong-now';
import { DeliveryPlots, UploadPlots } from './overview-plots';

export interface Overview {
  readonly viewer: Viewer;
  /** Whether the viewer sees any. */
  readonly hasStores: boolean;
  readonly webhooks: readonly TroubledWebhook[];
  readonly failedPublications: readonly FailedPublication[];
  readonly inApps: WrongInApps;
  readonly uploads: readonly UploadCount[];
  readonly deliveries: readonly DeliveriesOfMinute[];
  /** How long the oldest due row has been waiting, s. */
  readonly oldestDueSeconds: number;
}

/** Current problems come first. */
export function OverviewPage({
  frame,
  overview,
}: {
  readonly frame: PageFrame;
  readonly overview: Overview;
}) {
  const { webhooks, failedPublications, inApps, uploads, deliveries, oldestDueSeconds } = overview;
  return (
    <Page frame={frame}>
      {!overview.hasStores && <WithoutStores viewer={overview.viewer} />}
      <section>
        <h2>Wrong now</h2>
        <Table
          caption="Webhooks that get no deliveries"
          none="Every webhook gets its deliveries."
          rows={webhooks}
          columns={[
            { title: 'Webhook', cell: (row) => <TroubledLink webhook={row} /> },
            { title: 'Receiver', cell: (row) => row.url },
            { title: 'Type', cell: (row) => <WebhookType type={row.type} /> },
            {
              title: 'State',
              cell: (row) => <State name={row.state === 'disabled' ? 'disabled' : 'paused'} />,
            },
            { title: 'Why', cell: (row) => row.disabledReason?.replaceAll('_', ' ') ?? 'it fails' },
            { title: 'Failing since', cell: (row) => <When at={row.failingSince} /> },
            { title: 'Paused until', cell: (row) => <When at={row.pausedUntil} /> },
          ]}
        />
        {webhooks.length > 0 && (
          <p>
            A paused webhook is tried again by itself. A disabled one is enabled on its own page
            when its receiver works again; what waits is sent then. One for the events of a user is
            enabled by that user.
          </p>
        )}
        <FailedPublications publications={failedPublications} />
        <WrongInAppsTables wrong={inApps} />
        <Fields
          fields={[['Oldest work that is due', <Due key="due" seconds={oldestDueSeconds} />]]}
        />
      </section>
      <section>
        <h2>Lately</h2>
        <div class="plots">
          <DeliveryPlots rows={deliveries} now={new Date()} />
          <UploadPlots uploads={uploads} />
        </div>
        <Table
          caption="Uploads of the last 24 hours"
          none="No uploads in the last 24 hours."
          rows={uploads}
          columns={[
            { title: 'App', cell: (row) => appWords(row.app) },
            { title: 'State', cell: (row) => <State name={row.state} /> },
            { title: 'Uploads', as: 'number', cell: (row) => row.count },
          ]}
        />
      </section>
    </Page>
  );
}

/** Longer than a worker that is away for a moment takes to come back, s. */
const LATE_SECONDS = 120;

function Due({ seconds }: { readonly seconds: number }) {
  const words = spellDuration(seconds);
  if (seconds <= LATE_SECONDS) return <>{words}</>;
  return <span class="state bad">{`${words}: too long`}</span>;
}

/** The page of a webhook, by the name of its system; another user's webhook for events has none. */
function TroubledLink({ webhook }: { readonly webhook: TroubledWebhook }) {
  const { systemName, inventorySystemId: systemId, type, isOwn } = webhook;
  if (systemId !== null) {
    return (
      <a href={`/console/webhooks/${systemId}/${type}`}>
        <Words>{systemName ?? systemId}</Words>
      </a>
    );
  }
  return isOwn ? <a href="/console/webhooks/events">your events</a> : <>events of a user</>;
}

/** Publications whose last upload failed. */
function FailedPublications({
  publications,
}: {
  readonly publications: readonly FailedPublication[];
}) {
  return (
    <>
      <Table
        caption="Stores whose last upload to a delivery app failed, newest first"
        none="No store’s last upload to a delivery app failed."
        rows={publications.slice(0, LISTED_FAILURES)}
        columns={[
          { title: 'Failed', cell: (row) => <When at={row.finishedAt} /> },
          { title: 'Store', cell: (row) => <StoreLink id={row.storeId} name={row.storeName} /> },
          {
            title: 'Integration',
            cell: (row) => <IntegrationLink id={String(row.integrationId)} name={row} />,
          },
          {
            title: 'The app said',
            as: 'sentence',
            cell: (row) => <Text>{reasonOf(row.messages)}</Text>,
          },
          { title: 'Upload', cell: (row) => <IdLink path="/console/uploads" id={row.uploadId} /> },
        ]}
      />
      {publications.length > LISTED_FAILURES && (
        <p>
          {`There are more than these ${LISTED_FAILURES}. `}
          <a href="/console/uploads?state=failed">All uploads that failed</a>
        </p>
      )}
    </>
  );
}
