import {
  type Admission,
  admission,
  type AttemptEnd,
  type DisabledReason,
  HEALTHY,
  type ReceiverHealth,
  recordAttempt,
} from '../domain/breaker';

/**
 * What one drain knows about its receiver, kept up to date with every attempt that ends. It is about the present URL:
 * requests may be out to an earlier one, and what comes of them is no news of this one.
 */
export interface ReceiverRecord {
  /** What may be sent; after the first claim, with which the record begins. */
  admission(now: number): Admission;
  /** Of the record that the row of the subscription tells; null before the first claim. */
  healthVersion(): number | null;
  /**
   * Folds in an ended attempt, which was claimed under `healthVersion`; says what is to be recorded, null when nothing
   * has changed or it was another receiver's.
   */
  add(
    attempt: AttemptEnd,
    healthVersion: number,
  ): { health: ReceiverHealth; disable: DisabledReason | null } | null;
  /** Takes over what the row says at the moment of a claim. */
  follow(row: HealthRow): void;
}

/** The health of a subscription as its row tells it; the version is raised by another URL and by an enabling. */
type HealthRow = ReceiverHealth & { readonly healthVersion: number };

export function createReceiverRecord(): ReceiverRecord {
  let health = HEALTHY;
  let healthVersion: number | null = null;
  return {
    admission: (now) => admission(health, now),
    healthVersion: () => healthVersion,
    add(attempt, version) {
      if (version !== healthVersion) return null;
      const before = health;
      health = recordAttempt(before, attempt);
      if (isSame(before, health)) return null;
      const disable = before.disabledReason === null ? health.disabledReason : null;
      return { health, disable };
    },
    follow(row) {
      const { consecutiveFailures, failingSince, pausedUntil, disabledReason } = row;
      // Of the same version more may be known here than is recorded yet; of another one the row knows all.
      health =
        row.healthVersion === healthVersion
          ? { ...health, disabledReason: health.disabledReason ?? disabledReason }
          : { consecutiveFailures, failingSince, pausedUntil, disabledReason };
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
