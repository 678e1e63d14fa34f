/** How many tasks may run at once: over all hosts, and per host. */
export interface TurnLimits {
  readonly atOnce: number;
  readonly perHost: number;
}

/**
 * Runs `task` for each of `items`, within the limits, until all are done or `signal` fires: then nothing new starts,
 * and running tasks are awaited. Hosts take turns, so that one with a thousand items, or one that never answers,
 * leaves room for others.
 */
export async function runInHostTurns<T>(
  items: readonly T[],
  hostOf: (item: T) => string,
  task: (item: T) => Promise<void>,
  { atOnce, perHost }: TurnLimits,
  signal: AbortSignal,
): Promise<void> {
  const byHost = new Map<string, T[]>();
  for (const item of items) {
    const queue = byHost.get(hostOf(item));
    if (queue) queue.push(item);
    else byHost.set(hostOf(item), [item]);
  }
  const queues = [...byHost.values()];
  // A turn is the right of a host to run one task; its next task inherits the turn.
  const turns = Array.from({ length: perHost }, (_, nth) =>
    queues.filter((queue) => queue.length > nth),
  ).flat();
  // Items are taken from the end.
  for (const queue of queues) queue.reverse();

  async function work(): Promise<void> {
    for (let turn = turns.shift(); turn !== undefined; turn = turns.shift()) {
      const item = signal.aborted ? undefined : turn.pop();
      if (item === undefined) continue;
      await task(item);
      turns.push(turn);
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, turns.length) }, work));
}
