import { appWords } from '../names';
import { spellDuration, spellMs } from '../parts';
import { MinutePlot, SharePlot } from '../plots';
import { COUNTED_DELIVERIES, type DeliveriesOfMinute } from '../sql/deliveries-of-hour';
import type { UploadCount } from '../sql/overview';

/** Deliveries of the last hour by minute: how many ended and failed, how long they took, how many waited and how long. */
export function DeliveryPlots({
  rows,
  now,
}: {
  readonly rows: readonly DeliveriesOfMinute[];
  readonly now: Date;
}) {
  const whole = rows.find(({ ago }) => ago === null);
  if (!whole || (whole.ended === 0 && whole.waiting === 0)) {
    return whole?.isCut ? (
      <MayBeMore />
    ) : (
      <p class="none">No delivery waits, and none ended in the last 60 minutes.</p>
    );
  }
  const backlog = backlogOf(rows, whole.waiting);
  const ages = agesOf(rows, whole.oldestWaitingS);
  const oldest = Math.max(0, ...ages.values());
  return (
    <>
      <MinutePlot
        name="deliveries"
        unit="count"
        now={now}
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
          unit="ms"
          now={now}
          title="Time to the end of a delivery"
          words={`Half of them ended within ${spellMs(whole.p50Ms)}, 99 of 100 within ${spellMs(whole.p99Ms)}; in the slowest minute 99 of 100 within ${spellMs(most(rows, 'p99Ms'))}. The bar in front is the half.`}
          series={[
            { tone: 'outlined', values: byMinute(rows, 'p99Ms') },
            { tone: 'counted', values: byMinute(rows, 'p50Ms') },
          ]}
        />
      )}
      <MinutePlot
        name="backlog"
        unit="count"
        now={now}
        title="Deliveries that waited"
        words={`${whole.waiting} wait now; at most ${Math.max(...backlog.values())} did at the end of a minute.`}
        series={[{ tone: 'counted', values: backlog }]}
      />
      {oldest > 0 && (
        <MinutePlot
          name="oldest"
          unit="s"
          now={now}
          title="Age of the oldest delivery that waited"
          words={`${whole.oldestWaitingS === null ? 'None waits now' : `Now ${spellDuration(whole.oldestWaitingS)}`}; at most ${spellDuration(oldest)} at the end of a minute. Of those that wait now, or were made and ended within the 60 minutes.`}
          series={[{ tone: 'counted', values: ages }]}
        />
      )}
      {whole.isCut && <MayBeMore />}
    </>
  );
}

function MayBeMore() {
  return (
    <p class="none">{`There may be more: only the newest ${COUNTED_DELIVERIES} that wait and as many that ended are looked at; the oldest may be older than drawn.`}</p>
  );
}

/** The states of the day's uploads, one bar for each app. */
export function UploadPlots({ uploads }: { readonly uploads: readonly UploadCount[] }) {
  const apps = [...new Set(uploads.map(({ app }) => app))];
  return (
    <>
      {apps.map((app) => (
        <SharePlot
          key={app}
          name={`uploads-${app}`}
          title={`Uploads to ${appWords(app)} in the last 24 hours`}
          shares={uploads
            .filter((each) => each.app === app)
            .map(({ state, count }) => ({ state, count }))}
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

/** How many waited at the end of each minute: those that wait now, plus those that ended since, minus those made since. */
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

/**
 * The age of the oldest delivery that waited at the end of each minute, s. It is the first made among those that wait
 * now and those that ended since, if it was made before that minute's end.
 */
function agesOf(
  rows: readonly DeliveriesOfMinute[],
  oldestWaitingS: number | null,
): ReadonlyMap<number, number> {
  const oldestEnded = new Map(rows.map((row) => [row.ago, row.oldestEndedS]));
  const ages = new Map<number, number>();
  let oldest = oldestWaitingS ?? 0;
  for (let ago = 0; ago < 60; ago += 1) {
    if (oldest > ago * 60) ages.set(ago, oldest - ago * 60);
    oldest = Math.max(oldest, oldestEnded.get(ago) ?? 0);
  }
  return ages;
}
