import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { atMostEvery } from './at-most-every';
import { type Bounds, createBounds } from './bounds';
import type { Sql } from './db/client';
import { findOldestDueMs } from './db/queue-age';
import { countUploads } from './db/upload-counts';
import type { FinalUploadState } from './domain/upload';
import type { Reachability } from './temporal/reachability';
import { countUnownedRejections } from './unowned-rejections';

export interface MetricsDeps {
  readonly sql: Sql;
  readonly temporal: Pick<Reachability, 'isReachable'>;
}

/** What became of an attempt to deliver a webhook: the end of its delivery, or another attempt to come. */
export type AttemptResult = 'delivered' | 'acknowledged' | 'refused' | 'exhausted' | 'retried';

/** What Prometheus is told of this process, and of the queues that all processes share. No label has more values than code has words. */
export interface Metrics {
  /** Where what is bounded in this process says how full it is. */
  readonly bounds: Bounds;
  /** One answered request; `route` as it is registered, so that ids do not become labels. */
  observeRequest(
    labels: { method: string; route: string; status: number },
    durationSeconds: number,
  ): void;
  /** One upload that a worker of this process brought to its end. */
  countUpload(state: FinalUploadState): void;
  /** One recorded attempt of a delivery. */
  observeAttempt(result: AttemptResult, durationSeconds: number): void;
  /** One outcome of an attempt that Postgres did not take. */
  countRefusedOutcome(): void;
  /** The text of `/metrics`. Never rejects because of Postgres: its being away is what somebody wants to see. */
  render(): Promise<{ readonly contentType: string; readonly text: string }>;
}

/** What deliveries of webhooks tell of themselves. */
export type WebhookMetrics = Pick<Metrics, 'observeAttempt' | 'countRefusedOutcome'>;

/** Up to the longest wait of an upload. */
const DURATION_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** However many scrape, Postgres is asked at most this often. */
const FRESH_MS = 5_000;
/** A scrape has 10 s by default; a Postgres that hangs must not take all of them. */
const POSTGRES_WITHIN_MS = 2_000;

export function createMetrics(deps: MetricsDeps): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const { requests, attempts, refused, ended } = ownWork(registry);
  const refresh = atMostEvery(FRESH_MS, sharedQueues(registry, deps));
  return {
    bounds: createBounds(registry),
    observeRequest: (labels, durationSeconds) => requests.observe(labels, durationSeconds),
    countUpload: (state) => ended.inc({ state }),
    observeAttempt: (result, durationSeconds) => attempts.observe({ result }, durationSeconds),
    countRefusedOutcome: () => refused.inc(),
    async render() {
      await refresh();
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
}

/** What this process has done since it started. */
function ownWork(registry: Registry) {
  const registers = [registry];
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from a request to its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: DURATION_BUCKETS,
    registers,
  });
  const attempts = new Histogram({
    name: 'webhook_attempt_duration_seconds',
    help: 'Time of an attempt to deliver a webhook, by what became of it',
    labelNames: ['result'],
    buckets: DURATION_BUCKETS,
    registers,
  });
  const ended = new Counter({
    name: 'menu_uploads_ended_total',
    help: 'Menu uploads that were carried out, by how they ended; superseded ones are not carried out',
    labelNames: ['state'],
    registers,
  });
  const refused = new Counter({
    name: 'webhook_outcomes_refused_total',
    help: 'Outcomes of attempts that Postgres did not take as they were, see the log',
    registers,
  });
  const unowned = new Gauge({
    name: 'unhandled_rejections_total',
    help: 'Rejections that no part of the process caught; each is a defect',
    registers: [],
    collect() {
      this.set(countUnownedRejections());
    },
  });
  registry.registerMetric(unowned);
  return { requests, attempts, refused, ended };
}

/** What all processes share, as it is when somebody asks; the returned function asks Postgres anew. */
function sharedQueues(registry: Registry, { sql, temporal }: MetricsDeps): () => Promise<void> {
  const registers = [registry];
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
    registers: [],
    collect() {
      this.set(temporal.isReachable() ? 1 : 0);
    },
  });
  registry.registerMetric(temporalUp);

  return async () => {
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
