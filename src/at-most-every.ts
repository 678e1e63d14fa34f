/** `run` one at a time: who comes meanwhile waits for it, and who comes within `ms` after it goes by what it found. */
export function atMostEvery(ms: number, run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let endedAt = -Infinity;
  return async () => {
    if (!running && performance.now() - endedAt < ms) return;
    running ??= run().finally(() => {
      running = undefined;
      endedAt = performance.now();
    });
    await running;
  };
}
