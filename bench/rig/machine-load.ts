import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/** Seconds that the machine's cores have worked since it started, for any process; NaN if /proc is not available. */
export function busySeconds(): number {
  try {
    const [total = ''] = readFileSync('/proc/stat', 'utf8').split('\n');
    const [user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0] = total
      .split(/\s+/)
      .slice(1)
      .map(Number);
    return (user + nice + system + irq + softIrq) / TICKS_PER_SECOND;
  } catch {
    return Number.NaN;
  }
}

/** The share of the machine, in percent, that `seconds` of work are over `elapsed` seconds. */
export function shareOfMachine(seconds: number, elapsed: number): number {
  return (100 * seconds) / (elapsed * availableParallelism());
}

/** What `/proc/stat` counts in, on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;
