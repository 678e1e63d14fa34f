import { readdirSync, readFileSync } from 'node:fs';

/** A process and all its descendants, parents first; the process alone if /proc is not available. */
export function processTree(root: number): number[] {
  const children = readChildren();
  const tree = [root];
  for (const pid of tree) tree.push(...(children.get(pid) ?? []));
  return tree;
}

/** Sends a signal to all of them; one that has ended meanwhile is passed over. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // it has ended
    }
  }
}

function readChildren(): Map<number, number[]> {
  const children = new Map<number, number[]>();
  for (const pid of listPids()) {
    const parent = parentOf(pid);
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  return children;
}

function listPids(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

/** The fourth field of its stat; the second, the name in parentheses, may hold blanks. */
function parentOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined;
  }
}
