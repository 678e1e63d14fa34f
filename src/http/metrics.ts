import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Sql } from '../db/client';
import { findOldestDueMs } from '../db/queue-age';
import { countUploads } from '../db/upload-counts';
import type { Reachability } from '../temporal/reachability';

export interface MetricsDeps {
  readonly sql: Sql;
  readonly temporal: Pick<Reachability, 'isReachable'>;
}

/** What Prometheus is told of this process, and of the queues that all processes share. */
export interface Metrics {
  /** One answered request; `route` as it is registered, so that ids do not become labels. */
  observeRequest(
    labels: { method: string; route: string; status: number },
    durationSeconds: number,
  ): void;
  /** The text of `/metrics`. Never rejects because of Postgres: its being away is what somebody wants to see. */
  render(): Promise<{ readonly contentType: string; readonly text: string }>;
}

/** Up to the longest wait of an upload. */
const DURATION_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** However many scrape, Postgres is asked at most this often. */
const FRESH_MS = 5_000;
/** A scrape has 10 s by default; a Postgres that hangs must not take all of them. */
const POSTGRES_WITHIN_MS = 2_000;

export function createMetrics({ sql, temporal }: MetricsDeps): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from a request to its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: DURATION_BUCKETS,
    registers,
  });
  const uploads = new Gauge({
    name: 'menu_uploads',
    help: 'Menu uploads that wait or run now, and those that ended within the last hour',
    labelNames: ['state'],
    registers,
  });
  const oldestDue = new Gauge({
    name: 'oldest_due_row_age_seconds',
    help: 'How long the oldest upload or delivery that could be worked on has been waiting',
    registers,
  });
  const postgresUp = new Gauge({
    name: 'postgres_reachable',
    help: 'Whether Postgres answered when it was last asked (1) or not (0)',
    registers,
  });
  const temporalUp = new Gauge({
    name: 'temporal_reachable',
    help: 'Whether Temporal answered when it was last asked (1) or not (0)',
    registers,
    collect() {
      this.set(temporal.isReachable() ? 1 : 0);
    },
  });
  temporalUp.set(0);

  async function askPostgres(): Promise<void> {
    try {
      const [counts, dueMs] = await within(
        POSTGRES_WITHIN_MS,
        Promise.all([countUploads(sql), findOldestDueMs(sql)]),
      );
      uploads.reset();
      for (const { state, count } of counts) uploads.set({ state }, count);
      oldestDue.set(dueMs / 1000);
      postgresUp.set(1);
    } catch {
      // Old numbers would look like a queue that stands still.
      uploads.reset();
      oldestDue.remove();
      postgresUp.set(0);
    }
  }
  const refresh = atMostEvery(FRESH_MS, askPostgres);

  return {
    observeRequest: (labels, durationSeconds) => durations.observe(labels, durationSeconds),
    async render() {
      await refresh();
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
}

/** One run at a time; who comes meanwhile waits for it, who comes soon after goes by it. */
function atMostEvery(ms: number, run: () => Promise<void>): () => Promise<void> {
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

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
