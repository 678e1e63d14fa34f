/**
 * How many tasks may run at once: over all hosts, and per host. Enough to hide latency, but too few to look like an
 * attack; a hanging host leaves three quarters to others.
 */
export const LIMITS = { atOnce: 16, perHost: 4 } as const;

/**
 * Runs `task` for each of `items`, within LIMITS, until all are done or `signal` fires: then nothing new starts,
 * and running tasks are awaited. Hosts alternate, so that one with a thousand items, or one that never answers,
 * leaves some for others. This is no `PermitQueue`: all items are known before the first begins, so each host runs one
 * before any runs a second.
 */
export async function runByHost<T>(
  items: readonly T[],
  hostOf: (item: T) => string,
  task: (item: T) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const byHost = new Map<string, T[]>();
  for (const item of items) {
    const queue = byHost.get(hostOf(item));
    if (queue) queue.push(item);
    else byHost.set(hostOf(item), [item]);
  }
  const queues = [...byHost.values()];
  // Each entry is the right of a host to run one task; its next task inherits it.
  const rights = Array.from({ length: LIMITS.perHost }, (_, nth) =>
    queues.filter((queue) => queue.length > nth),
  ).flat();
  // Items are taken from the end.
  for (const queue of queues) queue.reverse();

  async function work(): Promise<void> {
    for (let queue = rights.shift(); queue !== undefined; queue = rights.shift()) {
      const item = signal.aborted ? undefined : queue.pop();
      if (item === undefined) continue;
      await task(item);
      rights.push(queue);
    }
  }
  await Promise.all(Array.from({ length: Math.min(LIMITS.atOnce, rights.length) }, work));
}
