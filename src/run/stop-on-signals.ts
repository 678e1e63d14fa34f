/**
 * Ctrl-C comes to the whole group of the terminal, and launchers (npm, shells, process managers) hand it on once more:
 * what comes this soon after the first signal is the same wish. Later, somebody is tired of waiting.
 */
const SAME_WISH_MS = 1_000;

export interface SignalOptions {
  readonly signals: readonly NodeJS.Signals[];
  /** Stops everything in order. */
  readonly stop: (signal: NodeJS.Signals) => Promise<void>;
  readonly onFailure: (error: unknown) => void;
}

/**
 * The first signal begins to stop, and the process ends when that is done: status 0, or 1 when it failed. A second one,
 * a second later or more, ends it at once with status 1.
 */
export function stopOnSignals({ signals, stop, onFailure }: SignalOptions): void {
  let firstAt: number | undefined;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (firstAt !== undefined) {
      if (performance.now() - firstAt >= SAME_WISH_MS) process.exit(1);
      return;
    }
    firstAt = performance.now();
    stop(signal).then(
      () => process.exit(0),
      (error: unknown) => {
        onFailure(error);
        process.exit(1);
      },
    );
  };
  for (const signal of signals) process.on(signal, onSignal);
}
