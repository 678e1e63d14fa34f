import { readdirSync, readFileSync } from 'node:fs';

/** How often each thread of a process has been woken so far, by thread id; empty if /proc is not available. */
export function wakeups(
  pid: number,
): Map<number, { readonly name: string; readonly count: number }> {
  const found = new Map<number, { name: string; count: number }>();
  try {
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      const text = readFileSync(`/proc/${pid}/task/${thread}/status`, 'utf8');
      const name = /^Name:\s+(.+)$/m.exec(text)?.[1] ?? '';
      const count = Number(/^voluntary_ctxt_switches:\s+(\d+)$/m.exec(text)?.[1]);
      found.set(Number(thread), { name, count });
    }
  } catch {
    // A thread may end during the reading; what was read so far counts.
  }
  return found;
}

/** Wakeups a second between two readings, by the name of the thread, the most first. */
export function wakeupsPerSecond(
  before: ReturnType<typeof wakeups>,
  after: ReturnType<typeof wakeups>,
  seconds: number,
): [name: string, perSecond: number][] {
  const rates = new Map<string, number>();
  for (const [thread, { name, count }] of after) {
    const woken = (count - (before.get(thread)?.count ?? 0)) / seconds;
    rates.set(name, (rates.get(name) ?? 0) + woken);
  }
  return [...rates].toSorted(([, one], [, other]) => other - one);
}
