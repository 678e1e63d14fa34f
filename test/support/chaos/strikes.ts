import { setTimeout as delay } from 'node:timers/promises';
import type { Arena } from './arena';
import { type SeededRandom, seededRandom } from './seeded-random';

/** One fault of a run, drawn before it begins. */
export interface Strike {
  /** ms from the begin of the run. */
  readonly at: number;
  /** What is struck and how: the row of the table that counts it. */
  readonly name: string;
  readonly perform: () => Promise<void>;
}

const SHORTEST_GAP_MS = 1_000;
const LONGEST_GAP_MS = 4_500;
/** A share of the run; the rest is for coming back from it. */
const WIPE_AT = 0.35;
const WIPE_EVERY_MS = 180_000;

/** All faults of a run of `ms`: the same for the same seed. Temporal loses its data at least once. */
export function planStrikes(arena: Arena, seed: number, ms: number): Strike[] {
  const random = seededRandom(seed);
  const turns = createTurns();
  const draws = drawsOf(arena, random, turns);
  const strikes: Strike[] = [];
  let at = SHORTEST_GAP_MS;
  let wipeAt = ms * WIPE_AT;
  while (at < ms) {
    if (at >= wipeAt) {
      strikes.push({ at, name: 'Temporal wiped', perform: () => wipeTemporal(arena, turns) });
      wipeAt = at + WIPE_EVERY_MS;
    } else strikes.push({ at, ...random.pick(draws)() });
    at += random.between(SHORTEST_GAP_MS, LONGEST_GAP_MS);
  }
  return strikes;
}

/** What is on the ground is not struck again: a second start beside the first would be a fault of the run itself. */
interface Turns {
  /** Passes over what is taken. */
  ifFree(name: string, act: () => Promise<void>): Promise<void>;
  whenFree(name: string, act: () => Promise<void>): Promise<void>;
}

function createTurns(): Turns {
  const taken = new Map<string, Promise<void>>();
  const take = (name: string, act: () => Promise<void>): Promise<void> => {
    const turn = act().finally(() => taken.delete(name));
    taken.set(name, turn);
    return turn;
  };
  return {
    async ifFree(name, act) {
      if (!taken.has(name)) await take(name, act);
    },
    async whenFree(name, act) {
      while (taken.has(name)) await taken.get(name);
      await take(name, act);
    },
  };
}

type Draw = () => Omit<Strike, 'at'>;

function drawsOf(arena: Arena, random: SeededRandom, turns: Turns): Draw[] {
  const onParts = arena.parts.flatMap((part): Draw[] => [
    () => {
      const afterMs = random.between(0, 3_000);
      const perform = () => turns.ifFree(part.name, () => part.kill(afterMs));
      return { name: `${part.name} killed`, perform };
    },
    () => {
      const ms = random.between(500, 15_000);
      const perform = () => turns.ifFree(part.name, () => part.freeze(ms));
      return { name: `${part.name} frozen`, perform };
    },
  ]);
  const onApps = APPS.map((app): Draw => () => {
    const fault = random.pick(APP_FAULTS);
    return { name: `${app} fails`, perform: () => failApp(arena, app, fault) };
  });
  return [...onParts, ...onApps, ...drawsOfWire(arena, random, turns)];
}

const APPS = ['app-a', 'app-b', 'app-c'] as const;
const APP_FAULTS = [
  { kind: 'slow', ms: 1_500, times: 5 },
  { kind: 'status', status: 503, times: 3 },
  { kind: 'reset_mid' },
] as const;

function drawsOfWire(arena: Arena, random: SeededRandom, turns: Turns): Draw[] {
  const { proxy } = arena;
  const forAWhile = (name: string, begin: (drawn: number) => void): Draw => {
    return () => {
      const [ms, drawn] = [random.between(2_000, 8_000), random.between(50, 300)];
      const act = async (): Promise<void> => {
        begin(drawn);
        await delay(ms);
        healWire(arena);
      };
      return { name: `wire to Postgres ${name}`, perform: () => turns.ifFree('wire', act) };
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
  return () => ({ name: `wire to Postgres ${name}`, perform: async () => act() });
}

/** Everything passes again, at once. */
export function healWire({ proxy }: Arena): void {
  proxy.mode = 'pass';
  proxy.latencyMs = 0;
}

function wipeTemporal({ temporal }: Arena, turns: Turns): Promise<void> {
  return turns.whenFree('Temporal', async () => {
    await temporal.wipe();
    await temporal.start();
  });
}

async function failApp(arena: Arena, app: string, fault: object): Promise<void> {
  await fetch(`${arena.simulators.appsUrl}/${app}/_sandbox/faults`, {
    method: 'POST',
    body: JSON.stringify(fault),
  });
}
