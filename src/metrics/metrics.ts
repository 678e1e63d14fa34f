import { collectDefaultMetrics, Registry } from 'prom-client';
import { createBounds } from '../platform/config/bounds';
import type { Sql } from '../platform/db/client';
import type { Reachability } from '../platform/temporal/reachability';
import { ownWork } from './own-work';
import { sharedState } from './shared-state';
import type { Metrics } from './types';

export interface MetricsDeps {
  readonly sql: Sql;
  readonly temporal: Pick<Reachability, 'isReachable'>;
}

/**
 * How often the delay of the event loop is sampled, which is also the least that its metrics show. At the library's 10 ms
 * it was all that an idle process did: 100 of 102 wakeups a second.
 */
const LAG_PRECISION_MS = 50;

/** However many scrape, Postgres is asked at most this often. */
const FRESH_MS = 5_000;

export function createMetrics(deps: MetricsDeps): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LAG_PRECISION_MS });
  const refresh = atMostEvery(FRESH_MS, sharedState(registry, deps));
  const sources: (() => Promise<string>)[] = [];
  return {
    ...ownWork(registry),
    bounds: createBounds(registry),
    addSource: (read) => void sources.push(read),
    async render() {
      const [others] = await Promise.all([Promise.all(sources.map((read) => read())), refresh()]);
      const text = [await registry.metrics(), ...others].filter(Boolean).join('\n');
      return { contentType: registry.contentType, text };
    },
  };
}

/** `run` one at a time: who comes meanwhile waits for it, and who comes within `ms` after it goes by what it found. */
export function atMostEvery(ms: number, run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let endedAt = -Infinity;
  return async () => {
    if (!running && performance.now() - endedAt < ms) return;
    running ??= run().finally(() => {
      running = undefined;
      endedAt = performance.now();
    });
    await running;
  };
}
