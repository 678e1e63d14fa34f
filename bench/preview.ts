import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { endProcess, startProcess } from './rig/deployment';
import type { PreviewLoadMessage, PreviewTimes } from './rig/preview-load';
import { cpuSeconds } from './rig/cpu';
import { quantile } from './rig/quantile';
import { type IsolationRig, startIsolationRig } from './rig/isolation-rig';
import { wholeNumber } from './rig/settings';

/*
 * How long a preview takes (630 entities, three apps, `include=shown,changes`), and what 20 of them at once cost stock
 * events: their p99 beside previews against their p99 alone, in rounds of both in turn; the rounds alone against each
 * other say how much such a ratio moves by itself. Beside a loop of the same priority, in a process that does nothing
 * else, they say what any busy thread of low priority costs on this machine. The goals are a p50 under 60 ms and a ratio
 * of at most 1.2.
 */

const ENTITIES = wholeNumber('ENTITIES', 630, 10_000);
const PREVIEWS = wholeNumber('PREVIEWS', 200, 5_000);
const SECONDS = wholeNumber('SECONDS', 20, 600);
const ROUNDS = wholeNumber('ROUNDS', 4, 20);
const AT_ONCE = 20;
const EVENTS_A_SECOND = wholeNumber('EVENTS', 20, 200);

async function main(): Promise<void> {
  const rig = await startIsolationRig();
  const load = startProcess(join(__dirname, 'rig/preview-load.ts'), {
    execArgv: ['--import', 'tsx'],
  });
  // The callers of a service are elsewhere: what they do must not take its processors.
  setPriority(load.pid ?? 0, constants.priority.PRIORITY_LOW);
  try {
    console.log(rig.setting.join('\n'));
    tell(load, { settings: rig.well.previews(ENTITIES) });
    await previews(load, 1, 20);
    await events(rig, 5);
    await onePreviewAtATime(rig, load);
    await previewsBesideEvents(rig, load);
  } finally {
    await endProcess(load);
    await rig.stop();
  }
}

function tell(load: ChildProcess, message: PreviewLoadMessage): void {
  load.send(message);
}

/** The times of previews by so many clients, ms: of so many, or until the load is told to end. */
async function previews(
  load: ChildProcess,
  clients: number,
  count: number,
): Promise<readonly number[]> {
  tell(load, { begin: { clients, previews: count } });
  const [{ times }] = (await once(load, 'message')) as [PreviewTimes];
  return times;
}

async function onePreviewAtATime(rig: IsolationRig, load: ChildProcess): Promise<void> {
  const before = cpuSeconds(rig.pids.api);
  const times = await previews(load, 1, PREVIEWS);
  const cpu = ((cpuSeconds(rig.pids.api) - before) * 1_000) / PREVIEWS;
  console.log(
    `${PREVIEWS} previews of ${ENTITIES} entities in three apps, one after the other, ms: ` +
      `p50 ${p(times, 0.5)}, p99 ${p(times, 0.99)}; CPU of the API ${cpu.toFixed(1)} each`,
  );
}

async function previewsBesideEvents(rig: IsolationRig, load: ChildProcess): Promise<void> {
  const [alone, besidePreviews, besideLoop] = [[] as number[][], [] as number[], [] as number[]];
  const previewTimes: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    alone.push(await events(rig, SECONDS));
    const ended = previews(load, AT_ONCE, Number.MAX_SAFE_INTEGER);
    besidePreviews.push(...(await events(rig, SECONDS)));
    tell(load, { end: true });
    previewTimes.push(...(await ended));
    besideLoop.push(...(await besideLowPriority(() => events(rig, SECONDS))));
  }
  const [half, otherHalf] = [0, 1].map((odd) => alone.filter((_, n) => n % 2 === odd).flat());
  const ratio = (times: readonly number[]): string => (p99(times) / p99(alone.flat())).toFixed(2);
  console.log(
    `${EVENTS_A_SECOND} stock events a second, ${ROUNDS} rounds, ms:\n` +
      `  alone p50 ${p(alone.flat(), 0.5)}, p99 ${p(alone.flat(), 0.99)}; p99 of every other round to that of the rest ${(p99(half ?? []) / p99(otherHalf ?? [])).toFixed(2)}\n` +
      `  beside ${AT_ONCE} previews at once p50 ${p(besidePreviews, 0.5)}, p99 ${p(besidePreviews, 0.99)}: p99 ${ratio(besidePreviews)} of alone\n` +
      `  beside a loop of the same priority p50 ${p(besideLoop, 0.5)}, p99 ${p(besideLoop, 0.99)}: p99 ${ratio(besideLoop)} of alone\n` +
      `${(previewTimes.length / SECONDS / ROUNDS).toFixed(1)} previews a second meanwhile, p50 ${p(previewTimes, 0.5)}, p99 ${p(previewTimes, 0.99)}`,
  );
}

/** Runs `work` while one process does nothing but use a processor, with the priority of the thread of previews. */
async function besideLowPriority<T>(work: () => Promise<T>): Promise<T> {
  const loop = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
  try {
    if (loop.pid === undefined) throw new Error('no process could be started');
    setPriority(loop.pid, constants.priority.PRIORITY_BELOW_NORMAL);
    return await work();
  } finally {
    const gone = once(loop, 'exit');
    loop.kill('SIGKILL');
    await gone;
  }
}

async function events(rig: IsolationRig, seconds: number): Promise<number[]> {
  const times: number[] = [];
  const requests: Promise<void>[] = [];
  for (let n = 0; n < EVENTS_A_SECOND * seconds; n += 1) {
    const at = performance.now();
    requests.push(
      rig.well.send('event').then((status) => {
        // An answer that says "later" took as long as the wait for it, which its time shows.
        if (status !== 200 && status !== 202) throw new Error(`an event was answered ${status}`);
        times.push(performance.now() - at);
      }),
    );
    await sleep(1_000 / EVENTS_A_SECOND);
  }
  await Promise.all(requests);
  return times;
}

function sorted(times: readonly number[]): number[] {
  return times.toSorted((one, other) => one - other);
}

function p99(times: readonly number[]): number {
  return quantile(sorted(times), 0.99);
}

function p(times: readonly number[], share: number): string {
  return quantile(sorted(times), share).toFixed(1);
}

void main();
