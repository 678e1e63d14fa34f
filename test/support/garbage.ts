import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (options?: { type: 'minor' }) => void;

function collector(): Collect {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as Collect;
}

const collect = collector();

/** Collects all of the heap; what is left is old. */
export function collectAll(): void {
  for (let n = 0; n < 3; n += 1) collect();
}

/** Collects young memory only. */
function collectYoung(): void {
  for (let n = 0; n < 3; n += 1) collect({ type: 'minor' });
}

/** How many bytes `work` leaves in the heap when young memory is collected. */
export async function keptAfter(work: () => void | Promise<void>): Promise<number> {
  collectYoung();
  const before = process.memoryUsage().heapUsed;
  await work();
  collectYoung();
  return process.memoryUsage().heapUsed - before;
}
