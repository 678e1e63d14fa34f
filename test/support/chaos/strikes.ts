import { setTimeout as delay } from 'node:timers/promises';
import type { Arena } from './arena';
import { failApp } from './fail-app';
import { type SeededRandom, seededRandom } from './seeded-random';

/** One fault of a run, drawn before it begins. */
export interface Strike {
  /** ms from the begin of the run. */
  readonly at: number;
  /** The target and kind of the strike: its row in the table. */
  readonly name: string;
  /** Resolves with false if its target is already down. */
  readonly perform: () => Promise<boolean>;
}

const SHORTEST_GAP_MS = 1_000;
const LONGEST_GAP_MS = 4_500;
/** A share of the run; the rest is for coming back from it. */
const WIPE_AT = 0.35;
const WIPE_EVERY_MS = 180_000;

/** All faults of a run of `ms`: the same for the same seed. Temporal loses its data at least once. */
export function planStrikes(arena: Arena, seed: number, ms: number): Strike[] {
  const random = seededRandom(seed);
  const targets = createTargets();
  const draws = drawsOf(arena, random, targets);
  const strikes: Strike[] = [];
  let at = SHORTEST_GAP_MS;
  let wipeAt = ms * WIPE_AT;
  while (at < ms) {
    if (at >= wipeAt) {
      strikes.push({ at, name: 'Temporal wiped', perform: () => wipeTemporal(arena, targets) });
      wipeAt = at + WIPE_EVERY_MS;
    } else strikes.push({ at, ...random.pick(draws)() });
    at += random.between(SHORTEST_GAP_MS, LONGEST_GAP_MS);
  }
  return strikes;
}

/** A target that is down is not struck again: a second start beside the first would be a fault of the test itself. */
interface Targets {
  isFree(name: string): boolean;
  /** Skips targets that are down; resolves with whether it acted. */
  ifFree(name: string, act: () => Promise<void>): Promise<boolean>;
  whenFree(name: string, act: () => Promise<void>): Promise<boolean>;
}

function createTargets(): Targets {
  const taken = new Map<string, Promise<void>>();
  const take = async (name: string, act: () => Promise<void>): Promise<true> => {
    const down = act().finally(() => taken.delete(name));
    taken.set(name, down);
    await down;
    return true;
  };
  return {
    isFree: (name) => !taken.has(name),
    ifFree: async (name, act) => !taken.has(name) && take(name, act),
    async whenFree(name, act) {
      while (taken.has(name)) await taken.get(name);
      return take(name, act);
    },
  };
}

type Draw = () => Omit<Strike, 'at'>;

function drawsOf(arena: Arena, random: SeededRandom, targets: Targets): Draw[] {
  const onParts = arena.parts.flatMap((part): Draw[] => [
    () => {
      const afterMs = random.between(0, 3_000);
      const perform = () => targets.ifFree(part.name, () => part.kill(afterMs));
      return { name: `${part.name} killed`, perform };
    },
    () => {
      const ms = random.between(500, 15_000);
      const freeze = () => targets.ifFree(`${part.name} frozen`, () => part.freeze(ms));
      // Killed while it is frozen is as good as any other time, frozen while there is no process is nothing.
      const perform = async () => targets.isFree(part.name) && freeze();
      return { name: `${part.name} frozen`, perform };
    },
  ]);
  const onProcesses = arena.processes.map((part): Draw => () => {
    const perform = () => targets.ifFree(part.name, () => part.restart());
    return { name: `${part.name} restarted in order`, perform };
  });
  const onAll: Draw = () => {
    const delays = arena.parts.map(() => random.between(0, 3_000));
    const killAll = arena.parts.map(
      (part, index) => () => targets.ifFree(part.name, () => part.kill(delays[index] ?? 0)),
    );
    const perform = async () => {
      const struck = await Promise.all(killAll.map((kill) => kill()));
      return struck.every(Boolean);
    };
    return { name: 'everything killed at once', perform };
  };
  const onApps = APPS.map((app): Draw => () => {
    const fault = random.pick(APP_FAULTS);
    return { name: `${app} fails`, perform: () => failApp(arena, app, fault) };
  });
  return [...onParts, ...onProcesses, onAll, ...onApps, ...drawsOfWire(arena, random, targets)];
}

/** App B is slow with every menu instead, see `world`. */
const APPS = ['app-a', 'app-c'] as const;
const APP_FAULTS = [
  { kind: 'slow', ms: 1_500, times: 5 },
  { kind: 'slow', ms: 2_000, times: 20 },
  { kind: 'status', status: 503, times: 3 },
  { kind: 'reset_mid' },
] as const;

function drawsOfWire(arena: Arena, random: SeededRandom, targets: Targets): Draw[] {
  const { proxy } = arena;
  const forAWhile = (name: string, begin: (drawn: number) => void): Draw => {
    return () => {
      const [ms, drawn] = [random.between(2_000, 8_000), random.between(50, 300)];
      const act = async (): Promise<void> => {
        begin(drawn);
        await delay(ms);
        healWire(arena);
      };
      return { name: `wire to Postgres ${name}`, perform: () => targets.ifFree('wire', act) };
    };
  };
  return [
    forAWhile('slow', (ms) => (proxy.latencyMs = ms)),
    forAWhile('swallows', () => (proxy.mode = 'swallow')),
    forAWhile('refuses', () => {
      proxy.mode = 'refuse';
      proxy.cut();
    }),
    atOnce('cut', () => proxy.cut()),
    atOnce('cut inside answers', () => proxy.cutInsideAnswer()),
  ];
}

function atOnce(name: string, act: () => void): Draw {
  const perform = async () => {
    act();
    return true;
  };
  return () => ({ name: `wire to Postgres ${name}`, perform });
}

/** Everything passes again, at once. */
export function healWire({ proxy }: Arena): void {
  proxy.mode = 'pass';
  proxy.latencyMs = 0;
}

function wipeTemporal({ temporal }: Arena, targets: Targets): Promise<boolean> {
  return targets.whenFree('Temporal', async () => {
    await temporal.wipe();
    await temporal.start();
  });
}
