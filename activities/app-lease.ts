import { performance } from 'node:perf_hooks';
import { type AppLease, endCall, renewCall } from '../src/availability/sql/calls';
import { inBackground } from '../src/platform/in-background';
import type { ListeningClient } from '../src/delivery-apps/listening-client';
import {
  beginPush,
  type BegunPush,
  type PushBeginning,
  endPush,
  APP_LEASE_MS,
  RENEW_LEASE_MS,
  renewPush,
} from '../src/uploads/sql/pushes';
import type { MenuActivityDeps } from './activity-deps';
import type { Attempt } from './load-attempt';
import { wait } from './wait';

/*
 * The lease of a store's app: a push of a menu, a call about what is off sale and a reading of the live menu take it
 * from one another.
 */

export interface LeaseKeeping {
  /** How long the lease counts without renewal, ms. Default: as long as the lease of an app. */
  readonly heldMs?: number;
  readonly everyMs?: number;
  /** When the statement that took the lease was sent, by `performance.now()`. */
  readonly sentAt: number;
  readonly renew: () => Promise<void>;
  readonly onFailure: (error: unknown) => void;
}

/** A lease that is renewed until `stop`, which must be called. */
export interface KeptLease {
  /**
   * False once the lease may have run out: a first byte sent then might reach the app together with another call's. It
   * counts from when a statement was sent, as Postgres may have run it at once and its answer may have come late.
   */
  readonly isHeld: () => boolean;
  readonly stop: () => void;
}

/** Renews a lease that was just taken. Most calls end before the first renewal. */
export function keepLease({
  heldMs = APP_LEASE_MS,
  everyMs = RENEW_LEASE_MS,
  sentAt,
  renew,
  onFailure,
}: LeaseKeeping): KeptLease {
  let [heldUntil, isRenewing] = [sentAt + heldMs, false];
  const isHeld = (): boolean => performance.now() < heldUntil;
  const renewOnce = async (): Promise<void> => {
    const renewedAt = performance.now();
    try {
      await renew();
      // A lease that had run out may have been somebody else's in between.
      if (isHeld()) heldUntil = renewedAt + heldMs;
    } finally {
      isRenewing = false;
    }
  };
  const timer = setInterval(() => {
    // While Postgres is silent, renewals would pile up and take all connections when it is back.
    if (isRenewing) return;
    isRenewing = true;
    inBackground(renewOnce(), onFailure);
  }, everyMs);
  return { isHeld, stop: () => clearInterval(timer) };
}

/** A call that needs the app of a store for itself. */
export interface CallUnderLease<T> {
  readonly lease: AppLease;
  readonly listening: ListeningClient;
  /**
   * Waits for the lease and takes it. Resolves with the time at which the statement that took it was sent, by
   * `performance.now()`; undefined: nothing is to be called any more.
   */
  readonly take: () => Promise<number | undefined>;
  /** False once this process was frozen, because another process may have the lease then. */
  readonly isAwake: () => boolean;
  readonly call: () => Promise<T>;
}

/** Makes a call to the app of a store, never at the same time as a push or another call. Undefined: it was not made. */
export async function underAppLease<T>(
  { sql, log }: Pick<MenuActivityDeps, 'sql' | 'log'>,
  { lease, listening, take, isAwake, call }: CallUnderLease<T>,
): Promise<T | undefined> {
  const sentAt = await take();
  if (sentAt === undefined) return undefined;
  const { storeId, integrationId } = lease;
  const kept = keepLease({
    sentAt,
    renew: () => renewCall(sql, lease),
    onFailure: (err) =>
      log.warn({ storeId, integrationId, err }, 'a call in progress cannot be renewed'),
  });
  try {
    return await listening.sendOnlyIf(() => kept.isHeld() && isAwake(), call);
  } finally {
    kept.stop();
    await endCall(sql, lease);
  }
}

/** One call of the activity, which may try several times. */
export interface PushCall {
  /** Unique to this call. */
  readonly callId: string;
  /** By `performance.now()`: if the process freezes after this time, another call may get the push. */
  readonly since: number;
  /** Ends pauses: the process stops, or all calls that waited for the push were given up. */
  readonly signal: AbortSignal;
}

/** The app of the store, held for one push and renewed until `stop`, which must be called. */
export interface PushLease extends Pick<
  BegunPush,
  'hasUnavailable' | 'marksOffSale' | 'settlesUntil'
> {
  /** The last look, right before the first byte: false if another process may have the lease by now. */
  readonly maySend: () => boolean;
  /** The push is over, and what it began is undone: it was not sent, or answered and not taken. */
  readonly free: () => Promise<void>;
  /** No longer renews it. What ends the upload, or records its task, frees it. */
  readonly stop: () => void;
}

/** Pause while another call's push is in progress. That push ends, or it is no longer renewed and lapses. */
const HELD_PAUSE_MS = 200;

/**
 * Waits until no other call uses the app, then begins the push (`stepStartsAt`: and its step). Undefined: another
 * attempt has taken over, or this one has a result. Throws if this process was frozen since the call began: Temporal
 * gives the push of a frozen process to another one.
 */
export async function takePushLease(
  { sql, freezes, log, settings }: Pick<MenuActivityDeps, 'sql' | 'freezes' | 'log' | 'settings'>,
  { uploadId, attemptNo, target: { destination }, client }: Attempt,
  { callId, since, signal }: PushCall,
  stepStartsAt: Date | null,
  step: NonNullable<PushBeginning['step']> = 'push',
): Promise<PushLease | undefined> {
  const key = { uploadId, attemptNo, callId };
  // Calls about items start no task.
  const settleMs = client.pollTask && step === 'push' ? settings.settleMs : null;
  for (let startsAt = stepStartsAt; ; startsAt = null) {
    if (freezes.wasFrozen(since))
      throw new Error('this process was frozen; its push may be under way elsewhere');
    const sentAt = performance.now();
    const begun = await beginPush(sql, {
      ...key,
      destination,
      settleMs,
      stepStartsAt: startsAt,
      step,
    });
    if (!begun) return undefined;
    if (!begun.isAppBusy) {
      const kept = keepLease({
        sentAt,
        renew: () => renewPush(sql, key),
        onFailure: (err) =>
          log.warn({ upload_id: uploadId, err }, 'a push in progress cannot be renewed'),
      });
      return {
        hasUnavailable: begun.hasUnavailable,
        marksOffSale: begun.marksOffSale,
        settlesUntil: begun.settlesUntil,
        maySend: () => kept.isHeld() && !freezes.wasFrozen(since),
        free: () => endPush(sql, key, begun),
        stop: kept.stop,
      };
    }
    await wait(HELD_PAUSE_MS, signal);
  }
}
