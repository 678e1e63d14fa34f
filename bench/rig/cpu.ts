import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';

/** CPU seconds that a process and its children have used so far, user and system; NaN if /proc is not available. */
export function cpuSeconds(pid: number): number {
  try {
    const ticks = familyOf(pid).reduce((sum, each) => sum + ticksOf(each), 0);
    return ticks / ticksPerSecond();
  } catch {
    return Number.NaN;
  }
}

/**
 * The same by the scheduler's clock, of the threads that live now. For processes that only wake for a moment: the ticks
 * of `cpuSeconds` come with the timers that wake them, and count such a moment as a whole tick.
 */
function scheduledSeconds(pid: number): number {
  try {
    return familyOf(pid).reduce((sum, each) => sum + nanosecondsOf(each), 0) / 1e9;
  } catch {
    return Number.NaN;
  }
}

/** Ms of CPU that each of these processes takes for a second of `work`, by `scheduledSeconds`. */
export async function scheduledPerSecond<Part extends string>(
  pids: Readonly<Record<Part, number>>,
  work: () => Promise<unknown>,
): Promise<Record<Part, number>> {
  const parts = Object.keys(pids) as Part[];
  const read = () => new Map(parts.map((part) => [part, scheduledSeconds(pids[part])]));
  const [before, startedAt] = [read(), performance.now()];
  await work();
  const seconds = (performance.now() - startedAt) / 1000;
  const after = read();
  const costs = parts.map((part) => {
    const used = (after.get(part) ?? Number.NaN) - (before.get(part) ?? Number.NaN);
    return [part, (used * 1000) / seconds];
  });
  return Object.fromEntries(costs) as Record<Part, number>;
}

function nanosecondsOf(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  return threads.reduce((sum, thread) => {
    const text = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8');
    return sum + Number(text.split(' ')[0]);
  }, 0);
}

/** A process and all that descend from it, itself first. */
export function familyOf(pid: number): number[] {
  const parents = readParents();
  const within = [...parents.keys()].filter((each) => isWithin(parents, each, pid));
  return within.toSorted((a, b) => Number(b === pid) - Number(a === pid));
}

function readParents(): Map<number, number> {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  return new Map(pids.map((pid) => [pid, Number(statOf(pid)[1])]));
}

function isWithin(parents: ReadonlyMap<number, number>, pid: number, root: number): boolean {
  let at: number | undefined = pid;
  while (at !== undefined && at > 1 && at !== root) at = parents.get(at);
  return at === root;
}

/** Fields of /proc/PID/stat from the state on; the name before it may hold blanks. */
function statOf(pid: number): string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return []; // it has ended meanwhile
  }
}

/** Own time, and that of children that have ended: Postgres starts a process for each connection. */
function ticksOf(pid: number): number {
  return statOf(pid)
    .slice(11, 15)
    .reduce((sum, field) => sum + Number(field), 0);
}

let known: number | undefined;
function ticksPerSecond(): number {
  return (known ??= Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' })));
}
