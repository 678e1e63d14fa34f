import { performance } from 'node:perf_hooks';
import { type AppLease, endCall, renewCall } from '../src/availability/sql/calls';
import { inBackground } from '../src/platform/in-background';
import type { ListeningClient } from '../src/delivery-apps/listening-client';
import { LEASE_MS, RENEW_LEASE_MS } from '../src/uploads/sql/pushes';
import type { MenuActivityDeps } from './activity-deps';

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
  heldMs = LEASE_MS,
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
