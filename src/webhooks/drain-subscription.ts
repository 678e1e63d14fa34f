import { setMaxListeners } from 'node:events';
import { performance } from 'node:perf_hooks';
import type { ReachCheckpoint } from '../checkpoint';
import { beginDrain, surveyAfterDrain } from '../db/delivery-claims';
import type { DrainReport } from '../domain/drain-report';
import type { SubscriptionId } from '../ids';
import type { SecretBox } from '../secrets';
import type { Claim, Claimer } from './claimer';
import { continueClock, createFlight, type Flight, type FlightDeps } from './flight';
import { createLatch } from './latch';
import { createReceiverRecord } from './receiver-record';
import { createSigningKeyRing } from './signing-key-ring';

export interface DrainDeps extends FlightDeps {
  readonly claimer: Claimer;
  readonly secrets: SecretBox;
  readonly reach: ReachCheckpoint;
}

export interface DrainControl {
  /** Claims nothing more; what is out may end. */
  readonly stopping: AbortSignal;
  /** Ends now: requests are given up and their deliveries released. */
  readonly aborting: AbortSignal;
  /** Registers what is to be called when rows of this subscription were announced; returns the undoing. */
  onWake(wake: () => void): () => void;
}

/** With nothing to send it stays this long: the next delivery then takes milliseconds instead of a new activity. */
const LINGER_MS = 3_000;
/** It also waits for a retry that comes this soon. */
const RETRY_LINGER_MS = 7_000;
/** It looks for itself this often, should a NOTIFY get lost. */
const POLL_MS = 1_000;
/** It renews its promise to look again even while it has no room to claim. */
const RENEW_MS = 5_000;
/** After a minute it ends at the first moment with nothing out, after five minutes it sees to one. */
const WISH_TO_END_MS = 60_000;
const MUST_END_MS = 300_000;
/**
 * A claim that took longer until its requests could go out is given back. This process may have been stopped for as
 * long, and another drain may have begun; it is less than the heartbeat timeout, after which that happens.
 */
const SEND_WITHIN_MS = 2_000;
/** How long an aborted drain tries to record what it knows. */
const LAST_WORDS_MS = 5_000;

/**
 * Delivers what is due for one subscription until there has been nothing to do for a while.
 * Rejects only when Postgres does not answer at its begin or end, or a secret cannot be opened.
 */
export async function drainSubscription(
  deps: DrainDeps,
  subscriptionId: SubscriptionId,
  control: DrainControl,
): Promise<DrainReport> {
  const begun = await beginDrain(deps.sql, subscriptionId);
  if (!begun) return { next: { kind: 'idle' }, attempts: 0, waiting: 0, waitingSince: null };
  const { epoch } = begun;
  const { stopping, aborting } = control;
  const beganAt = performance.now();
  const latch = createLatch();
  const clock = continueClock(begun.now);
  const receiver = createReceiverRecord(begun.health);
  const openSecrets = createSigningKeyRing(deps.secrets);
  const giveUp = new AbortController();
  setMaxListeners(0, giveUp.signal); // one for each request that is out
  let { maxInFlight } = begun;
  // Whether there may be something to claim, when the next retry is due, when something was last done or found.
  let mayHaveMore = true;
  let nextDueAt = Number.POSITIVE_INFINITY;
  let [busyAt, claimedAt] = [beganAt, beganAt];
  let superseded = false;

  const flight = createFlight(deps, {
    subscriptionId,
    epoch,
    receiver,
    clock,
    signal: giveUp.signal,
    onChange: latch.signal,
    onRetry: (ms) => (nextDueAt = Math.min(nextDueAt, performance.now() + ms)),
  });

  const wake = (): void => {
    mayHaveMore = true;
    latch.signal();
  };
  const abort = (): void => giveUp.abort();
  const unregister = control.onWake(wake);
  stopping.addEventListener('abort', latch.signal);
  aborting.addEventListener('abort', abort);

  function room(): number {
    const admitted = receiver.admission(clock());
    switch (admitted.kind) {
      case 'open':
        return Math.max(0, maxInFlight - flight.inFlight());
      case 'probe':
        return flight.open() === 0 ? 1 : 0;
      case 'paused':
      case 'disabled':
        return 0;
      default:
        return admitted satisfies never;
    }
  }

  function isOver(now: number): boolean {
    if (superseded || stopping.aborted || aborting.aborted) return true;
    if (now - beganAt > MUST_END_MS) return true;
    if (flight.unrecorded() > 0) return false;
    const { kind } = receiver.admission(clock());
    if (kind === 'paused' || kind === 'disabled') return true;
    if (now - beganAt > WISH_TO_END_MS) return true;
    return !mayHaveMore && now - busyAt > LINGER_MS && nextDueAt - now > RETRY_LINGER_MS;
  }

  async function claim(free: number): Promise<void> {
    claimedAt = performance.now();
    if (free > 0) [mayHaveMore, nextDueAt] = [false, Number.POSITIVE_INFINITY];
    const claimed = await deps.claimer.claim(subscriptionId, epoch, free).catch((error: unknown) => {
      deps.log.warn({ subscription_id: subscriptionId, err: error }, 'nothing can be claimed');
      return null;
    });
    if (claimed === null) {
      await latch.wait(POLL_MS);
      mayHaveMore = true;
    } else if (claimed === undefined) superseded = true;
    else await take(claimed, free);
  }

  async function take(
    { subscription, deliveries, full, askedAt }: Claim,
    free: number,
  ): Promise<void> {
    maxInFlight = subscription.maxInFlight;
    receiver.useUrl(subscription.url);
    if (subscription.disabledReason !== null) receiver.disable(subscription.disabledReason);
    if (subscription.nextDueMs !== null) {
      nextDueAt = Math.min(nextDueAt, askedAt + subscription.nextDueMs);
    }
    if (full && free > 0) mayHaveMore = true;
    if (deliveries.length === 0) return;
    busyAt = performance.now();
    await deps.reach('drain:claimed');
    const tooLate = performance.now() - askedAt > SEND_WITHIN_MS;
    if (tooLate) mayHaveMore = true;
    const secrets = openSecrets(subscription);
    for (const delivery of deliveries) {
      // Its lease ran out while its outcome waits to be recorded; it is the same attempt.
      if (flight.holds(delivery)) continue;
      if (tooLate || aborting.aborted) flight.release(delivery);
      else flight.start(delivery, subscription, secrets);
    }
  }

  try {
    for (;;) {
      const now = performance.now();
      if (isOver(now)) break;
      if (nextDueAt <= now || now - claimedAt >= POLL_MS) mayHaveMore = true;
      const free = room();
      if ((mayHaveMore && free > 0) || now - claimedAt > RENEW_MS) {
        await claim(free);
        continue;
      }
      await latch.wait(Math.min(POLL_MS, Math.max(1, nextDueAt - now)));
    }
    if (superseded) giveUp.abort();
    await settle(flight, aborting, latch.wait);
  } finally {
    giveUp.abort();
    unregister();
    stopping.removeEventListener('abort', latch.signal);
    aborting.removeEventListener('abort', abort);
  }
  const attempts = flight.ended();
  // Whoever raised the epoch does the work, or is a straggler: a new drain settles which.
  if (superseded) return { next: { kind: 'again' }, attempts, waiting: 0, waitingSince: null };
  return { attempts, ...(await surveyAfterDrain(deps.sql, subscriptionId, epoch)) };
}

/** Waits until everything that is out has ended and is recorded; once aborted, only a little longer. */
async function settle(
  flight: Flight,
  aborting: AbortSignal,
  wait: (ms: number) => Promise<void>,
): Promise<void> {
  let abortedAt: number | undefined;
  while (flight.unrecorded() > 0) {
    if (aborting.aborted) abortedAt ??= performance.now();
    if (abortedAt !== undefined && performance.now() - abortedAt > LAST_WORDS_MS) return;
    await wait(200);
  }
}
