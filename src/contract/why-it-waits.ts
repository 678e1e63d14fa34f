import type { WAITING_REASONS } from '../../schemas/states';

/*
 * Why accepted work that has not ended waits: the only place that decides it, for every answer, list and page. Pure;
 * the facts are read by `find…Waits` of each subject. Times are by the database's clock.
 */

export type WaitingReason = (typeof WAITING_REASONS)[number];

/** As answers show it (docs/api.md, "Why it waits"). */
export interface WaitingFor {
  readonly reason: WaitingReason;
  /** What the app or receiver said last, as `messages` would have it at the end; else our own sentence. */
  readonly message: string;
  /** When the wait for this reason began. */
  readonly since: Date;
  /** Tries in vain. */
  readonly attempts: number;
  /** Null: it depends on something else, or a try is under way. */
  readonly next_attempt_at: Date | null;
}

/** Why the newest menu of a store is not being sent now. */
export type ClaimWait =
  /** The next try of an app that failed. */
  | 'retry'
  /** Other pushes to the integration, or the request for its token, must end first. */
  | 'push'
  | 'token'
  /** The app may still be working on an earlier menu, whose answer was lost. */
  | 'settling';

/** Why and until when (ISO 8601) a menu waits, as text for its status and the Temporal UI. */
export function describeWait(why: ClaimWait, until: string): string {
  switch (why) {
    case 'retry':
      return `The menu waits for its next try at ${until}.`;
    case 'push':
      return `The menu waits for other menus that are being sent to the delivery system, until ${until} at the latest.`;
    case 'token':
      return `The menu waits for a token of the delivery system, which another upload is fetching, until ${until} at the latest.`;
    case 'settling':
      return `The answer to an earlier menu was lost and the delivery system may still be working on it: this menu waits until ${until}.`;
  }
}

/** What this process knows besides the rows. */
export interface Surroundings {
  readonly isTemporalAway: boolean;
}

/** Work that is due and has found no worker for so long is late, ms. */
const LATE_MS = 10_000;

const WORDS = {
  held: 'The menu waits for a place in its rollout.',
  earlier: 'The menu waits until the delivery system has finished an earlier one.',
  push: 'The change waits until the menu that is being sent to the delivery system has arrived.',
  token: 'A token of the delivery system is being fetched.',
  images: 'The images of the menu are being looked at.',
  approval: 'The delivery system has not approved the menu yet.',
  temporal: 'It goes on as soon as the service can reach Temporal.',
  noWorker: 'No worker of the service has taken it up yet.',
  noAnswer: 'The delivery system did not answer.',
  rate: 'The delivery system takes no more requests at this moment.',
  unusable: 'Integration not available.',
  asked: 'The receiver asked to be left alone for a while.',
  permits: 'The receiver gets no more requests at this moment.',
  ownTrouble: 'The service has trouble of its own, and no attempt is used up',
} as const;

/** The last try in vain, as a row keeps it. */
interface LastTry {
  readonly now: Date;
  /** Null: there was none since the last success. */
  readonly waitReason: WaitingReason | null;
  /** Cleaned. */
  readonly words: string | null;
  readonly waitingSince: Date | null;
  readonly failedTries: number;
  /** When the next quick try is, or the next question. */
  readonly nextTryAt: Date | null;
}

/** An upload that has not ended. */
export interface UploadWait extends LastTry {
  /** Accepted, or let go by its rollout. */
  readonly readySince: Date;
  readonly isQueued: boolean;
  readonly isHeld: boolean;
  /** Its workflow has the lease. */
  readonly isLeased: boolean;
  readonly waitsFor: string | null;
  readonly nextAttemptAt: Date | null;
  readonly isBehindEarlier: boolean;
  /** Until when an earlier menu may still take effect. */
  readonly earlierUntil: Date | null;
  /** The step that is running. */
  readonly step: string | null;
  readonly stepSince: Date | null;
  /** Since when people at the app have had it. */
  readonly approvalSince: Date | null;
}

export function whyUploadWaits(
  upload: UploadWait,
  { isTemporalAway }: Surroundings,
): WaitingFor | null {
  const { now, readySince, isQueued, nextAttemptAt, waitsFor, earlierUntil } = upload;
  const because = reasonsFor(upload, readySince, nextAttemptAt);
  if (upload.isHeld) return because('permit', WORDS.held);
  const isDue = isPast(nextAttemptAt, now);
  const isIdle = isQueued || (isDue && (nextAttemptAt !== null || !upload.isLeased));
  if (isIdle && isDue && isTemporalAway) {
    return because('temporal', WORDS.temporal, nextAttemptAt);
  }
  if (waitsFor !== null && !isDue) {
    const why = waitsFor.startsWith('push/') ? 'push' : 'token';
    const sentence = describeWait(why, nextAttemptAt?.toISOString() ?? '');
    return because(why === 'push' ? 'permit' : 'token', sentence, upload.waitingSince);
  }
  if (isQueued && upload.isBehindEarlier) return because('earlier_menu', WORDS.earlier);
  if (isIdle && isDue && earlierUntil !== null && earlierUntil > now) {
    const sentence = describeWait('settling', earlierUntil.toISOString());
    return { ...because('earlier_menu', sentence), next_attempt_at: earlierUntil };
  }
  if (isDue && upload.step === 'token') return because('token', WORDS.token, upload.stepSince);
  if (isDue && upload.step === 'images') {
    return because('image_host', WORDS.images, upload.stepSince);
  }
  const failed = afterFailure(upload, because);
  if (failed !== null) return failed;
  if (upload.approvalSince !== null) {
    return because('approval', WORDS.approval, upload.approvalSince);
  }
  const isLate = isIdle && isPast(later(readySince, nextAttemptAt), now, LATE_MS);
  return isLate && !upload.isLeased ? because('our_side', WORDS.noWorker) : null;
}

/** A change of availability that has not ended, items or a pause. */
export interface ChangeWait extends LastTry {
  readonly createdAt: Date;
  /** Changes by stock are collected until then. */
  readonly dueAt: Date;
  readonly isLeased: boolean;
  /** The integration is active, configured, and the store connected. */
  readonly isUsable: boolean;
  /** When the queue tries again. */
  readonly retryAt: Date | null;
  /** A menu is being pushed to the same store of the app. */
  readonly isPushUnderWay: boolean;
  readonly isCallUnderWay: boolean;
  /** One of those that its calls may need. */
  readonly isTokenBeingFetched: boolean;
  /** Until then the app's own rate allows no call; null for pauses, which have no rate. */
  readonly nextCallAt: Date | null;
}

export function whyChangeWaits(
  change: ChangeWait,
  { isTemporalAway }: Surroundings,
): WaitingFor | null {
  const { now, createdAt, dueAt, retryAt, nextCallAt } = change;
  const because = reasonsFor(change, createdAt, retryAt);
  const isDue = isPast(retryAt, now) && isPast(dueAt, now);
  if (!change.isUsable) return because('disabled', WORDS.unusable);
  if (isDue && isTemporalAway && !change.isCallUnderWay && !change.isLeased) {
    return because('temporal', WORDS.temporal, retryAt);
  }
  const failed = afterFailure(change, because);
  if (failed !== null) return failed;
  if (isDue && !change.isCallUnderWay && change.isTokenBeingFetched) {
    return because('token', WORDS.token);
  }
  if (isDue && change.isPushUnderWay) return because('earlier_menu', WORDS.push);
  if (isDue && !change.isCallUnderWay && nextCallAt !== null && nextCallAt > now) {
    return { ...because('permit', WORDS.rate), next_attempt_at: nextCallAt };
  }
  const isLate = isDue && isPast(dueAt, now, LATE_MS) && !change.isLeased;
  return isLate ? because('our_side', WORDS.noWorker) : null;
}

/** A delivery that is pending. */
export interface DeliveryWait {
  readonly now: Date;
  /** Created, or resent. */
  readonly wantedSince: Date;
  readonly dueAt: Date;
  readonly attemptsMade: number;
  readonly isUnderWay: boolean;
  /** What the last attempt said, of those since the latest resend; null: none. */
  readonly waitReason: WaitingReason | null;
  /** When the first of them failed; null: there was none. */
  readonly failedSince: Date | null;
  readonly status: number | null;
  readonly error: string | null;
  /** The receiver's latest message. */
  readonly message: string | null;
  readonly disabledReason: string | null;
  readonly pausedUntil: Date | null;
  /** The receiver asked for the pause, rather than failed too often. */
  readonly isPauseAsked: boolean;
  readonly failingSince: Date | null;
  readonly consecutiveFailures: number;
  /** Trouble of ours that keeps the worker from the receiver, and since when; null: none. */
  readonly ownFault: string | null;
  readonly ownFaultSince: Date | null;
  /** All permits of the receiver are taken, or it gets only so many requests a second. */
  readonly isLimited: boolean;
  /** A living worker has its shard. */
  readonly hasConsumer: boolean;
}

export function whyDeliveryWaits(delivery: DeliveryWait): WaitingFor | null {
  const { now, wantedSince, dueAt, waitReason, pausedUntil, failedSince, hasConsumer } = delivery;
  const because = (reason: WaitingReason, message: string, since: Date, next: Date | null) => ({
    reason,
    message,
    since: later(since, wantedSince),
    attempts: delivery.attemptsMade,
    next_attempt_at: next !== null && next > now ? next : null,
  });
  if (delivery.disabledReason !== null) {
    return because('disabled', disabledWords(delivery.disabledReason), wantedSince, null);
  }
  const words = receiverWords(delivery);
  if (pausedUntil !== null) {
    const failures = `The receiver failed ${delivery.consecutiveFailures} times in a row.`;
    return because(
      delivery.isPauseAsked ? 'receiver_busy' : 'paused',
      words ?? (delivery.isPauseAsked ? WORDS.asked : failures),
      delivery.failingSince ?? wantedSince,
      later(dueAt, pausedUntil),
    );
  }
  if (delivery.ownFault !== null && dueAt <= now) {
    const message = `${WORDS.ownTrouble} (${delivery.ownFault}).`;
    return because('our_side', message, later(dueAt, delivery.ownFaultSince), null);
  }
  const isIdle = !delivery.isUnderWay && dueAt <= now;
  if (isIdle && hasConsumer && delivery.isLimited) {
    return because('permit', WORDS.permits, dueAt, null);
  }
  if (failedSince !== null) {
    return because(waitReason ?? 'receiver_failing', words ?? 'no answer', failedSince, dueAt);
  }
  const isLate = isIdle && !hasConsumer && isPast(dueAt, now, LATE_MS);
  return isLate ? because('our_side', WORDS.noWorker, dueAt, null) : null;
}

/** The receiver's message, else the status or why there was no answer. */
function receiverWords({ message, status, error, failedSince }: DeliveryWait): string | null {
  if (failedSince === null) return null;
  return message ?? (status === null ? error : `status ${status}`);
}

function disabledWords(reason: string): string {
  switch (reason) {
    case 'gone':
      return 'The receiver answered 410, which disabled its webhook.';
    case 'failing':
      return 'The receiver failed for five days, which disabled its webhook.';
    default:
      return 'The webhook is disabled.';
  }
}

type Because = (reason: WaitingReason, message: string, since?: Date | null) => WaitingFor;

/** For work that has waited since `readySince` and is tried again at `dueAt`. */
function reasonsFor(last: LastTry, readySince: Date, dueAt: Date | null): Because {
  const next = [dueAt, last.nextTryAt].find((at) => at !== null && at > last.now);
  return (reason, message, since) => ({
    reason,
    message,
    since: later(readySince, since ?? null),
    attempts: last.failedTries,
    next_attempt_at: next ?? null,
  });
}

/** Also while the next try is under way. A wait for a permit forgets the reason, and leaves the words. */
function afterFailure(
  { waitReason, words, waitingSince }: LastTry,
  because: Because,
): WaitingFor | null {
  const reason = waitReason ?? (words === null ? null : 'app_unavailable');
  return reason && because(reason, words || WORDS.noAnswer, waitingSince);
}

function isPast(at: Date | null, now: Date, byMs = 0): boolean {
  return at === null || at.getTime() + byMs <= now.getTime();
}

function later(one: Date, other: Date | null): Date {
  return other !== null && other > one ? other : one;
}
