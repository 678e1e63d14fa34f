import { toneOf } from '../parts';
import { MinutePlot, SharePlot } from '../plots';
import { COUNTED_DELIVERIES, type DeliveriesOfMinute } from '../sql/deliveries-of-hour';
import type { UploadCount } from '../sql/overview';

/** Deliveries and failures, how long they took, and what waited, by minute of the last hour. */
export function DeliveryPlots({ rows }: { readonly rows: readonly DeliveriesOfMinute[] }) {
  const whole = rows.find(({ ago }) => ago === null);
  if (!whole || (whole.ended === 0 && whole.waiting === 0)) {
    return <p class="none">No delivery waits, and none ended in the last 60 minutes.</p>;
  }
  const backlog = backlogOf(rows, whole.waiting);
  const isCut = whole.ended + whole.waiting >= COUNTED_DELIVERIES;
  return (
    <>
      <MinutePlot
        name="deliveries"
        title="Deliveries by minute"
        words={`${whole.ended} deliveries ended in the last 60 minutes, ${whole.failed} of them refused or exhausted; at most ${most(rows, 'ended')} in a minute.`}
        series={[
          { tone: 'counted', values: byMinute(rows, 'ended') },
          { tone: 'bad', values: byMinute(rows, 'failed') },
        ]}
      />
      {whole.p50Ms !== null && whole.p99Ms !== null && (
        <MinutePlot
          name="durations"
          title="Time to the end of a delivery"
          words={`Half of them ended within ${seconds(whole.p50Ms)}, 99 of 100 within ${seconds(whole.p99Ms)}; in the slowest minute 99 of 100 within ${seconds(most(rows, 'p99Ms'))}. The bar in front is the half.`}
          series={[
            { tone: 'outlined', values: byMinute(rows, 'p99Ms') },
            { tone: 'counted', values: byMinute(rows, 'p50Ms') },
          ]}
        />
      )}
      <MinutePlot
        name="backlog"
        title="Deliveries that waited"
        words={`${whole.waiting} wait now; at most ${Math.max(...backlog.values())} did at the end of a minute.`}
        series={[{ tone: 'counted', values: backlog }]}
      />
      {isCut && (
        <p class="none">{`There are more: ${COUNTED_DELIVERIES} of them, mostly the newest, are counted.`}</p>
      )}
    </>
  );
}

/** What became of the uploads of the day, a bar for each app. */
export function UploadPlots({ uploads }: { readonly uploads: readonly UploadCount[] }) {
  const apps = [...new Set(uploads.map(({ app }) => app))];
  return (
    <>
      {apps.map((app) => (
        <SharePlot
          key={app}
          name={`uploads-${app}`}
          title={`Uploads to ${app} in the last 24 hours`}
          shares={uploads
            .filter((each) => each.app === app)
            .map(({ state, count }) => ({
              label: state.replaceAll('_', ' '),
              tone: toneOf(state),
              count,
            }))}
        />
      ))}
    </>
  );
}

type Figure = 'ended' | 'failed' | 'p50Ms' | 'p99Ms';

function byMinute(
  rows: readonly DeliveriesOfMinute[],
  figure: Figure,
): ReadonlyMap<number, number> {
  return new Map(
    rows.flatMap(({ ago, [figure]: value }) => (ago === null || !value ? [] : [[ago, value]])),
  );
}

function most(rows: readonly DeliveriesOfMinute[], figure: Figure): number {
  return Math.max(0, ...byMinute(rows, figure).values());
}

/** How many waited at the end of each minute: those that wait now, with what ended since and without what was made since. */
function backlogOf(
  rows: readonly DeliveriesOfMinute[],
  waiting: number,
): ReadonlyMap<number, number> {
  const minutes = new Map(rows.map((row) => [row.ago, row]));
  const found = new Map<number, number>();
  let then = waiting;
  for (let ago = 0; ago < 60; ago += 1) {
    found.set(ago, then);
    const { made, ended } = minutes.get(ago) ?? { made: 0, ended: 0 };
    then += ended - made;
  }
  return found;
}

function seconds(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}
