import { collectDefaultMetrics, Registry } from 'prom-client';
import { atMostEvery } from '../platform/at-most-every';
import { createBounds, onceAMinute } from '../platform/admission/bound-metrics';
import type { Sql } from '../platform/db/client';
import type { Log } from '../platform/observe/log';
import type { Reachability } from '../platform/temporal/reachability';
import { ownWork } from './own-work';
import { sharedState } from './shared-state';
import type { Metrics } from './types';

export interface MetricsDeps {
  readonly sql: Sql;
  readonly temporal: Pick<Reachability, 'isReachable'>;
  /** Where hits of bounds are told; without it nowhere. */
  readonly log?: Pick<Log, 'warn'>;
  /** How long a rendered text is given again, ms, if not the default. */
  readonly renderedMs?: number | undefined;
}

/**
 * How often the delay of the event loop is sampled, which is also the smallest delay that its metrics show. The
 * library's default of 10 ms caused 100 of the 102 wakeups a second of an idle process.
 */
const LAG_PRECISION_MS = 50;

/** Postgres is queried at most this often, however many scrapers there are. */
const FRESH_MS = 5_000;

/** Rendering takes 13 ms of the process, and anyone who reaches the port may ask. */
const RENDERED_MS = 1_000;

export function createMetrics(deps: MetricsDeps): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LAG_PRECISION_MS });
  const refresh = atMostEvery(FRESH_MS, sharedState(registry, deps));
  const sources: (() => Promise<string>)[] = [];
  return {
    ...ownWork(registry),
    bounds: createBounds(
      registry,
      onceAMinute((hit) => deps.log?.warn(hit, 'a bound was reached')),
    ),
    addSource: (read) => void sources.push(read),
    render: atMostEvery(deps.renderedMs ?? RENDERED_MS, async () => {
      const [others] = await Promise.all([Promise.all(sources.map((read) => read())), refresh()]);
      const text = [await registry.metrics(), ...others].filter(Boolean).join('\n');
      return { contentType: registry.contentType, text };
    }),
  };
}
