import { parseArgs } from 'node:util';
import { setTimeout as delay } from 'node:timers/promises';
import { type Arena, startArena } from '../test/support/chaos/arena';
import { createRolloutCalls, type RolloutCalls } from './rig/rollout-calls';
import {
  judgePushes,
  notTakenBack,
  showAll,
  toldTwiceOrNever,
  wrongCounts,
  wrongTargets,
  wrongTimelines,
} from './rig/rollout-judge';
import { strikeDuring } from './rig/rollout-strikes';
import { beginFaults, createRolloutWorld, type Place } from './rig/rollout-world';
import { toWholeNumber } from './rig/settings';

/*
 * One menu to many stores of three apps, one in fifty of which refuses it, while each of two APIs, two workers,
 * Postgres and Temporal is killed (SIGKILL) three times; then the rollout is reverted while each is killed once more.
 * Each target must end once, in the state that its app shows, and in the end every store must show its original
 * bytes.
 * npx tsx bench/rollout-faults.ts [--targets 1000] [--seed 7] [--minutes 15]
 * Prints the results; exits with 1 if a promise was broken or the time is up, and says where the logs are.
 */
const KILLS = 3;
const KILLS_OF_REVERT = 1;

interface Setting {
  readonly targets: number;
  readonly seed: number;
  readonly minutes: number;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      targets: { type: 'string', default: '1000' },
      seed: { type: 'string', default: '7' },
      minutes: { type: 'string', default: '15' },
    },
  });
  const setting: Setting = {
    targets: toWholeNumber('--targets', values.targets, 1_000),
    seed: toWholeNumber('--seed', values.seed, 2 ** 31),
    minutes: toWholeNumber('--minutes', values.minutes, 120),
  };
  const arena = await startArena(setting.seed);
  let violations: readonly string[] = [];
  try {
    violations = await Promise.race([play(arena, setting), timeOut(setting)]);
  } catch (error) {
    violations = [error instanceof Error ? String(error.stack) : String(error)];
  } finally {
    await arena.stop({ keepLogs: violations.length > 0 });
  }
  for (const line of violations.slice(0, 40)) print(`! ${line}`);
  print(`violations: ${violations.length}`);
  if (violations.length > 0) {
    print(`logs: ${arena.directory}`);
    process.exitCode = 1;
  }
}

async function play(arena: Arena, { targets: count, seed }: Setting): Promise<string[]> {
  const { token, places } = await createRolloutWorld(arena, count);
  const calls = createRolloutCalls(arena.apiUrls, token);
  await calls.subscribe(`${arena.simulators.receiverUrl}/events`);
  await timed(
    `every store but ${places.filter(({ before }) => before === null).length} shows a menu`,
    () => showEarlier(calls, places),
  );
  const before = await showAll(arena, places);
  await beginFaults(arena, places);

  const rolloutId = await calls.start('new', places);
  const late = await timed(`${count} targets have ended`, async () => {
    const struck = strikeDuring({
      parts: arena.parts,
      times: KILLS,
      seed,
      progress: async () => shareOf(await calls.see(rolloutId), 'counts', count),
      onStrike: print,
    });
    const [done] = await Promise.all([calls.ended(rolloutId), struck]);
    print(describe(done.counts));
    return struck;
  });
  const wrongEnds = [
    ...wrongCounts(places, await calls.see(rolloutId), 'done'),
    ...wrongTargets(places, await calls.targets(rolloutId), await showAll(arena, places), 'new'),
  ];
  print(`targets that did not end as their app shows: ${wrongEnds.length}`);

  await calls.revert(rolloutId);
  const lateReverts = await timed('the rollout is taken back', async () => {
    const struck = strikeDuring({
      parts: arena.parts,
      times: KILLS_OF_REVERT,
      seed: seed + 1,
      progress: async () => shareOf(await calls.see(rolloutId), 'revert', count),
      onStrike: print,
    });
    const [reverted] = await Promise.all([calls.ended(rolloutId), struck]);
    print(describe(reverted.revert ?? {}));
    return struck;
  });
  const { pushes, overlapping } = await judgePushes(arena);
  print(`${pushes} pushes in all`);
  return [
    ...late,
    ...lateReverts,
    ...wrongEnds,
    ...wrongCounts(places, await calls.see(rolloutId), 'reverted'),
    ...notTakenBack(places, before, await showAll(arena, places)),
    ...(await wrongTimelines(arena, places)),
    ...(await toldTwiceOrNever(arena, rolloutId)),
    ...overlapping,
    ...arena.processes.flatMap((part) => part.endedByItself),
  ];
}

/** By rollouts, too: one for each of the earlier menus. */
async function showEarlier(calls: RolloutCalls, places: readonly Place[]): Promise<void> {
  for (const version of new Set(places.flatMap(({ before }) => before ?? []))) {
    const some = places.filter(({ before }) => before === version);
    const { counts } = await calls.ended(await calls.start(version, some));
    if (counts.uploaded !== some.length) throw new Error(`before: ${describe(counts)}`);
  }
}

function shareOf(
  rollout: Awaited<ReturnType<RolloutCalls['see']>>,
  which: 'counts' | 'revert',
  count: number,
): number {
  const {
    waiting = 0,
    queued = 0,
    running = 0,
  }: Readonly<Record<string, number>> = rollout[which] ?? {};
  return 1 - (waiting + queued + running) / count;
}

function describe(counts: Readonly<Record<string, number>>): string {
  const some = Object.entries(counts).filter(([, count]) => count > 0);
  return some.map(([state, count]) => `${state} ${count}`).join(', ');
}

async function timed<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  const startedAt = Date.now();
  const result = await work();
  print(`${what}: ${((Date.now() - startedAt) / 1_000).toFixed(0)} s`);
  return result;
}

async function timeOut({ minutes }: Setting): Promise<string[]> {
  await delay(minutes * 60_000, undefined, { ref: false });
  return [`it took longer than ${minutes} min`];
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
});
