import { SWEPT_KINDS } from '../platform/queue/workflow-kind';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { deliveryApps } from '../delivery-apps/registry';
import { countUnownedRejections } from '../platform/observe/unowned-rejections';
import { type DatabaseClock, skewSeconds } from '../platform/db/database-clock';
import { OWN_FAULT_KINDS } from '../platform/outbound/own-faults';
import { UPLOAD_STATES } from '../../schemas/states';
import type { AttemptResult } from '../webhooks/webhook-metrics';
import { appCalls } from './app-calls';
import type { OwnWork } from './types';

/** Up to the longest wait of an upload. */
const DURATION_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

const ATTEMPT_RESULTS: readonly AttemptResult[] = [
  'delivered',
  'acknowledged',
  'refused',
  'exhausted',
  'retried',
];
const IMAGE_VERDICTS = ['good', 'wrong_format', 'too_large', 'wrong_size', 'unreadable'] as const;
const STATUS_CLASSES = ['2xx', '3xx', '4xx', '5xx'] as const;
const ANSWER_SOURCES = ['own', 'pos'] as const;
/** How long after its last round a process says that rows are left, ms: by then the sweep is in another one. */
const LEFT_MS = 300_000;

/** What this process has done since it started. Every series used by an alert exists from the start, with 0. */
export function ownWork(registry: Registry): OwnWork {
  const registers = [registry];
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from a request to its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: DURATION_BUCKETS,
    registers,
  });
  const responses = new Counter({
    name: 'http_responses_total',
    help: 'Answers by the class of their status, and by whose they are: own, or of a POS and passed through',
    labelNames: ['class', 'source'],
    registers,
  });
  for (const each of STATUS_CLASSES) {
    for (const source of ANSWER_SOURCES) responses.inc({ class: each, source }, 0);
  }
  const attempts = new Histogram({
    name: 'webhook_attempt_duration_seconds',
    help: 'Time of an attempt to deliver a webhook, by result',
    labelNames: ['result'],
    buckets: DURATION_BUCKETS,
    registers,
  });
  for (const result of ATTEMPT_RESULTS) attempts.zero({ result });
  const ended = new Counter({
    name: 'menu_uploads_ended_total',
    help: 'Menu uploads that were carried out, by final state; superseded ones are not carried out',
    labelNames: ['app', 'state'],
    registers,
  });
  for (const { name: app } of deliveryApps()) {
    for (const state of UPLOAD_STATES) {
      if (state !== 'queued' && state !== 'running') ended.inc({ app, state }, 0);
    }
  }
  const refused = new Counter({
    name: 'webhook_outcomes_refused_total',
    help: 'Outcomes of attempts that Postgres refused; see the log',
    registers,
  });
  const images = new Counter({
    name: 'image_checks_total',
    help: 'Images whose heads were fetched, by verdict',
    labelNames: ['verdict'],
    registers,
  });
  for (const verdict of IMAGE_VERDICTS) images.inc({ verdict }, 0);
  const ownFaults = new Counter({
    name: 'own_faults_total',
    help: 'Requests that failed, and secrets that could not be opened, by trouble of our own, by its kind',
    labelNames: ['kind'],
    registers,
  });
  for (const kind of OWN_FAULT_KINDS) ownFaults.inc({ kind }, 0);
  const unowned = new Gauge({
    name: 'unhandled_rejections_total',
    help: 'Rejections that no part of the process caught; each is a defect',
    registers: [],
    collect() {
      this.set(countUnownedRejections());
    },
  });
  registry.registerMetric(unowned);
  return {
    ...appCalls(registers),
    ...sweeping(registry),
    ...pools(registry),
    ...ownClock(registry),
    observeRequest(labels, seconds, source) {
      requests.observe(labels, seconds);
      responses.inc({ class: `${Math.floor(labels.status / 100)}xx`, source });
    },
    countUpload: (app, state) => ended.inc({ app, state }),
    observeAttempt: (result, seconds) => attempts.observe({ result }, seconds),
    countRefusedOutcome: () => refused.inc(),
    countOwnFault: (kind) => ownFaults.inc({ kind }),
    countImage: (verdict) => images.inc({ verdict }),
  };
}

function sweeping(registry: Registry): Pick<OwnWork, 'observeSweep' | 'countRemoved'> {
  const registers = [registry];
  const lastRound = new Gauge({
    name: 'sweep_last_round_timestamp_seconds',
    help: 'When this process last ran a round of the sweep; 0: it never did',
    registers,
  });
  const swept = new Counter({
    name: 'sweep_wakes_total',
    help: 'Keys with overdue rows whose workflow has no lease: their wakes were lost',
    labelNames: ['kind'],
    registers,
  });
  for (const kind of SWEPT_KINDS) swept.inc({ kind }, 0);
  const removed = new Counter({
    name: 'retention_rows_total',
    help: 'Expired rows that the retention has checked',
    labelNames: ['kind'],
    registers,
  });
  let leftUntil = 0;
  registry.registerMetric(
    new Gauge({
      name: 'retention_unfinished',
      help: 'Whether the last round of the retention ended with rows left (1); 0 after five minutes without a round',
      registers: [],
      collect() {
        this.set(performance.now() < leftUntil ? 1 : 0);
      },
    }),
  );
  const failures = new Counter({
    name: 'retention_failures_total',
    help: 'Statements of the retention that failed; see the log',
    registers,
  });
  return {
    observeSweep(woken) {
      lastRound.setToCurrentTime();
      for (const kind of SWEPT_KINDS) swept.inc({ kind }, woken[kind] ?? 0);
    },
    countRemoved({ kinds, left, failed }) {
      for (const { name, rows } of kinds) removed.inc({ kind: name }, rows);
      leftUntil = left ? performance.now() + LEFT_MS : 0;
      failures.inc(failed);
    },
  };
}

function pools(registry: Registry): Pick<OwnWork, 'watchPool'> {
  const watched = new Map<string, Parameters<OwnWork['watchPool']>[1]>();
  const gauge = (
    name: string,
    help: string,
    read: (usage: { used: number; waiting: number; max: number }) => number,
  ) =>
    registry.registerMetric(
      new Gauge({
        name,
        help,
        labelNames: ['pool'],
        registers: [],
        collect() {
          for (const [pool, usage] of watched) this.set({ pool }, read(usage()));
        },
      }),
    );
  gauge('postgres_connections_used', 'Connections in use now', ({ used }) => used);
  gauge('postgres_connections_max', 'Connections that the pool may have', ({ max }) => max);
  gauge(
    'postgres_statements_waiting',
    'Statements that wait because all connections of the pool are in use',
    ({ waiting }) => waiting,
  );
  return { watchPool: (pool, usage) => void watched.set(pool, usage) };
}

function ownClock(registry: Registry): Pick<OwnWork, 'watchClock'> {
  let watched: Pick<DatabaseClock, 'skewMs'> | undefined;
  registry.registerMetric(
    new Gauge({
      name: 'clock_skew_seconds',
      help: 'The clock of this process minus that of the database; 0 until that is known',
      registers: [],
      collect() {
        this.set((watched && skewSeconds(watched)) ?? 0);
      },
    }),
  );
  return { watchClock: (clock) => void (watched = clock) };
}
