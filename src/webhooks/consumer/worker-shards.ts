import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { hostname } from 'node:os';
import { performance } from 'node:perf_hooks';
import { type AtCheckpoint, noCheckpoints } from '../../platform/checkpoint';
import type { Bounds } from '../../platform/admission/bound-metrics';
import { createPermits } from '../../platform/admission/permits';
import type { Sql } from '../../platform/db/client';
import { createDatabaseClock, type DatabaseClock } from '../../platform/db/database-clock';
import { inBackground } from '../../platform/in-background';
import { createLatch } from '../../platform/latch';
import type { Log } from '../../platform/observe/log';
import { createOwnFaults, type OwnFaults } from '../../platform/outbound/own-faults';
import type { OutboundClient } from '../../platform/outbound/types';
import type { SecretBox } from '../../platform/crypto/secrets';
import type { RetryTable } from '../attempt/next-attempt';
import { longestAttemptMs } from '../attempt/send-attempt';
import type { Announcement } from '../sql/announcements';
import { endLease, type OwnedShard, releaseShard, type Worker } from '../sql/shard-owners';
import { leapIfTimelineChanged } from '../sql/timeline';
import { findWaiting } from '../sql/webhook-shards';
import type { WebhookMetrics } from '../webhook-metrics';
import { createClaimer } from './claimer';
import { createWorkerLease, RENEW_MS } from './worker-lease';
import { createOutcomeWriter } from './outcomes';
import { createPayloadBudget } from './payload-budget';
import { createShard, type Shard } from './shard';
import type { ConsumerDeps } from './subscription-consumer';

export interface WorkerShardsDeps {
  /** For statements about a single subscription. */
  readonly sql: Sql;
  /** For claims and outcomes of all subscriptions, so that they never queue behind those of one. */
  readonly sharedSql: Sql;
  /** For the lease, which must not wait for anything else. */
  readonly leaseSql: Sql;
  readonly worker: Worker;
  readonly http: OutboundClient;
  /** That of the process, which `http` tells of what fails. */
  readonly ownFaults?: OwnFaults | undefined;
  /** That of the process. */
  readonly clock?: DatabaseClock | undefined;
  readonly secrets: SecretBox;
  readonly log: Log;
  readonly atCheckpoint?: AtCheckpoint;
  /** A shard is ours now, or deliveries stay for later: its workflow shows it, and holds the timer. */
  readonly onLater?: (shard: number) => void;
  readonly metrics?: WebhookMetrics | undefined;
  readonly bounds?: Bounds | undefined;
  readonly settings: {
    readonly WEBHOOK_TIMEOUT: number;
    /** Bytes. */
    readonly WEBHOOK_MEMORY: number;
    readonly WEBHOOK_RETRY_SCHEDULE: RetryTable;
  };
}

/** The delivery side of webhooks in one process: it owns shards, and consumes them. */
export interface WorkerShards {
  /** Deliveries of a subscription were announced, or of all of a shard. */
  wake(announcement: Announcement): void;
  /** Announcements may have been missed. */
  wakeAll(): void;
  /** A shard may be free. */
  takeFree(): void;
  /** The shards of this process. */
  readonly shards: () => readonly number[];
  /** It claims no more; requests in flight get `STOP_GRACE_MS`, then they are aborted. Shards go to others as they end. */
  stop(): void;
  /** Call after `stop`; resolves when everything is recorded, and others have the shards. */
  close(): Promise<void>;
}

/** A lease of a delivery outlives the longest attempt by this much: for recording it, and for differences of clocks. */
const LEASE_MARGIN_MS = 10_000;
/** Each is an open connection. */
const UNHURRIED_ANSWERS = 2_000;
const STOP_GRACE_MS = 6_000;
/** Deliveries that are due later, or whose announcement was lost, are found by looking this often and this far ahead. */
const LOOK_MS = 1_000;
const LOOK_AHEAD_MS = 2_000;
/** Looking takes at most one part in this many of the time, as it takes longer the more subscriptions wait. */
const LOOK_SHARE = 30;
/** How often the timeline of Postgres is looked up; also at once when a renewal failed, as in a failover. */
const TIMELINE_MS = 10_000;
/** Timers may fire this much too early, and the process would wake once more for what is left. */
const TIMER_EARLY_MS = 1;

/** Begins to take shards and to consume them. */
export function consumeShards(deps: WorkerShardsDeps): WorkerShards {
  const { sql, sharedSql, leaseSql, worker, log, atCheckpoint = noCheckpoints, settings } = deps;
  const { clock = createDatabaseClock(), onLater = () => {} } = deps;
  const timeoutMs = settings.WEBHOOK_TIMEOUT;
  const leaseMs = longestAttemptMs(timeoutMs) + LEASE_MARGIN_MS;
  const shards = new Map<number, Shard>();
  const running = new Set<Promise<void>>();
  const [stopping, aborting, closing] = [
    new AbortController(),
    new AbortController(),
    new AbortController(),
  ];
  setMaxListeners(0, stopping.signal, aborting.signal); // one per shard
  const shared: ConsumerDeps = {
    sql,
    log,
    atCheckpoint,
    clock,
    secrets: deps.secrets,
    ownFaults: deps.ownFaults ?? createOwnFaults({ log }),
    claim: createClaimer({ sql: sharedSql, leaseMs }),
    writer: createOutcomeWriter({ sql: sharedSql, atCheckpoint, log, metrics: deps.metrics }),
    attempts: {
      http: deps.http,
      timeoutMs,
      unhurried: createPermits({ ofAll: UNHURRIED_ANSWERS }),
      now: clock.now,
    },
    retryTable: settings.WEBHOOK_RETRY_SCHEDULE,
    budget: createPayloadBudget(settings.WEBHOOK_MEMORY, deps.bounds),
  };
  const lease = createWorkerLease({ sql: leaseSql, log, clock, worker, shards, begin });

  function begin(owned: OwnedShard): void {
    const shard = createShard(shared, owned, {
      stopping: stopping.signal,
      aborting: aborting.signal,
      isLeaseHeld: lease.isLeaseHeld,
      onSuperseded: renewing.now,
      onLater: () => onLater(owned.shard),
    });
    shards.get(owned.shard)?.supersede();
    shards.set(owned.shard, shard);
    looking.now();
    onLater(owned.shard); // its workflow says who has it
    const ended = consume(shard).finally(() => running.delete(ended));
    running.add(ended);
    inBackground(ended, (error) =>
      log.error({ shard: owned.shard, err: error }, 'a shard ended with an unexpected error'),
    );
  }

  async function consume(shard: Shard): Promise<void> {
    try {
      await shard.run();
      // If this fails it is found to be ours by the next renewal, or free when the lease has ended.
      await releaseShard(sql, shard).catch(() => {});
    } finally {
      if (shards.get(shard.shard) === shard) shards.delete(shard.shard);
    }
  }

  async function look(): Promise<number> {
    const startedAt = performance.now();
    if (shards.size === 0) return LOOK_MS;
    for (const { shard, subscriptionId, dueMs } of await findWaiting(
      leaseSql,
      [...shards.keys()],
      LOOK_AHEAD_MS,
    )) {
      if (dueMs <= 0) shards.get(shard)?.wake(subscriptionId);
      else shards.get(shard)?.wakeIn(subscriptionId, dueMs);
    }
    return Math.max(LOOK_MS, LOOK_SHARE * (performance.now() - startedAt));
  }

  async function renew(): Promise<number> {
    try {
      return Math.min(RENEW_MS, await lease.renew());
    } catch (error) {
      followingTimeline.now();
      throw error;
    }
  }

  async function followTimeline(): Promise<number> {
    if (await leapIfTimelineChanged(leaseSql))
      log.warn('Postgres is on another timeline: the numbers of webhooks leap ahead');
    return TIMELINE_MS;
  }

  // Separate loops: a look may take long, and the lease must be renewed meanwhile.
  const loop = (work: () => Promise<number>, words: string) =>
    startLoop(work, { log, words, signal: closing.signal });
  const renewing = loop(renew, 'the lease of this worker cannot be renewed');
  const looking = loop(look, 'looking for due deliveries failed');
  const followingTimeline = loop(followTimeline, 'the timeline of Postgres cannot be looked up');

  return {
    wake({ shard, subscriptionId }) {
      if (subscriptionId !== undefined) shards.get(shard)?.wake(subscriptionId);
      else if (shards.has(shard)) looking.now();
    },
    wakeAll: looking.now,
    takeFree: renewing.now,
    shards: () => [...shards.keys()],
    stop() {
      lease.leave();
      renewing.now();
      stopping.abort();
      setTimeout(() => aborting.abort(), STOP_GRACE_MS).unref();
    },
    async close() {
      while (running.size > 0) await Promise.allSettled(running);
      closing.abort();
      await Promise.all([renewing.ended, looking.ended, followingTimeline.ended]);
      await endLease(sql, worker).catch(() => {});
    },
  };
}

/** As Temporal names it too. */
export function thisWorker(): Worker {
  return { id: randomUUID(), name: `${process.pid}@${hostname()}` };
}

interface Loop {
  /** Works at once, or once more if it is at work. */
  readonly now: () => void;
  readonly ended: Promise<void>;
}

/**
 * Does some work again and again, each time after as many ms as it said. A failure is logged once, and again only after
 * a success in between, because the work is tried again every `RENEW_MS`.
 */
function startLoop(
  work: () => Promise<number>,
  {
    log,
    words,
    signal,
  }: { readonly log: Log; readonly words: string; readonly signal: AbortSignal },
): Loop {
  const latch = createLatch();
  let dueAt = 0;
  let failed = false;

  async function workOnce(): Promise<void> {
    const startedAt = performance.now();
    dueAt = Number.POSITIVE_INFINITY;
    let afterMs = RENEW_MS;
    try {
      afterMs = await work();
      failed = false;
    } catch (error) {
      if (!failed) log.warn({ err: error }, words);
      failed = true;
    }
    // What asked for it meanwhile perhaps was not there when it began.
    dueAt = Math.min(dueAt, startedAt + afterMs);
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      if (performance.now() >= dueAt - TIMER_EARLY_MS) await workOnce();
      if (!signal.aborted) await latch.wait(Math.max(1, dueAt - performance.now()));
    }
  }
  signal.addEventListener('abort', latch.signal, { once: true });
  return {
    now() {
      dueAt = 0;
      latch.signal();
    },
    ended: run(),
  };
}
