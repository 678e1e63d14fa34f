import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode } from './error-code';

/** A signal, and how many milliseconds it has to end the process. */
export type StopStep = readonly [signal: NodeJS.Signals, patienceMs: number];

export interface ProcessIdentity {
  readonly command: string;
  /** With the id it names one process for good; the id alone is given out again. */
  readonly startedAt: string;
}

/** What runs under this id, undefined when nothing does (a zombie, which only waits to be counted, is nothing). */
export function identifyProcess(pid: number): ProcessIdentity | undefined {
  return existsSync('/proc/self/stat') ? readProc(pid) : identifyWithoutProc(pid);
}

function readProc(pid: number): ProcessIdentity | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the name in parentheses, which may hold spaces; the third is the state, the 22nd the start.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z') return undefined;
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return { command, startedAt: fields[19] ?? '' };
  } catch {
    return undefined;
  }
}

/**
 * For macOS, which has no /proc. Small Linux images have no `ps`, hence both. Windows has neither: there only the id says
 * who it is, and `startedAt` is empty.
 */
export function identifyWithoutProc(pid: number): ProcessIdentity | undefined {
  const ask = (column: string) =>
    spawnSync('ps', ['-ww', '-o', `${column}=`, '-p', String(pid)], { encoding: 'utf8' });
  const { stdout, error } = ask('command');
  if (error) return isAlive(pid) ? { command: '', startedAt: '' } : undefined;
  const command = stdout.trim();
  return command === '' ? undefined : { command, startedAt: ask('lstart').stdout.trim() };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

/** Ends a process that is not our child, one signal after the other; resolves whether it is gone. */
export async function endProcess(pid: number, steps: readonly StopStep[]): Promise<boolean> {
  const identity = identifyProcess(pid);
  const isThere = () => identity && identifyProcess(pid)?.startedAt === identity.startedAt;
  for (const [signal, patienceMs] of steps) {
    if (!isThere()) return true;
    process.kill(pid, signal);
    const until = Date.now() + patienceMs;
    while (isThere() && Date.now() < until) await sleep(50);
  }
  return !isThere();
}
