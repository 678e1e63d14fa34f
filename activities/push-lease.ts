import { performance } from 'node:perf_hooks';
import { beginPush, type BegunPush, endPush, renewPush } from '../src/uploads/sql/pushes';
import type { MenuActivityDeps } from './activity-deps';
import { keepLease } from './keep-lease';
import type { Attempt } from './upload-attempt';
import { wait } from './wait';

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
export interface PushLease extends Pick<BegunPush, 'hasUnavailable' | 'settlesUntil'> {
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
): Promise<PushLease | undefined> {
  const key = { uploadId, attemptNo, callId };
  const settleMs = client.pollTask ? settings.settleMs : null;
  for (let startsAt = stepStartsAt; ; startsAt = null) {
    if (freezes.wasFrozen(since))
      throw new Error('this process was frozen; its push may be under way elsewhere');
    const sentAt = performance.now();
    const begun = await beginPush(sql, { ...key, destination, settleMs, stepStartsAt: startsAt });
    if (!begun) return undefined;
    if (!begun.isHeldElsewhere) {
      const kept = keepLease({
        sentAt,
        renew: () => renewPush(sql, key),
        onFailure: (err) =>
          log.warn({ upload_id: uploadId, err }, 'a push in progress cannot be renewed'),
      });
      return {
        hasUnavailable: begun.hasUnavailable,
        settlesUntil: begun.settlesUntil,
        maySend: () => kept.isHeld() && !freezes.wasFrozen(since),
        free: () => endPush(sql, key, begun),
        stop: kept.stop,
      };
    }
    await wait(HELD_PAUSE_MS, signal);
  }
}
