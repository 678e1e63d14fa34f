import type { ComponentChildren } from 'preact';
import { axisOf, quartersUntil, type Unit } from './axis';
import { spellState, State, toneOf } from './parts';

const PLOT = { width: 600, height: 120, minutes: 60 } as const;

/** The values of one kind in a plot, by minutes before now; a missing minute has no bar. */
export interface Series {
  /** The class of its bars. */
  readonly tone: 'counted' | 'outlined' | 'bad';
  readonly values: ReadonlyMap<number, number>;
}

/**
 * A bar for each of the last 60 minutes, the later series in front, with the values beside it and the clock under it: as
 * text of the page, because text of a drawing shrinks with it in a narrow window. The words say what the bars show.
 */
export function MinutePlot({
  name,
  title,
  words,
  now,
  unit,
  series,
}: {
  /** Unique on its page. */
  readonly name: string;
  readonly title: string;
  readonly words: string;
  readonly now: Date;
  readonly unit: Unit;
  readonly series: readonly Series[];
}) {
  const most = Math.max(0, ...series.flatMap(({ values }) => [...values.values()]));
  const axis = axisOf(most, unit);
  const bar = PLOT.width / PLOT.minutes;
  return (
    <figure class="scaled">
      <div class="values" aria-hidden="true">
        {axis.labels.map((label) => (
          <span key={label}>{label}</span>
        ))}
      </div>
      <Drawing {...{ name, title, words }} width={PLOT.width} height={PLOT.height}>
        <line class="grid" x1={0} x2={PLOT.width} y1={PLOT.height / 2} y2={PLOT.height / 2} />
        {[1, 2, 3].map((quarter) => {
          const x = (quarter * PLOT.width) / 4;
          return <line key={quarter} class="grid" x1={x} x2={x} y1={0} y2={PLOT.height} />;
        })}
        {series.flatMap(({ tone, values }) =>
          [...values].map(([ago, value]) => {
            const height = (value / axis.top) * PLOT.height;
            return (
              <rect
                key={`${tone}-${ago}`}
                class={tone}
                x={PLOT.width - (ago + 1) * bar}
                y={PLOT.height - height}
                width={bar - 1}
                height={height}
              />
            );
          }),
        )}
      </Drawing>
      <div class="times" aria-hidden="true">
        {quartersUntil(now).map((at) => (
          <span key={at.getTime()}>
            <time data-clock="" dateTime={at.toISOString()}>
              {at.toISOString().slice(11, 16)}
            </time>
          </span>
        ))}
      </div>
      <figcaption>
        <strong>{title}.</strong> {words}
      </figcaption>
    </figure>
  );
}

/** One bar divided by states, such as the uploads of an app. */
export function SharePlot({
  name,
  title,
  shares,
}: {
  readonly name: string;
  readonly title: string;
  readonly shares: readonly {
    readonly state: string;
    readonly count: number;
  }[];
}) {
  const total = shares.reduce((sum, { count }) => sum + count, 0);
  const words = shares.map(({ state, count }) => `${count} ${spellState(state)}`).join(', ');
  let drawn = 0;
  return (
    <figure class="share">
      <Drawing {...{ name, title, words }} width={PLOT.width} height={16}>
        {shares.map(({ state, count }) => {
          const width = (count / total) * PLOT.width;
          drawn += width;
          // A line of the ground's colour is left between two that have one colour.
          return (
            <rect
              key={state}
              class={toneOf(state)}
              x={drawn - width}
              y={0}
              width={Math.max(width - 2, 1)}
              height={16}
            />
          );
        })}
      </Drawing>
      <figcaption>
        <strong>{title}.</strong>{' '}
        {shares.map(({ state, count }, index) => (
          <span key={state}>
            {index > 0 && ', '}
            {count} <State name={state} />
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

/** A drawing for which a screen reader reads the title and the words. */
function Drawing({
  name,
  title,
  words,
  width,
  height,
  children,
}: {
  readonly name: string;
  readonly title: string;
  readonly words: string;
  readonly width: number;
  readonly height: number;
  readonly children: ComponentChildren;
}) {
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-labelledby={`${name}-title`}
      aria-describedby={`${name}-words`}
    >
      <title id={`${name}-title`}>{title}</title>
      <desc id={`${name}-words`}>{words}</desc>
      {children}
    </svg>
  );
}
