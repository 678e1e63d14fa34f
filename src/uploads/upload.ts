import type { ClaimWait } from '../contract/why-it-waits';
import type {
  CHANGE_WAYS,
  UPLOAD_STATES,
  UPLOAD_STEP_STATES,
  UPLOAD_STEPS,
} from '../../schemas/states';
import type { UploadId } from '../platform/ids';

/* The states of an upload, and the choice among a store's uploads. Pure; times are ms since epoch. */

export type UploadState = (typeof UPLOAD_STATES)[number];
export type FinalUploadState = Exclude<UploadState, 'queued' | 'running'>;

/** Whether an upload in this state has ended. */
export function isFinal(state: UploadState): state is FinalUploadState {
  return state !== 'queued' && state !== 'running';
}

/** How a change of single items reaches the app. */
export type ChangeWay = (typeof CHANGE_WAYS)[number];

export type UploadStep = (typeof UPLOAD_STEPS)[number];
export type StepState = (typeof UPLOAD_STEP_STATES)[number];

/** An upload that has not ended; a `running` one may be waiting for its next round. */
export interface UnfinishedUpload {
  readonly uploadId: UploadId;
  readonly seq: number;
  readonly taskId: string | null;
  readonly nextAttemptAt: number | null;
  /** Held by its rollout: it has its place in the queue, but must not start yet. */
  readonly held: boolean;
  /** What it waits for, besides a time. */
  readonly waitsFor: string | null;
}

export interface Slot {
  readonly uploadId: UploadId;
  /** Until when other uploads wait, unless the holder's task is still to be asked about. */
  readonly until: number;
}

export type ClaimDecision =
  | { readonly kind: 'idle' }
  /** Push this upload; all other waiting uploads are older and end `superseded`. */
  | {
      readonly kind: 'publish';
      readonly uploadId: UploadId;
      readonly supersede: readonly UploadId[];
    }
  /** The app has accepted its task, which is not known to have ended: poll it, do not push again. */
  | { readonly kind: 'confirm'; readonly uploadId: UploadId }
  | {
      readonly kind: 'wait';
      readonly ms: number;
      readonly why: ClaimWait;
      readonly uploadId: UploadId | null;
      readonly supersede: readonly UploadId[];
    };

/**
 * What to do next for one store and integration, given all its unfinished uploads in any order. The highest sequence
 * number wins, and uploads older than a claimed one never run, even if they are seen late. While an asynchronous app
 * may still work on an older menu, nothing newer is pushed: the older one could finish last. A held upload is
 * superseded by a newer one, but supersedes none until it is released.
 */
export function decideClaim(
  unfinished: readonly UnfinishedUpload[],
  claimedSeq: number,
  slot: Slot | null,
  now: number,
): ClaimDecision {
  // Whatever the time: its task may have been answered while all workers were away. Asking ends it at its deadline.
  const holder = unfinished.find((u) => u.uploadId === slot?.uploadId);
  if (holder?.taskId) return { kind: 'confirm', uploadId: holder.uploadId };

  const newest = unfinished.reduce<UnfinishedUpload | null>(
    (best, each) =>
      !each.held && each.seq >= claimedSeq && (!best || each.seq > best.seq) ? each : best,
    null,
  );
  const newestSeq = newest?.seq ?? claimedSeq;
  const supersede = unfinished
    .filter((u) => u !== newest && !(u.held && u.seq > newestSeq))
    .map((u) => u.uploadId);
  if (!newest) {
    if (supersede.length === 0) return { kind: 'idle' };
    return { kind: 'wait', ms: 0, why: 'retry', uploadId: null, supersede };
  }

  const slotMs = slot && slot.uploadId !== newest.uploadId ? slot.until - now : 0;
  const dueMs = newest.nextAttemptAt === null ? 0 : newest.nextAttemptAt - now;
  const ms = Math.max(slotMs, dueMs);
  if (ms > 0) {
    const why = slotMs > dueMs ? 'settling' : waitReasonOf(newest);
    return { kind: 'wait', ms, why, uploadId: newest.uploadId, supersede };
  }
  return { kind: 'publish', uploadId: newest.uploadId, supersede };
}

function waitReasonOf({ waitsFor }: UnfinishedUpload): ClaimWait {
  if (waitsFor === null) return 'retry';
  return waitsFor.startsWith('push/') ? 'push' : 'token';
}
