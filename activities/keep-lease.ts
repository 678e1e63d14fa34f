import { performance } from 'node:perf_hooks';
import { inBackground } from '../src/platform/in-background';

export interface LeaseKeeping {
  /** How long the lease counts without renewal, ms. */
  readonly heldMs: number;
  readonly everyMs: number;
  /** When the statement that took the lease was sent, by `performance.now()`. */
  readonly sentAt: number;
  readonly renew: () => Promise<void>;
  readonly onFailure: (error: unknown) => void;
}

/**
 * Runs `work` and renews a lease meanwhile. `isHeld` is false once the lease may have run out: a first byte sent then
 * may meet one of somebody else. It counts from when a statement was sent, as Postgres may have run it at once and its
 * answer may have come late.
 */
export async function keepLease<T>(
  { heldMs, everyMs, sentAt, renew, onFailure }: LeaseKeeping,
  work: (isHeld: () => boolean) => Promise<T>,
): Promise<T> {
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
  try {
    return await work(isHeld);
  } finally {
    clearInterval(timer);
  }
}
