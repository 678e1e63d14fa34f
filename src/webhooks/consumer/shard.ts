import { setMaxListeners } from 'node:events';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { inBackground } from '../../platform/in-background';
import type { SubscriptionId } from '../../platform/ids';
import { createLatch } from '../../platform/latch';
import { createShortLivedMap } from '../../platform/short-lived';
import type { OwnedShard } from '../sql/shard-owners';
import { createHandover } from './handover';
import {
  type ConsumerControl,
  type ConsumerDeps,
  createSubscriptionConsumer,
  type SubscriptionConsumer,
} from './subscription-consumer';

/**
 * One shard in the hands of this process: a consumer for each subscription that has something to send. It ends
 *
 * - to be handed over (`handover.ts`), or because it is stopped: requests in flight may end, and are recorded;
 * - at once, when it has another owner or is aborted: requests in flight are aborted, and their deliveries released.
 *
 * In any case everything is recorded before `run` resolves.
 */
export interface Shard extends OwnedShard {
  /** Consumes until it must end. */
  run(): Promise<void>;
  /** Rows of this subscription were announced or are due. */
  wake(subscriptionId: SubscriptionId): void;
  /** This subscription will have something to send in `ms`. */
  wakeIn(subscriptionId: SubscriptionId, ms: number): void;
  /** Claims again: the lease of its worker was over, and is renewed. */
  resume(): void;
  /** It has another owner. */
  supersede(): void;
  /** Hands it over, if no receiver is slow: false. */
  offer(): boolean;
  /** It ends, or will as soon as nothing is in flight. */
  isEnding(): boolean;
}

export interface ShardControl extends Pick<ConsumerControl, 'stopping' | 'aborting'> {
  readonly isLeaseHeld: () => boolean;
  /** A claim found that the shard has another owner. */
  readonly onSuperseded: () => void;
  /** Deliveries stay for later: a retry was planned, or a receiver is paused. */
  readonly onLater: () => void;
}

/** A subscription whose consumer failed is tried again after this time. */
const FAILED_PAUSE_MS = 5_000;
const CHECK_MS = 500;

export function createShard(
  deps: ConsumerDeps,
  { shard, epoch }: OwnedShard,
  { stopping, aborting, isLeaseHeld, onSuperseded, onLater }: ShardControl,
): Shard {
  const consumers = createShortLivedMap<SubscriptionId, SubscriptionConsumer>();
  const timers = new Map<SubscriptionId, NodeJS.Timeout>();
  /** Of consumers that have ended: until when a claim may be lost, see `SubscriptionConsumer`. */
  const lostClaims = new Map<SubscriptionId, number>();
  const [ending, givingUp] = [new AbortController(), new AbortController()];
  setMaxListeners(0, ending.signal, givingUp.signal); // one per subscription
  const latch = createLatch();
  let isSuperseded = false;
  const handover = createHandover({
    isIdle: () => consumers.values().every((each) => each.isIdle()),
    oldestMs,
    goOn: resume,
  });
  const mustEnd = (): boolean => isSuperseded || stopping.aborted || aborting.aborted;

  function abort(): void {
    givingUp.abort();
    latch.signal();
  }

  function wake(subscriptionId: SubscriptionId): void {
    clearTimer(subscriptionId);
    const consumer = consumers.get(subscriptionId);
    if (consumer) return consumer.wake();
    if (ending.signal.aborted || mustEnd()) return;
    inBackground(consume(subscriptionId), (error) =>
      deps.log.error(
        { subscription_id: subscriptionId, err: error },
        'a consumer ended with an unexpected error',
      ),
    );
  }

  async function consume(subscriptionId: SubscriptionId): Promise<void> {
    const target = { subscriptionId, shard, epoch, lostClaimUntil: lostClaims.get(subscriptionId) };
    const consumer = createSubscriptionConsumer(deps, target, {
      stopping: ending.signal,
      aborting: givingUp.signal,
      isClaimingStopped: handover.isClaimingStopped,
      isLeaseHeld,
      onLater,
    });
    consumers.set(subscriptionId, consumer);
    try {
      const end = await consumer.run();
      if (end === 'superseded') onSuperseded();
    } catch (error) {
      deps.log.error(
        { subscription_id: subscriptionId, err: error },
        'the consumer of a subscription failed; it pauses, then begins again',
      );
      await sleep(FAILED_PAUSE_MS, undefined, { signal: ending.signal }).catch(() => {});
    }
    keepLostClaim(subscriptionId, consumer.lostClaimUntil());
    consumers.delete(subscriptionId);
    // An announcement during its end may have come too late for its last claim.
    if (consumer.expects()) wake(subscriptionId);
    latch.signal();
  }

  /** The latest stands last, so those that are over stand first. */
  function keepLostClaim(subscriptionId: SubscriptionId, until: number): void {
    lostClaims.delete(subscriptionId);
    const now = performance.now();
    if (until > now) lostClaims.set(subscriptionId, until);
    for (const [id, each] of lostClaims) {
      if (each > now) break;
      lostClaims.delete(id);
    }
  }

  function clearTimer(subscriptionId: SubscriptionId): void {
    clearTimeout(timers.get(subscriptionId));
    timers.delete(subscriptionId);
  }

  function oldestMs(): number {
    const now = performance.now();
    let oldest = now;
    for (const each of consumers.values()) oldest = Math.min(oldest, each.oldestSince() ?? now);
    return now - oldest;
  }

  function resume(): void {
    for (const each of consumers.values()) each.resume();
  }

  async function recorded(): Promise<void> {
    ending.abort();
    for (const timer of timers.values()) clearTimeout(timer);
    while (consumers.size() > 0) await latch.wait(CHECK_MS);
  }

  return {
    shard,
    epoch,
    async run() {
      stopping.addEventListener('abort', latch.signal);
      aborting.addEventListener('abort', abort);
      if (aborting.aborted) abort();
      try {
        while (!mustEnd() && !handover.decide()) await latch.wait(handover.checkMs());
      } finally {
        await recorded();
        stopping.removeEventListener('abort', latch.signal);
        aborting.removeEventListener('abort', abort);
      }
    },
    wake,
    wakeIn(subscriptionId, ms) {
      // A running consumer knows by itself what is due soon.
      if (consumers.get(subscriptionId) || ending.signal.aborted) return;
      clearTimer(subscriptionId);
      timers.set(
        subscriptionId,
        setTimeout(() => wake(subscriptionId), ms),
      );
    },
    resume,
    supersede() {
      isSuperseded = true;
      abort();
    },
    offer() {
      if (!handover.offer()) return false;
      latch.signal();
      return true;
    },
    isEnding: () => ending.signal.aborted || mustEnd() || handover.isOffered(),
  };
}
