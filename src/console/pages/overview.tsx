import type { DeliveriesOfMinute, TroubledWebhook, UploadCount } from '../sql/overview';
import { Page, type PageFrame } from '../page';
import { Fields, State, Table, When } from '../parts';
import { type UploadEntry, uploadColumns } from './uploads';

export interface Overview {
  readonly webhooks: readonly TroubledWebhook[];
  readonly failedUploads: readonly UploadEntry[];
  readonly uploads: readonly UploadCount[];
  /** Null for users who are not operators. */
  readonly deliveries: readonly DeliveriesOfMinute[] | null;
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
            { title: 'Type', cell: (row) => row.type },
            {
              title: 'State',
              cell: (row) => <State name={row.state === 'disabled' ? 'disabled' : 'paused'} />,
            },
            { title: 'Why', cell: (row) => row.disabledReason?.replaceAll('_', ' ') ?? 'it fails' },
            { title: 'Failing since', cell: (row) => <When at={row.failingSince} /> },
            { title: 'Paused until', cell: (row) => <When at={row.pausedUntil} /> },
          ]}
        />
        <Table
          caption="The newest uploads that failed"
          none="No upload that is kept has failed."
          rows={failedUploads}
          columns={uploadColumns}
        />
      </section>
      <section>
        <h2>Lately</h2>
        <Fields fields={[['Oldest work that is due', `${oldestDueSeconds} s`]]} />
        {deliveries && <DeliveryPlot minutes={deliveries} />}
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

const PLOT = { width: 600, height: 120, minutes: 60 } as const;

/** Deliveries that ended in each of the last 60 minutes, failed ones in front. */
function DeliveryPlot({ minutes }: { readonly minutes: readonly DeliveriesOfMinute[] }) {
  const most = Math.max(1, ...minutes.map(({ ended }) => ended));
  const total = minutes.reduce((sum, { ended }) => sum + ended, 0);
  const failed = minutes.reduce((sum, each) => sum + each.failed, 0);
  const bar = PLOT.width / PLOT.minutes;
  const words = `${total} deliveries ended in the last 60 minutes, ${failed} of them refused or exhausted; at most ${most} in a minute.`;
  return (
    <figure>
      <svg viewBox={`0 0 ${PLOT.width} ${PLOT.height}`} role="img" aria-label={words}>
        {minutes.flatMap(({ ago, ended, failed: bad }) =>
          [
            { count: ended, tone: 'ended' },
            { count: bad, tone: 'bad' },
          ].map(({ count, tone }) => {
            const height = (count / most) * PLOT.height;
            return (
              <rect
                key={`${ago}-${tone}`}
                class={tone}
                x={PLOT.width - (ago + 1) * bar}
                y={PLOT.height - height}
                width={bar - 1}
                height={height}
              />
            );
          }),
        )}
      </svg>
      <figcaption>{words}</figcaption>
    </figure>
  );
}
