import type { ComponentChildren } from 'preact';

const PLOT = { width: 600, height: 120, minutes: 60 } as const;

/** What a plot shows of one kind, by minutes before now; a minute that is not there has nothing. */
export interface Series {
  /** The class of its bars. */
  readonly tone: 'counted' | 'outlined' | 'bad';
  readonly values: ReadonlyMap<number, number>;
}

/** A bar for each of the last 60 minutes, the later series in front. The words say what the bars show. */
export function MinutePlot({
  name,
  title,
  words,
  series,
}: {
  /** Unique on its page. */
  readonly name: string;
  readonly title: string;
  readonly words: string;
  readonly series: readonly Series[];
}) {
  const most = Math.max(1, ...series.flatMap(({ values }) => [...values.values()]));
  const bar = PLOT.width / PLOT.minutes;
  return (
    <figure>
      <Drawing {...{ name, title, words }} width={PLOT.width} height={PLOT.height}>
        {series.flatMap(({ tone, values }) =>
          [...values].map(([ago, value]) => {
            const height = (value / most) * PLOT.height;
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
      <div class="axis" aria-hidden="true">
        <span>60 min ago</span>
        <span>30 min ago</span>
        <span>now</span>
      </div>
      <figcaption>
        <strong>{title}.</strong> {words}
      </figcaption>
    </figure>
  );
}

/** One bar that is divided, such as what became of the uploads of an app. */
export function SharePlot({
  name,
  title,
  shares,
}: {
  readonly name: string;
  readonly title: string;
  readonly shares: readonly {
    readonly label: string;
    readonly tone: string;
    readonly count: number;
  }[];
}) {
  const total = shares.reduce((sum, { count }) => sum + count, 0);
  const words = shares.map(({ label, count }) => `${count} ${label}`).join(', ');
  let drawn = 0;
  return (
    <figure>
      <Drawing {...{ name, title, words }} width={PLOT.width} height={16}>
        {shares.map(({ label, tone, count }) => {
          const width = (count / total) * PLOT.width;
          drawn += width;
          // A line of the ground's colour is left between two that have one colour.
          return (
            <rect
              key={label}
              class={tone}
              x={drawn - width}
              y={0}
              width={Math.max(width - 2, 1)}
              height={16}
            />
          );
        })}
      </Drawing>
      <figcaption>
        <strong>{title}.</strong> {words}
      </figcaption>
    </figure>
  );
}

/** What readers of screens get of a plot is its title and its words. */
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
