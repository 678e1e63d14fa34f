import {
  type Admission,
  admission,
  type AttemptEnd,
  type DisabledReason,
  HEALTHY,
  type ReceiverHealth,
  recordAttempt,
} from '../domain/breaker';

/** The health of a subscription as its row tells it. */
interface KnownHealth {
  readonly health: ReceiverHealth;
  /** Raised by another URL and by an enabling: either begins the record afresh. */
  readonly healthVersion: number;
}

/**
 * What one drain knows about its receiver, kept up to date with every attempt that ends. It is about the present URL:
 * requests may be out to an earlier one, and what comes of them is no news of this one.
 */
export interface ReceiverRecord {
  admission(now: number): Admission;
  /**
   * Folds in an ended attempt, which was claimed under `healthVersion`; says what is to be recorded, null when nothing
   * has changed or it was another receiver's.
   */
  add(
    attempt: AttemptEnd,
    healthVersion: number,
  ): { health: ReceiverHealth; disable: DisabledReason | null } | null;
  /** Takes over what the row says at the moment of a claim. */
  follow(row: {
    readonly healthVersion: number;
    readonly disabledReason: DisabledReason | null;
  }): void;
}

export function createReceiverRecord(known: KnownHealth): ReceiverRecord {
  let { health, healthVersion } = known;
  return {
    admission: (now) => admission(health, now),
    add(attempt, version) {
      if (version !== healthVersion) return null;
      const before = health;
      health = recordAttempt(before, attempt);
      if (isSame(before, health)) return null;
      const disable = before.disabledReason === null ? health.disabledReason : null;
      return { health, disable };
    },
    follow(row) {
      // Of the same version a disabling may be known here that is not recorded yet; of another one the row knows all.
      const before = row.healthVersion === healthVersion ? health : HEALTHY;
      health = { ...before, disabledReason: before.disabledReason ?? row.disabledReason };
      healthVersion = row.healthVersion;
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
