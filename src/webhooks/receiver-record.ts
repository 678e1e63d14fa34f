import {
  type Admission,
  admission,
  type AttemptEnd,
  type DisabledReason,
  HEALTHY,
  type ReceiverHealth,
  recordAttempt,
} from '../domain/breaker';

/** What one drain knows about its receiver, kept up to date with every attempt that ends. */
export interface ReceiverRecord {
  admission(now: number): Admission;
  /** Folds in an ended attempt; says what is to be recorded, null when nothing has changed. */
  add(attempt: AttemptEnd): { health: ReceiverHealth; disable: DisabledReason | null } | null;
  /** Another URL is another receiver, of which nothing bad is known. */
  useUrl(url: string): void;
  disable(reason: DisabledReason): void;
}

export function createReceiverRecord(known: ReceiverHealth): ReceiverRecord {
  let health = known;
  let currentUrl: string | undefined;
  return {
    admission: (now) => admission(health, now),
    add(attempt) {
      const before = health;
      health = recordAttempt(before, attempt);
      if (isSame(before, health)) return null;
      const disable = before.disabledReason === null ? health.disabledReason : null;
      return { health, disable };
    },
    useUrl(url) {
      if (currentUrl !== undefined && currentUrl !== url) {
        health = { ...HEALTHY, disabledReason: health.disabledReason };
      }
      currentUrl = url;
    },
    disable(reason) {
      health = { ...health, disabledReason: health.disabledReason ?? reason };
    },
  };
}

function isSame(one: ReceiverHealth, other: ReceiverHealth): boolean {
  return (
    one.consecutiveFailures === other.consecutiveFailures &&
    one.failingSince === other.failingSince &&
    one.pausedUntil === other.pausedUntil &&
    one.disabledReason === other.disabledReason
  );
}
