/** Lets one waiter sleep until a signal; signals while it is awake are remembered. */
export interface Latch {
  readonly signal: () => void;
  /** Resolves at the next signal (at once if there was one meanwhile), or after `ms` at the latest. */
  readonly wait: (ms: number) => Promise<void>;
}

export function createLatch(): Latch {
  let signalled = false;
  let wake: (() => void) | null = null;
  return {
    signal() {
      signalled = true;
      wake?.();
    },
    async wait(ms) {
      if (!signalled) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      wake = null;
      signalled = false;
    },
  };
}
