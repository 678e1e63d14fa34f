import { Counter, Gauge, type Registry } from 'prom-client';

/** The resources that a process limits, as values of the label `bound`. */
export type BoundName =
  | 'body_memory'
  | 'unknown_senders_memory'
  | 'webhook_memory'
  | 'body_values'
  | 'waiting_requests'
  | 'waiting_pos_updates'
  | 'working_requests'
  | 'requests_without_body'
  | 'token_lookups'
  | 'signature_checks'
  | 'failed_authentications'
  | 'bad_signatures'
  | 'rate_limit'
  | 'store_links'
  | 'waiting_menus'
  | 'waiting_previews'
  | 'resends_of_a_user'
  | 'stranger_requests_of_a_user'
  | 'text_reads_of_a_user'
  | 'pages_of_a_user'
  | 'payload_bytes'
  | 'losses'
  | 'pushes_to_an_integration'
  | 'prompt_pushes'
  | 'rollouts_at_work'
  | 'image_seconds';

/** Reports how full a limit is and how often it is hit. */
export interface Bound {
  /** A request was refused, or handled in a smaller way, because of this limit. */
  hit(): void;
  /** Reports the size of one thing, for a limit on single things; the largest since the last scrape is exported. */
  meet(amount: number): void;
}

export interface BoundOptions {
  readonly limit: number;
  /** For a limit on what a process holds: how much it holds now. */
  readonly used?: () => number;
}

/** The series of all bounds: their limits, how full they are, how often each was hit. */
export interface Bounds {
  /** Declares the limit of this name; once per process. */
  declare(name: BoundName, options: BoundOptions): Bound;
}

export function createBounds(registry: Registry): Bounds {
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
    declare(bound, { limit, used: fill }) {
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
        hit: () => hits.inc({ bound }),
        meet(amount) {
          largest = Math.max(largest, amount);
        },
      };
    },
  };
}
