/**
 * Runs `run` one at a time: callers during a run get its result, and so do callers within `ms` after its end. A failure
 * is passed to those who wait for it, and not kept.
 */
export function atMostEvery<T>(ms: number, run: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  let last: { readonly value: T; readonly endedAt: number } | undefined;
  const runNow = async (): Promise<T> => {
    try {
      const value = await run();
      last = { value, endedAt: performance.now() };
      return value;
    } finally {
      running = undefined;
    }
  };
  return async () => {
    if (running === undefined && last !== undefined && performance.now() - last.endedAt < ms) {
      return last.value;
    }
    return (running ??= runNow());
  };
}
