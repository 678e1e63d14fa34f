import { inBackground } from '../../platform/in-background';

/** The workflow of a shard is told at once, and then at most this often. */
const AGAIN_MS = 10_000;

/**
 * Tells the workflow of a shard that deliveries stay for later, so that it holds the timer and shows them. A receiver
 * that fails may say so hundreds of times a second.
 */
export function createLaterNotes(
  tell: (shard: number) => Promise<unknown>,
): (shard: number) => void {
  const latest = new Map<number, { toldAt: number; isPlanned: boolean }>();

  function tellNow(shard: number): void {
    latest.set(shard, { toldAt: performance.now(), isPlanned: false });
    inBackground(tell(shard), () => {}); // it reports its own failure, and the consumer itself looks too
  }

  return (shard) => {
    const note = latest.get(shard);
    const waitMs = note === undefined ? 0 : note.toldAt + AGAIN_MS - performance.now();
    if (note === undefined || waitMs <= 0) return tellNow(shard);
    if (note.isPlanned) return;
    note.isPlanned = true;
    setTimeout(() => tellNow(shard), waitMs).unref();
  };
}
