import { performance } from 'node:perf_hooks';
import type { DatabaseClock } from '../../platform/db/database-clock';
import type { Sql } from '../../platform/db/client';
import type { Log } from '../../platform/observe/log';
import { type OwnedShard, renewLease, takeShards, type Worker } from '../sql/shard-owners';
import type { Shard } from './shard';

export interface WorkerLeaseDeps {
  readonly sql: Sql;
  readonly log: Log;
  readonly clock: DatabaseClock;
  readonly worker: Worker;
  /** The shards of this process, by number. */
  readonly shards: ReadonlyMap<number, Shard>;
  /** Begins to consume a shard that this process owns. */
  readonly begin: (owned: OwnedShard) => void;
}

/** The lease of this process, and its part of the shards. */
export interface WorkerLease {
  /**
   * Whether no other worker can have taken a shard of this one yet. While false, as after a freeze, nothing is claimed
   * and nothing goes out.
   */
  readonly isLeaseHeld: () => boolean;
  /** Renews the lease, ends and takes what the rows say; returns within how many ms to look again at the latest. */
  renew(): Promise<number>;
  /** This process takes no shards any more, and its part goes to the others. */
  leave(): void;
}

/** How long the lease of a worker holds without renewal, and how often it is renewed. `docs/webhooks-engine.md` says why. */
const WORKER_LEASE_MS = 1_500;
export const RENEW_MS = 500;
/** A request that may be sent leaves within this time, unless the process freezes at that very moment. */
const LEAVES_WITHIN_MS = 100;
/** A worker counts as gone when it is found so twice, this long apart: it may be about to come back. */
export const CONFIRM_MS = 250;
/**
 * After an outage of Postgres, however short, all sessions are lost, and leases may be over. Living workers have this long
 * to renew theirs and to listen again, which their listeners try every two seconds.
 */
const AFTER_OUTAGE_MS = 3_000;

export function createWorkerLease({
  sql,
  log,
  clock,
  worker,
  shards,
  begin,
}: WorkerLeaseDeps): WorkerLease {
  const gone = createGoneRecord();
  let [renewedAt, outageUntil] = [Number.NEGATIVE_INFINITY, 0];
  let excessBefore = 0;
  let [isLeaving, hasFailed] = [false, false];

  const isLeaseHeld = (): boolean =>
    performance.now() - renewedAt < WORKER_LEASE_MS - LEAVES_WITHIN_MS;
  const listHeld = (): Shard[] => [...shards.values()].filter((each) => !each.isEnding());

  /** Shards that have another owner end; those that this process owns without knowing, as after a lost answer, begin. */
  function follow(owned: readonly OwnedShard[]): void {
    const isOwned = ({ shard, epoch }: OwnedShard) =>
      owned.some((each) => each.shard === shard && each.epoch === epoch);
    for (const each of shards.values()) if (!isOwned(each)) each.supersede();
    for (const each of owned) if (shards.get(each.shard)?.epoch !== each.epoch) begin(each);
  }

  /** Hands over so many, if the same was found before: a worker that starts or stops changes the count for a moment. */
  function offerExcess(held: readonly Shard[], excess: number): void {
    let most = Math.min(excess, excessBefore);
    excessBefore = excess;
    for (const each of held) {
      if (most <= 0 || !each.offer()) continue;
      most -= 1;
      log.info({ shard: each.shard }, 'a shard is handed over to a worker with fewer shards');
    }
  }

  return {
    isLeaseHeld,
    async renew() {
      const startedAt = performance.now();
      const found = await renewLease(sql, worker, WORKER_LEASE_MS, isLeaving).catch(
        (error: unknown) => {
          hasFailed = true;
          throw error;
        },
      );
      clock.set(found.now);
      const wasHeld = isLeaseHeld();
      const isLate = startedAt - renewedAt > WORKER_LEASE_MS && renewedAt > 0;
      if (hasFailed || isLate) outageUntil = startedAt + AFTER_OUTAGE_MS;
      hasFailed = false;
      renewedAt = startedAt;
      follow(found.owned);
      if (!wasHeld) for (const each of shards.values()) each.resume();
      const isOutage = startedAt < outageUntil;
      const confirmed = isOutage ? [] : gone.confirm(found.gone, startedAt);
      const part = Math.ceil(found.shards / (found.living + 1));
      const held = listHeld();
      offerExcess(held, isLeaving ? 0 : Math.max(0, held.length - part));
      const free = isLeaving ? 0 : part - held.length;
      if (free > 0 && (found.hasFree || confirmed.length > 0)) {
        const taken = await takeShards(sql, worker, { most: free, gone: confirmed });
        for (const each of taken) begin(each);
      }
      return found.gone.length > confirmed.length ? CONFIRM_MS : Number.POSITIVE_INFINITY;
    },
    leave() {
      isLeaving = true;
    },
  };
}

/** Which workers are gone, and since when we know. */
export interface GoneRecord {
  /** Takes the current findings (`now`: ms, monotonic); returns those that have been gone long enough. */
  confirm(gone: readonly string[], now: number): readonly string[];
}

export function createGoneRecord(): GoneRecord {
  let since = new Map<string, number>();
  return {
    confirm(gone, now) {
      since = new Map(gone.map((each) => [each, since.get(each) ?? now]));
      return gone.filter((each) => now - (since.get(each) ?? now) >= CONFIRM_MS);
    },
  };
}
