/** After this many failed attempts in a row, a subscription is paused. */
export const FAILURES_TO_PAUSE = 10;
const FIRST_PAUSE_MS = 30_000;
const LONGEST_PAUSE_MS = 600_000; // also of those that a receiver asks for
const DISABLE_AFTER_MS = 5 * 86_400_000;

/** `gone`: the receiver answered 410. `failing`: five days without a success. `manual`: disabled by its owner,
 * who may be deactivated: `owner_inactive`. */
export type DisabledReason = 'gone' | 'failing' | 'manual' | 'owner_inactive';

/** What we know about a receiver: columns of its subscription. Times in ms since the epoch, by one clock. */
export interface ReceiverHealth {
  readonly consecutiveFailures: number;
  /** When the current series of failures began; null after a success. */
  readonly failingSince: number | null;
  /** Remains set after it has passed, until a probe is answered: this is what makes the next attempt a probe. */
  readonly pausedUntil: number | null;
  /** The receiver asked for the pause: requests that were on their way when it began cannot end it. */
  readonly isPauseAsked: boolean;
  readonly disabledReason: DisabledReason | null;
}

/** A subscription that is new or was just re-enabled. */
export const HEALTHY: ReceiverHealth = {
  consecutiveFailures: 0,
  failingSince: null,
  pausedUntil: null,
  isPauseAsked: false,
  disabledReason: null,
};

export interface EndedAttempt {
  /** `success`: the receiver works, even if it refused the message. */
  readonly result: 'success' | 'failure' | 'gone';
  readonly startedAt: number;
  readonly endedAt: number;
  /** For so many ms the receiver wants to be left alone: `Retry-After` of a 429 or 503; null without. */
  readonly askedMs: number | null;
}

/** What may be sent to a receiver now. */
export type Admission =
  | { readonly kind: 'open' }
  | { readonly kind: 'probe' }
  | { readonly kind: 'paused'; readonly until: number }
  | { readonly kind: 'disabled'; readonly reason: DisabledReason };

export function admission(health: ReceiverHealth, now: number): Admission {
  if (health.disabledReason !== null) return { kind: 'disabled', reason: health.disabledReason };
  if (health.pausedUntil === null) return { kind: 'open' };
  return now < health.pausedUntil
    ? { kind: 'paused', until: health.pausedUntil }
    : { kind: 'probe' };
}

/**
 * How many requests a receiver can take now, if it gets at most `most` at once. `inFlight` occupy it; `open` have not
 * ended, and may only wait for a status.
 */
export function permitsAt(
  admitted: Admission,
  { most, inFlight, open }: Readonly<Record<'most' | 'inFlight' | 'open', number>>,
): number {
  switch (admitted.kind) {
    case 'open':
      return Math.max(0, most - inFlight);
    case 'probe':
      return open === 0 ? 1 : 0;
    case 'paused':
    case 'disabled':
      return 0;
    default:
      return admitted satisfies never;
  }
}

/** The health after one more attempt. Attempts must be folded in the order in which they ended. */
export function recordAttempt(health: ReceiverHealth, attempt: EndedAttempt): ReceiverHealth {
  switch (attempt.result) {
    case 'success':
      // Among requests at the same time some are still answered by a receiver that has asked to be left alone.
      if (health.isPauseAsked && isBeforeItsEnd(health, attempt)) {
        return { ...health, consecutiveFailures: 0, failingSince: null };
      }
      // A disabled subscription stays disabled: only its owner can enable it, not a late answer.
      return { ...HEALTHY, disabledReason: health.disabledReason };
    case 'gone':
      return { ...HEALTHY, disabledReason: health.disabledReason ?? 'gone' };
    case 'failure':
      return recordFailure(health, attempt);
    default:
      return attempt.result satisfies never;
  }
}

function recordFailure(health: ReceiverHealth, attempt: EndedAttempt): ReceiverHealth {
  const failingSince = health.failingSince ?? attempt.endedAt;
  const failing = attempt.endedAt - failingSince >= DISABLE_AFTER_MS;
  const disabledReason = health.disabledReason ?? (failing ? 'failing' : null);
  const askedMs = Math.min(attempt.askedMs ?? 0, LONGEST_PAUSE_MS);
  // With 20 in flight, the pause begins while ten more are still out. If they fail too, that is not news; counting
  // them would turn the first pause of 30 s into one of 10 min.
  if (isBeforeItsEnd(health, attempt)) {
    const pausedUntil = Math.max(health.pausedUntil ?? 0, attempt.endedAt + askedMs);
    return askedMs > 0
      ? { ...health, pausedUntil, isPauseAsked: true, disabledReason }
      : { ...health, disabledReason };
  }
  const consecutiveFailures = health.consecutiveFailures + 1;
  const isProbe = health.pausedUntil !== null;
  const pauseMs = Math.max(askedMs, pauseAfter(consecutiveFailures, isProbe && askedMs === 0));
  const pausedUntil = pauseMs === 0 ? null : attempt.endedAt + pauseMs;
  return {
    consecutiveFailures,
    failingSince,
    pausedUntil,
    isPauseAsked: askedMs > 0,
    disabledReason,
  };
}

/** Whether the attempt was already on its way when the pause began. */
function isBeforeItsEnd({ pausedUntil }: ReceiverHealth, { startedAt }: EndedAttempt): boolean {
  return pausedUntil !== null && startedAt < pausedUntil;
}

/**
 * The pause after the tenth failure is 30 s; each failed probe doubles it: 60, 120, 240, 480, then always 600 s. 0
 * before that, unless `isDue`: a pause that the receiver asked for ends with the success of its probe only.
 */
function pauseAfter(consecutiveFailures: number, isDue: boolean): number {
  const probesFailed = consecutiveFailures - FAILURES_TO_PAUSE;
  if (probesFailed < 0) return isDue ? FIRST_PAUSE_MS : 0;
  return Math.min(FIRST_PAUSE_MS * 2 ** probesFailed, LONGEST_PAUSE_MS);
}

/**
 * What one consumer knows about its receiver, updated with every attempt that ends. It concerns the current URL: answers
 * to requests that went to an earlier URL are ignored.
 */
export interface ReceiverRecord {
  /** What may be sent; only valid after the first claim, which starts the record. */
  admission(now: number): Admission;
  /** The version of the current record, from the subscription's row; null before the first claim. */
  healthVersion(): number | null;
  /**
   * Folds in an ended attempt that was claimed under `healthVersion`. Returns what must be recorded; null if nothing
   * changed or the attempt concerned an earlier receiver.
   */
  add(
    attempt: EndedAttempt,
    healthVersion: number,
  ): { health: ReceiverHealth; disable: DisabledReason | null } | null;
  /** Takes over the row's values at the time of a claim. */
  follow(row: HealthRow): void;
}

/** The health of a subscription as stored in its row; a new URL and enabling raise the version. */
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
      const { consecutiveFailures, failingSince, pausedUntil, isPauseAsked, disabledReason } = row;
      // For the same version we may know more than is recorded yet; for another version the row is right.
      health =
        row.healthVersion === healthVersion
          ? { ...health, disabledReason: health.disabledReason ?? disabledReason }
          : { consecutiveFailures, failingSince, pausedUntil, isPauseAsked, disabledReason };
      healthVersion = row.healthVersion;
    },
  };
}

function isSame(one: ReceiverHealth, other: ReceiverHealth): boolean {
  return (
    one.consecutiveFailures === other.consecutiveFailures &&
    one.failingSince === other.failingSince &&
    one.pausedUntil === other.pausedUntil &&
    one.isPauseAsked === other.isPauseAsked &&
    one.disabledReason === other.disabledReason
  );
}
