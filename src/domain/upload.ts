/** The states of an upload and how the newest of a store's uploads is chosen. Pure; times are ms since epoch. */

export const UPLOAD_STATES = [
  'queued',
  'running',
  'uploaded',
  'partly_uploaded',
  'failed',
  'superseded',
] as const;
export type UploadState = (typeof UPLOAD_STATES)[number];
export type FinalUploadState = Exclude<UploadState, 'queued' | 'running'>;

export const UPLOAD_STEPS = ['token', 'transform', 'images', 'push', 'confirm'] as const;
export type UploadStep = (typeof UPLOAD_STEPS)[number];
export type StepState = 'pending' | 'running' | 'done' | 'failed' | 'skipped';

/** How patient the publishing of a menu is, ms. */
export interface UploadTiming {
  /** An app that stays away is tried for this long while the upload is the newest. */
  readonly giveUpAfterMs: number;
  /** Delays between the rounds of quick retries; the last one repeats until the upload is given up. */
  readonly slowRetryMs: readonly number[];
  /** A push to an asynchronous app that left no task id may still be carried out this much later. */
  readonly settleMs: number;
  /** An asynchronous task that has not ended after this long is given up. */
  readonly taskDeadlineMs: number;
}

export const UPLOAD_TIMING: UploadTiming = {
  giveUpAfterMs: 24 * 3_600_000,
  slowRetryMs: [10_000, 30_000, 60_000, 120_000, 300_000, 600_000, 900_000],
  settleMs: 10 * 60_000,
  taskDeadlineMs: 30 * 60_000,
};

export interface WaitingUpload {
  readonly uploadId: string;
  readonly seq: number;
  readonly taskId: string | null;
  readonly nextAttemptAt: number | null;
}

export interface Slot {
  readonly uploadId: string;
  readonly until: number;
}

export type ClaimDecision =
  | { readonly kind: 'idle' }
  /** Push this one; every other waiting upload is older and ends `superseded`. */
  | { readonly kind: 'publish'; readonly uploadId: string; readonly supersede: readonly string[] }
  /** Its task was accepted by the app and has not been seen to end: ask, do not push again. */
  | { readonly kind: 'confirm'; readonly uploadId: string }
  | { readonly kind: 'wait'; readonly ms: number; readonly supersede: readonly string[] };

/**
 * What to do next for one store and integration, given all its waiting uploads in any order.
 * The highest sequence number wins, and what is older than a claimed one never runs, also when it is seen late.
 * While an asynchronous app may still work on an older menu, nothing newer is pushed: it could finish last.
 */
export function decideClaim(
  waiting: readonly WaitingUpload[],
  claimedSeq: number,
  slot: Slot | null,
  now: number,
): ClaimDecision {
  const holder =
    slot && slot.until > now ? waiting.find((u) => u.uploadId === slot.uploadId) : null;
  if (holder?.taskId) return { kind: 'confirm', uploadId: holder.uploadId };

  const newest = waiting.reduce<WaitingUpload | null>(
    (best, each) => (each.seq >= claimedSeq && (!best || each.seq > best.seq) ? each : best),
    null,
  );
  const supersede = waiting.filter((u) => u !== newest).map((u) => u.uploadId);
  if (!newest) return supersede.length > 0 ? { kind: 'wait', ms: 0, supersede } : { kind: 'idle' };

  const slotMs = slot && slot.uploadId !== newest.uploadId ? slot.until - now : 0;
  const dueMs = newest.nextAttemptAt === null ? 0 : newest.nextAttemptAt - now;
  const ms = Math.max(slotMs, dueMs);
  if (ms > 0) return { kind: 'wait', ms, supersede };
  return { kind: 'publish', uploadId: newest.uploadId, supersede };
}

/** When to try again after the `rounds`-th round (1-based) failed, or null when it is time to give up. */
export function slowRetryDelayMs(
  rounds: number,
  ageMs: number,
  askedMs: number | null,
  { slowRetryMs, giveUpAfterMs }: UploadTiming,
): number | null {
  const planned = slowRetryMs[Math.min(rounds, slowRetryMs.length) - 1] ?? 0;
  const delay = Math.max(planned, askedMs ?? 0);
  return ageMs + delay > giveUpAfterMs ? null : delay;
}
