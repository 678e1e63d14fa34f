import { Counter, Gauge, type Registry } from 'prom-client';
import type { BoundRow } from './bound-row';
import { type BoundName, BOUNDS } from './bounds';

export type { BoundName };

/** The limit of a bound that no setting says. */
export function limitOf(name: BoundName): number {
  const { limit }: BoundRow = BOUNDS[name];
  if (limit === undefined) throw new Error(`a setting says the limit of the bound ${name}`);
  return limit;
}

/** Reports how full a limit is and how often it is hit. */
export interface Bound {
  /** A request of this key (see `BOUNDS`) was refused, or handled in a smaller way, because of this limit. */
  hit(key?: string): void;
  /** Reports the size of one thing, for a limit on single things; the largest since the last scrape is exported. */
  meet(amount: number): void;
}

export interface BoundOptions {
  /** That of the table if not said. */
  readonly limit?: number;
  /** For a limit on what a process holds: how much it holds now. */
  readonly used?: () => number;
}

/** The series of all bounds: their limits, how full they are, how often each was hit. */
export interface Bounds {
  /** Declares the limit of this name; once per process. */
  declare(name: BoundName, options?: BoundOptions): Bound;
}

/** Called with a hit of a bound, for the log. */
export type OnBoundHit = (hit: { readonly bound: BoundName; readonly key: string }) => void;

export function createBounds(registry: Registry, onHit: OnBoundHit = () => {}): Bounds {
  const labelNames = ['bound'] as const;
  const fills = new Map<BoundName, () => number>();
  const limits = new Gauge({
    name: 'bound_limit',
    help: 'The most that a bound allows, in its own unit',
    labelNames,
    registers: [registry],
  });
  const hits = new Counter({
    name: 'bound_hits_total',
    help: 'How often a bound was hit',
    labelNames,
    registers: [registry],
  });
  const used = new Gauge({
    name: 'bound_used',
    help: 'How much of a bound is used now; of a bound of single things, the largest since the last scrape',
    labelNames,
    registers: [],
    collect() {
      for (const [bound, fill] of fills) this.set({ bound }, fill());
    },
  });
  registry.registerMetric(used);

  return {
    declare(bound, { limit = limitOf(bound), used: fill } = {}) {
      let largest = 0;
      limits.set({ bound }, limit);
      // So that the series exists before the first hit and an alert on its increase counts that hit too.
      hits.inc({ bound }, 0);
      fills.set(
        bound,
        fill ??
          (() => {
            const told = largest;
            largest = 0;
            return told;
          }),
      );
      return {
        hit(key) {
          hits.inc({ bound });
          if (key !== undefined) onHit({ bound, key });
        },
        meet(amount) {
          largest = Math.max(largest, amount);
        },
      };
    },
  };
}

const MINUTE_MS = 60_000;
/** Of a bound in a minute: an attack by many addresses must not fill the log. */
const MOST_KEYS = 20;

/**
 * Tells of a hit once a minute for each bound and key, and of no more than 20 keys of a bound in a minute, as hits may
 * be thousands a second.
 */
export function onceAMinute(tell: OnBoundHit, now = () => performance.now()): OnBoundHit {
  const told = new Map<BoundName, { since: number; readonly keys: Set<string> }>();
  return ({ bound, key }) => {
    const known = told.get(bound) ?? { since: now(), keys: new Set() };
    if (now() - known.since >= MINUTE_MS) {
      known.since = now();
      known.keys.clear();
    }
    told.set(bound, known);
    if (known.keys.has(key) || known.keys.size >= MOST_KEYS) return;
    known.keys.add(key);
    tell({ bound, key });
  };
}
