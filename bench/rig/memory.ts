import { readFileSync } from 'node:fs';

/** Resident memory of a process, MB; NaN if /proc is not available. */
export function residentMegabytes(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(text)?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
}
