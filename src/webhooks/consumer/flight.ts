import { performance } from 'node:perf_hooks';
import type { Sql } from '../../platform/db/client';
import {
  type ClaimedDelivery,
  type ClaimingSubscription,
  isStillClaimed,
  loadPayload,
} from '../sql/delivery-claims';
import { afterResendMs, concludeAttempt } from '../attempt/conclude-attempt';
import { askedMs } from '../attempt/judge-answer';
import type { RetryTable } from '../attempt/next-attempt';
import type { SubscriptionId } from '../../platform/ids';
import type { Log } from '../../platform/observe/log';
import type { OpenedSecrets } from '../attempt/signing-key-ring';
import { laterHealth, type Outbox, type OutcomeWriter } from './outcomes';
import type { ReceiverRecord } from '../attempt/circuit-breaker';
import type { PayloadBudget } from './payload-budget';
import { type AttemptDeps, type AttemptEnd, sendAttempt } from '../attempt/send-attempt';
import type { OwnFaultKind } from '../../platform/outbound/own-faults';
import { inSpanOf } from '../../platform/observe/tracing';
import { inBackground } from '../../platform/in-background';

/**
 * A claimed delivery whose request does not go out within this time is released, because what its claim says of the
 * receiver may be out of date. The shard may have another owner earlier than that: see
 * `isLeaseHeld`, which is asked right before the first byte.
 */
export const SEND_WITHIN_MS = 2_000;

export interface FlightDeps {
  readonly sql: Sql;
  readonly log: Log;
  readonly writer: OutcomeWriter;
  readonly attempts: AttemptDeps;
  readonly retryTable: RetryTable;
  readonly budget: PayloadBudget;
}

export interface FlightOptions {
  readonly subscriptionId: SubscriptionId;
  readonly epoch: number;
  readonly receiver: ReceiverRecord;
  /** The database's clock, Unix time in ms: what is signed must not be as wrong as ours. */
  readonly clock: () => number;
  readonly signal: AbortSignal;
  /** See `ConsumerControl`. */
  readonly isLeaseHeld: () => boolean;
  /** The outcome of this delivery is recorded, or its release. */
  readonly onRecorded: (deliveryId: string) => void;
  /** A request has ended, been recorded, or given its permit back. */
  readonly onChange: () => void;
  /** An attempt has ended by this trouble of ours, and is none; or it has ended otherwise: null. */
  readonly onOwnFault: (kind: OwnFaultKind | null) => void;
  /** A recorded delivery will be due again in `ms`. */
  readonly onRetry: (ms: number) => void;
}

/** The receiver's settings at the time of the claim. */
export interface Addressee {
  readonly subscription: ClaimingSubscription;
  readonly secrets: OpenedSecrets;
  /** By `performance.now()`, see `SEND_WITHIN_MS`. */
  readonly sendBefore: number;
}

/** The deliveries claimed by one consumer, from their first byte to their recorded outcome. */
export interface Flight {
  /**
   * Begins to send and returns at once; never throws. Releases a delivery that cannot go out before `sendBefore`,
   * or when the shard may have another owner. When it ends, it returns the memory taken for the payload.
   */
  start(delivery: ClaimedDelivery, to: Addressee): void;
  /** Ends the claim of a delivery and leaves the rest of its row as it is. */
  release(delivery: ClaimedDelivery): void;
  /** Whether the delivery is in flight, or its outcome is not recorded yet. */
  holds(delivery: ClaimedDelivery): boolean;
  /** All of these. */
  readonly held: () => readonly string[];
  /** Requests that occupy the receiver. */
  inFlight(): number;
  /** Requests that have not ended, including those that only wait for a status. */
  open(): number;
  /** Deliveries whose outcome is not recorded yet, open ones included. */
  unrecorded(): number;
  /** When the oldest of these was started, by `performance.now()`; null without any. */
  readonly oldestSince: () => number | null;
}

export function createFlight(deps: FlightDeps, options: FlightOptions): Flight {
  const { subscriptionId, epoch, receiver, clock, onChange } = options;
  /** By id, with the start time (`performance.now()`), oldest first. */
  const unrecorded = new Map<string, number>();
  const retries = new Map<string, number>();
  let [inFlight, open] = [0, 0];

  // What is not recorded yet. The writer takes from it, puts it back while Postgres is away, and calls `onRecorded`
  // when it is written.
  const outbox: Outbox = {
    attempts: [],
    released: [],
    health: null,
    onRecorded(deliveryIds) {
      for (const id of deliveryIds) {
        unrecorded.delete(id);
        options.onRecorded(id);
        const ms = retries.get(id);
        if (ms === undefined) continue;
        retries.delete(id);
        options.onRetry(ms);
      }
      onChange();
    },
  };

  async function fly(delivery: ClaimedDelivery, to: Addressee): Promise<void> {
    inFlight += 1;
    open += 1;
    let isReleased = false;
    const onEarlyRelease = (): void => {
      isReleased = true;
      inFlight -= 1;
      onChange();
    };
    const payload = delivery.payload ?? (await tryLoad(delivery));
    const mayTry = payload !== null && (await isOurs(delivery, to));
    const startedAt = clock();
    let end: AttemptEnd | null = null;
    if (mayTry) {
      const { url, type } = to.subscription;
      const { signal } = options;
      const attempt = {
        url,
        type,
        secrets: to.secrets.signing,
        ownHeaders: to.secrets.headers,
        delivery,
        payload,
        startedAt,
        signal,
        maySend: options.isLeaseHeld,
        onEarlyRelease,
      };
      const { deliveryId: delivery_id, traceParent, attemptsMade } = delivery;
      const attributes = { delivery_id, attempt: attemptsMade + 1 };
      end = await inSpanOf(traceParent, 'webhook attempt', attributes, () =>
        sendAttempt(deps.attempts, attempt),
      );
    }
    deps.budget.give(delivery.payloadBytes);
    // Permits and receiver health change together: nothing may be claimed in between.
    open -= 1;
    if (!isReleased) inFlight -= 1;
    if (end === null) release(delivery);
    else if (end.ownFault !== null) {
      options.onOwnFault(end.ownFault);
      release(delivery);
    } else conclude(delivery, startedAt, end, to.subscription.healthVersion);
    onChange();
  }

  async function tryLoad(delivery: ClaimedDelivery): Promise<string | null> {
    try {
      return (await loadPayload(deps.sql, delivery.deliveryId)) ?? null;
    } catch (error) {
      deps.log.warn({ delivery_id: delivery.deliveryId, err: error }, 'payload cannot be loaded');
      return null;
    }
  }

  /**
   * Whether the claim is still ours. A delivery whose large payload loaded slowly is not released, or it would be
   * loaded for ever; Postgres is asked instead.
   */
  async function isOurs({ deliveryId, payload }: ClaimedDelivery, to: Addressee): Promise<boolean> {
    // Asked again before the first byte, but by then a connection may have been opened in vain.
    if (!options.isLeaseHeld()) return false;
    const askedAt = performance.now();
    if (askedAt < to.sendBefore) return true;
    if (payload !== null) return false;
    try {
      const isClaimed = await isStillClaimed(deps.sql, deliveryId, epoch);
      return isClaimed && performance.now() < askedAt + SEND_WITHIN_MS;
    } catch (error) {
      deps.log.warn({ delivery_id: deliveryId, err: error }, 'a claim cannot be confirmed');
      return false;
    }
  }

  function conclude(
    delivery: ClaimedDelivery,
    startedAt: number,
    end: AttemptEnd,
    healthVersion: number,
  ): void {
    const number = delivery.attemptsMade + 1;
    const { attemptsBeforeResend } = delivery;
    const retrying = { table: deps.retryTable, random: Math.random() };
    const sinceResend = number - attemptsBeforeResend;
    const conclusion = concludeAttempt(end.verdict, { attemptNo: sinceResend, ...retrying });
    if (conclusion.state === 'released') return release(delivery);
    options.onOwnFault(null);
    const delayMs = conclusion.state === 'pending' ? conclusion.delayMs : null;
    if (delayMs !== null) retries.set(delivery.deliveryId, delayMs);
    const { status, error, detail, durationMs } = end;
    outbox.attempts.push({
      deliveryId: delivery.deliveryId,
      epoch,
      number,
      state: conclusion.state,
      delayMs,
      attemptsBeforeResend,
      afterResendMs: afterResendMs(end.verdict, retrying),
      startedAt,
      durationMs,
      status,
      error,
      detail,
      response: end.response,
      message: 'message' in end.verdict ? end.verdict.message : null,
      isBusy: askedMs(end.verdict) !== null,
    });
    learn(startedAt, end, healthVersion);
    // The caller of a stock movement waits for its answer, and nobody for item data or events that have arrived.
    deps.writer.record(outbox, conclusion.state !== 'delivered' || outbox.health !== null);
    deps.log.info({
      subscription_id: subscriptionId,
      delivery_id: delivery.deliveryId,
      attempt: number,
      state: conclusion.state,
      status,
      error,
      duration_ms: durationMs,
      ...(end.failure === null ? {} : { failure: end.failure }),
      ...(delayMs === null ? {} : { retry_in_ms: delayMs }),
    });
  }

  function learn(startedAt: number, end: AttemptEnd, healthVersion: number): void {
    const { health: result, verdict } = end;
    if (result === null) return;
    const attempt = { result, startedAt, endedAt: clock(), askedMs: askedMs(verdict) };
    const change = receiver.add(attempt, healthVersion);
    if (change === null) return;
    const known = { subscriptionId, epoch, healthVersion, ...change };
    outbox.health = outbox.health === null ? known : laterHealth(outbox.health, known);
    if (change.disable)
      deps.log.warn({ subscription_id: subscriptionId, disabled: change.disable });
  }

  function keepUnrecorded({ deliveryId }: ClaimedDelivery): void {
    if (!unrecorded.has(deliveryId)) unrecorded.set(deliveryId, performance.now());
  }

  function release(delivery: ClaimedDelivery): void {
    keepUnrecorded(delivery);
    retries.set(delivery.deliveryId, 0);
    outbox.released.push({ deliveryId: delivery.deliveryId, epoch });
    deps.writer.record(outbox, true);
  }

  return {
    start(delivery, to) {
      keepUnrecorded(delivery);
      inBackground(fly(delivery, to), (error) =>
        deps.log.error(
          { delivery_id: delivery.deliveryId, err: error },
          'an attempt ended with an unexpected error',
        ),
      );
    },
    release,
    holds: (delivery) => unrecorded.has(delivery.deliveryId),
    held: () => [...unrecorded.keys()],
    inFlight: () => inFlight,
    open: () => open,
    unrecorded: () => unrecorded.size,
    oldestSince: () => unrecorded.values().next().value ?? null,
  };
}
