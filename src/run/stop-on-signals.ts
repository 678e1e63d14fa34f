/**
 * Ctrl-C goes to the whole process group of the terminal, and launchers (npm, shells, process managers) pass it on
 * again: signals within this time of the first one count as the same. A later one means that the user will not wait.
 */
const SAME_WISH_MS = 1_000;

export interface SignalOptions {
  readonly signals: readonly NodeJS.Signals[];
  /** Stops everything in order. */
  readonly stop: (signal: NodeJS.Signals) => Promise<void>;
  readonly onFailure: (error: unknown) => void;
}

/**
 * The first signal starts to stop the process, which then exits with status 0, or 1 if stopping failed. A second one,
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
