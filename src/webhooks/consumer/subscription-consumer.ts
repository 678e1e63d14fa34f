import { setMaxListeners } from 'node:events';
import { performance } from 'node:perf_hooks';
import type { AtCheckpoint } from '../../platform/checkpoint';
import type { ClaimedDelivery, ClaimingSubscription } from '../sql/delivery-claims';
import type { SubscriptionId } from '../../platform/ids';
import type { SecretBox } from '../../platform/crypto/secrets';
import type { Claim, Claimer } from './claimer';
import { STATEMENT_TIMEOUT_MS } from '../../platform/db/session-settings';
import type { DatabaseClock } from '../../platform/db/database-clock';
import { createClaimSchedule, RETRY_LINGER_MS } from './claim-schedule';
import { createFlight, type FlightDeps, SEND_WITHIN_MS } from './flight';
import type { OwnFaults } from '../../platform/outbound/own-faults';
import { createOwnFaultNote } from './own-fault-note';
import { hostnameOf } from '../../platform/outbound/hostname-of';
import { createLatch } from '../../platform/latch';
import { createPace } from './request-pace';
import { createReceiverRecord, permitsAt } from '../attempt/circuit-breaker';
import { createSigningKeyRing, type OpenedSecrets } from '../attempt/signing-key-ring';

export interface ConsumerDeps extends FlightDeps {
  /**
   * Takes due deliveries, those due longest first: writes epoch and lease into their rows. Undefined: the
   * shard has another owner, or the subscription does not exist.
   */
  readonly claim: Claimer;
  readonly secrets: SecretBox;
  readonly atCheckpoint: AtCheckpoint;
  readonly clock: DatabaseClock;
  readonly ownFaults: OwnFaults;
}

/** The subscription that is consumed, and under which epoch. */
export interface ConsumerTarget {
  readonly subscriptionId: SubscriptionId;
  readonly shard: number;
  /** The epoch of the shard. */
  readonly epoch: number;
  /** That of the consumer before. */
  readonly lostClaimUntil?: number | undefined;
}

export interface ConsumerControl {
  /** When aborted, it claims nothing more; requests in flight may end. */
  readonly stopping: AbortSignal;
  /** When aborted, it ends now: requests are aborted and their deliveries released. */
  readonly aborting: AbortSignal;
  /** While true, nothing is claimed; whoever ends this state calls `resume`. */
  readonly isClaimingStopped?: () => boolean;
  /** See `WorkerLease`. Whoever renews a lease that was over calls `resume`. */
  readonly isLeaseHeld?: () => boolean;
  /** A delivery is planned for later than this consumer waits, or the receiver is paused. */
  readonly onLater?: () => void;
}

/** Consumes the deliveries of one subscription. */
export interface SubscriptionConsumer {
  /**
   * Delivers until there has been nothing to do for a while, or it is told to stop; by then everything is recorded.
   * `superseded`: the shard has another owner, or the subscription does not exist.
   */
  run(): Promise<'done' | 'superseded'>;
  /** Rows of this subscription were announced. */
  wake(): void;
  /** Claims again: something that kept it from claiming is over, see `ConsumerControl`. */
  resume(): void;
  /** Whether rows were announced that it has not tried to claim. */
  expects(): boolean;
  /** Whether nothing is in flight, everything is recorded and no claim is running. */
  isIdle(): boolean;
  /** See `Flight`. */
  readonly oldestSince: () => number | null;
  /**
   * Until when a claim of this epoch that failed may have taken deliveries, by `performance.now()`; 0 if none failed. A
   * consumer that ends before, as when its receiver is paused, leaves it to the next one of the subscription.
   */
  lostClaimUntil(): number;
}

const CLAIM_AGAIN_MS = 1_000;
/**
 * A claim that failed may have been carried out, or may still be until its deadline in Postgres; then what it took has
 * a lease that this consumer does not know. For so long it claims such deliveries again.
 */
const LOST_CLAIM_MS = STATEMENT_TIMEOUT_MS + 5_000;
/** How often it looks for them. */
const LOST_CLAIM_LOOK_MS = 4_000;
/** Staying keeps a few kilobytes, saves opening the secrets for the next delivery, and keeps the pace (a second at most). */
const LINGER_MS = 2_000;
/** The highest `max_in_flight` that the table allows. */
const HIGHEST_MAX_IN_FLIGHT = 200;
/** How long an aborted consumer tries to record its outcomes. */
const LAST_WORDS_MS = 5_000;

export function createSubscriptionConsumer(
  deps: ConsumerDeps,
  { subscriptionId, shard, epoch, lostClaimUntil: lostBefore = 0 }: ConsumerTarget,
  control: ConsumerControl,
): SubscriptionConsumer {
  const { stopping, aborting, isClaimingStopped = () => false, isLeaseHeld = () => true } = control;
  const latch = createLatch();
  const schedule = createClaimSchedule({ beganAt: performance.now(), lingerMs: LINGER_MS });
  const clock = deps.clock.now;
  const receiver = createReceiverRecord();
  const openSecrets = createSigningKeyRing(deps.secrets);
  const giveUp = new AbortController();
  setMaxListeners(0, giveUp.signal); // one per request in flight
  let maxInFlight = HIGHEST_MAX_IN_FLIGHT; // until the first claim returns the row's value
  let [superseded, claiming] = [false, false];
  const recorded = new Set<string>(); // deliveries, since the running claim was requested
  const pace = createPace();
  let shortOf = 0; // bytes of the payload that did not fit
  let lostClaimUntil = lostBefore; // by `performance.now()`, see `LOST_CLAIM_MS`
  const note = createOwnFaultNote(deps, { subscriptionId, shard, epoch });
  /** By which trouble of ours is told apart: of the receiver's host, and of the secrets. */
  let keys: readonly string[] = [subscriptionId];

  const flight = createFlight(deps, {
    subscriptionId,
    epoch,
    receiver,
    clock,
    signal: giveUp.signal,
    isLeaseHeld,
    onRecorded: (deliveryId) => claiming && recorded.add(deliveryId),
    onChange: latch.signal,
    onOwnFault: (kind) => note.tell(kind),
    onRetry(ms) {
      schedule.expectIn(ms, performance.now());
      if (ms > RETRY_LINGER_MS) control.onLater?.();
    },
  });

  async function deliver(): Promise<void> {
    for (;;) {
      const now = performance.now();
      if (isOver(now)) return;
      const free = admitted(claimable(), now);
      if (free === 0 && shortOf > 0) deps.budget.onFree(latch.signal);
      if (schedule.isClaimTime(free, now)) await claimAndSend(free);
      else await latch.wait(Math.min(schedule.sleepMs(free, now), pace.waitMs(now) || Infinity));
    }
  }

  /** Until the claim has ended the consumer is not idle, and keeps in `recorded` what is recorded. */
  async function claimAndSend(free: number): Promise<void> {
    claiming = true;
    try {
      await claim(free);
    } finally {
      claiming = false;
    }
  }

  /**
   * How many deliveries may be claimed now: as many as may start, one by one while memory is short, and none while
   * the next one does not fit.
   */
  function claimable(): number {
    if (isClaimingStopped() || !isLeaseHeld()) return 0;
    const free = Math.min(spare(), pace.allowed(performance.now()));
    if (shortOf > 0 && !deps.budget.allows(shortOf)) return 0;
    return deps.budget.isTight() ? Math.min(free, 1) : free;
  }

  /** Of so many that may be claimed, those that trouble of our own leaves: one as a probe, or none while that is not due. */
  function admitted(free: number, now: number): number {
    if (!schedule.isClaimTime(free, now)) return free;
    const admission = deps.ownFaults.admit(keys);
    if (admission.kind !== 'held') return admission.kind === 'open' ? free : 1;
    note.tell(admission.by);
    return 0;
  }

  /** How many deliveries the receiver can take now. */
  function spare(): number {
    return permitsAt(receiver.admission(clock()), {
      most: maxInFlight,
      inFlight: flight.inFlight(),
      open: flight.open(),
    });
  }

  function isOver(now: number): boolean {
    if (superseded || stopping.aborted || aborting.aborted) return true;
    if (flight.unrecorded() > 0) return false;
    const { kind } = receiver.admission(clock());
    if (kind === 'paused') control.onLater?.();
    return kind === 'paused' || kind === 'disabled' || schedule.mayEnd(now);
  }

  async function take({ subscription, deliveries, askedAt, mayHaveMore }: Claim): Promise<void> {
    if (subscription.nextDueMs !== null) schedule.expectIn(subscription.nextDueMs, askedAt);
    if (mayHaveMore) schedule.expectMore();
    if (deliveries.length === 0) return note.tell(null);
    await deps.atCheckpoint('consumer:claimed');
    schedule.worked(performance.now());
    shortOf = 0;
    const secrets = openOrRelease(subscription, deliveries);
    if (secrets === null) return;
    const to = { subscription, secrets, sendBefore: askedAt + SEND_WITHIN_MS };
    for (const delivery of deliveries) {
      // Its lease ran out while its outcome waits: this is the same attempt.
      if (flight.holds(delivery)) continue;
      // The same attempt may be over by now: then releasing it changes nothing. Since the claim was requested, an
      // attempt may also have failed and paused the receiver.
      if (recorded.has(delivery.deliveryId) || aborting.aborted || spare() === 0 || !fits(delivery))
        flight.release(delivery);
      else {
        flight.start(delivery, to);
        pace.started(1, performance.now());
      }
    }
  }

  async function claim(free: number): Promise<void> {
    schedule.claimBegins();
    recorded.clear();
    const healthVersion = receiver.healthVersion();
    const held = performance.now() < lostClaimUntil ? flight.held() : undefined;
    let claimed: Claim | undefined;
    try {
      const request = { subscriptionId, shard, epoch, most: free, healthVersion, held };
      claimed = await deps.claim(request);
    } catch (error) {
      deps.log.warn(
        { subscription_id: subscriptionId, err: error },
        'claiming deliveries failed; trying again in a second',
      );
      lostClaimUntil = performance.now() + LOST_CLAIM_MS;
      schedule.expectMore();
      return latch.wait(CLAIM_AGAIN_MS);
    }
    if (held !== undefined) schedule.expectIn(LOST_CLAIM_LOOK_MS, performance.now());
    if (claimed === undefined) superseded = true;
    else {
      follow(claimed.subscription);
      await take(claimed);
    }
  }

  function follow(subscription: ClaimingSubscription): void {
    maxInFlight = subscription.maxInFlight;
    pace.set(subscription.maxPerSecond);
    receiver.follow(subscription);
    note.follow(subscription.ownFault);
    keys = [hostnameOf(subscription.url), subscriptionId];
  }

  /** Takes memory for its payload. Deliveries behind one that does not fit wait too, to start in order. */
  function fits({ payloadBytes }: ClaimedDelivery): boolean {
    if (shortOf > 0) return false;
    if (deps.budget.take(payloadBytes)) return true;
    shortOf = payloadBytes;
    deps.budget.onFree(latch.signal);
    return false;
  }

  /** Null: they cannot be opened, as their key is not deployed yet. Then no attempt counts. */
  function openOrRelease(
    subscription: ClaimingSubscription,
    deliveries: readonly ClaimedDelivery[],
  ): OpenedSecrets | null {
    try {
      const opened = openSecrets(subscription);
      deps.ownFaults.worked('secret', subscriptionId);
      return opened;
    } catch (error) {
      deps.ownFaults.failed('secret', subscriptionId, String(error));
      note.tell('secret');
      for (const each of deliveries) if (!flight.holds(each)) flight.release(each);
      return null;
    }
  }

  /** Waits until all requests in flight have ended and are recorded; once aborted, only a little longer. */
  async function ended(): Promise<void> {
    let givenUpAt: number | undefined;
    while (flight.unrecorded() > 0) {
      if (giveUp.signal.aborted) givenUpAt ??= performance.now();
      if (givenUpAt !== undefined && performance.now() - givenUpAt > LAST_WORDS_MS) return;
      await latch.wait(200);
    }
  }

  const abort = (): void => giveUp.abort();
  return {
    async run() {
      stopping.addEventListener('abort', latch.signal);
      aborting.addEventListener('abort', abort);
      try {
        await deliver();
        return superseded ? 'superseded' : 'done';
      } finally {
        if (superseded || aborting.aborted) abort();
        await ended();
        abort();
        stopping.removeEventListener('abort', latch.signal);
        aborting.removeEventListener('abort', abort);
      }
    },
    wake() {
      // What already expects more is kept from claiming by something else, whose end wakes it: announcements that come
      // faster than it can send must not cost it the time to send.
      if (schedule.expects()) return;
      schedule.expectMore();
      latch.signal();
    },
    resume() {
      schedule.expectMore();
      latch.signal();
    },
    expects: schedule.expects,
    isIdle: () => flight.unrecorded() === 0 && !claiming,
    oldestSince: flight.oldestSince,
    lostClaimUntil: () => lostClaimUntil,
  };
}
