import { setMaxListeners } from 'node:events';
import { type ReachCheckpoint, noCheckpoints } from '../checkpoint';
import type { Sql } from '../db/client';
import type { DrainReport } from '../domain/drain-report';
import type { RetryTable } from '../domain/retry-table';
import type { SubscriptionId } from '../ids';
import type { Log } from '../log';
import type { WebhookMetrics } from '../metrics';
import type { OutboundClient } from '../outbound/types';
import type { SecretBox } from '../secrets';
import { createClaimer } from './claimer';
import type { DrainDeps } from './drain-loop';
import { drainSubscription } from './drain-subscription';
import { createOutcomeWriter } from './outcome-writer';
import { longestAttemptMs } from './send-attempt';
import { createUnhurriedAnswers } from './unhurried-answers';

export interface WebhookEngineDeps {
  /** For what one drain does alone. */
  readonly sql: Sql;
  /** For the statements that all drains share, so that they never queue behind a drain's own. */
  readonly sharedSql: Sql;
  readonly http: OutboundClient;
  readonly secrets: SecretBox;
  readonly log: Log;
  readonly reach?: ReachCheckpoint;
  /** How long a drain with nothing to send stays, ms. */
  readonly lingerMs?: number;
  readonly metrics?: WebhookMetrics | undefined;
  readonly settings: {
    readonly WEBHOOK_TIMEOUT: number;
    readonly WEBHOOK_RETRY_SCHEDULE: RetryTable;
  };
}

/** The delivering half of webhooks in one process. */
export interface WebhookEngine {
  /** Delivers what is due for a subscription; aborting `signal` ends it now. */
  drain(subscriptionId: SubscriptionId, signal: AbortSignal): Promise<DrainReport>;
  /** Deliveries of this subscription were announced. */
  wake(subscriptionId: string): void;
  /** Announcements may have been missed. */
  wakeAll(): void;
  /** No drain claims any more; requests that are out get `STOP_GRACE_MS`, then they are given up. */
  stop(): void;
}

/** A lease outlives the longest attempt by this much: time to record it, and for clocks that disagree. */
const LEASE_MARGIN_MS = 10_000;
/**
 * A delivery that finds the drain of its subscription at work takes milliseconds; a new one costs about 50 ms of CPU
 * between Temporal and worker, what a drain costs that waits for a minute. But it holds an activity slot.
 */
const LINGER_MS = 10_000;
const LINGER_IN_A_CROWD_MS = 3_000;
const CROWD = 1_000;
const UNHURRIED_ANSWERS = 2_000;
const STOP_GRACE_MS = 6_000;

export function createWebhookEngine(deps: WebhookEngineDeps): WebhookEngine {
  const { sharedSql, log, reach = noCheckpoints, settings } = deps;
  const timeoutMs = settings.WEBHOOK_TIMEOUT;
  const wakers = new Map<string, Set<() => void>>();
  const stopping = new AbortController();
  const aborting = new AbortController();
  setMaxListeners(0, stopping.signal, aborting.signal); // one for each drain
  const drainDeps: DrainDeps = {
    sql: deps.sql,
    log,
    reach,
    lingerMs: () => (wakers.size > CROWD ? LINGER_IN_A_CROWD_MS : (deps.lingerMs ?? LINGER_MS)),
    secrets: deps.secrets,
    claim: createClaimer({
      sql: sharedSql,
      leaseMs: longestAttemptMs(timeoutMs) + LEASE_MARGIN_MS,
    }),
    writer: createOutcomeWriter({ sql: sharedSql, reach, log, metrics: deps.metrics }),
    attempts: {
      http: deps.http,
      timeoutMs,
      unhurried: createUnhurriedAnswers(UNHURRIED_ANSWERS),
    },
    retryTable: settings.WEBHOOK_RETRY_SCHEDULE,
  };

  function onWake(subscriptionId: SubscriptionId, wake: () => void): () => void {
    const set = wakers.get(subscriptionId) ?? new Set();
    wakers.set(subscriptionId, set.add(wake));
    return () => {
      set.delete(wake);
      if (set.size === 0) wakers.delete(subscriptionId);
    };
  }

  return {
    async drain(subscriptionId, signal) {
      const own = new AbortController();
      const abort = (): void => own.abort();
      if (signal.aborted || aborting.signal.aborted) abort();
      for (const each of [signal, aborting.signal]) each.addEventListener('abort', abort);
      try {
        return await drainSubscription(drainDeps, subscriptionId, {
          stopping: stopping.signal,
          aborting: own.signal,
          onWake: (wake) => onWake(subscriptionId, wake),
        });
      } finally {
        for (const each of [signal, aborting.signal]) each.removeEventListener('abort', abort);
      }
    },
    wake(subscriptionId) {
      for (const wake of wakers.get(subscriptionId) ?? []) wake();
    },
    wakeAll() {
      for (const set of wakers.values()) for (const wake of set) wake();
    },
    stop() {
      stopping.abort();
      setTimeout(() => aborting.abort(), STOP_GRACE_MS).unref();
    },
  };
}
