import type { DeliveriesOfMinute } from '../sql/deliveries-of-hour';
import type { TroubledWebhook, UploadCount } from '../sql/overview';
import { Page, type PageFrame } from '../page';
import { Fields, spellDuration, State, Table, WebhookType, When } from '../parts';
import { DeliveryPlots, UploadPlots } from './overview-plots';
import { type UploadEntry, uploadColumns } from './uploads';

export interface Overview {
  readonly webhooks: readonly TroubledWebhook[];
  readonly failedUploads: readonly UploadEntry[];
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
  const { webhooks, failedUploads, uploads, deliveries, oldestDueSeconds } = overview;
  return (
    <Page frame={frame}>
      <section>
        <h2>Wrong now</h2>
        <Table
          caption="Webhooks that get no deliveries"
          none="Every webhook gets its deliveries."
          rows={webhooks}
          columns={[
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
            A paused webhook is tried again by itself. A disabled one is enabled on the page{' '}
            <a href="/console/webhooks">Webhooks</a> when its receiver works again; what waits is
            sent then.
          </p>
        )}
        <Table
          caption="The newest uploads that failed"
          none="No upload that is kept has failed."
          rows={failedUploads}
          columns={uploadColumns}
        />
      </section>
      <section>
        <h2>Lately</h2>
        <Fields fields={[['Oldest work that is due', spellDuration(oldestDueSeconds)]]} />
        <div class="plots">
          <DeliveryPlots rows={deliveries} />
          <UploadPlots uploads={uploads} />
        </div>
        <Table
          caption="Uploads of the last 24 hours"
          none="No uploads in the last 24 hours."
          rows={uploads}
          columns={[
            { title: 'App', cell: (row) => row.app },
            { title: 'State', cell: (row) => <State name={row.state} /> },
            { title: 'Uploads', numeric: true, cell: (row) => row.count },
          ]}
        />
      </section>
    </Page>
  );
}
