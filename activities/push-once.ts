import { performance } from 'node:perf_hooks';
import { takeUnavailable } from '../src/availability/sql/marks';
import { ThreadsBusyError } from '../src/platform/threads/thread-pool';
import type { HeardAnswer } from '../src/delivery-apps/listening-client';
import type { AppTokenRow } from '../src/delivery-apps/sql/app-tokens';
import type { DeliveryAppClient, PushOutcome, PushRequest } from '../src/delivery-apps/app-client';
import {
  beginPush,
  type BegunPush,
  endPush,
  type PushBeginning,
  type PushLease,
  renewPush,
} from '../src/uploads/sql/pushes';
import { keepLease } from './keep-lease';
import { wait } from './wait';
import type { MenuActivityDeps } from './activity-deps';
import type { Attempt } from './upload-attempt';

/**
 * The result of one push. `stale`: another attempt has taken over, or this one has a result; `token_refused`: the
 * app no longer gives us a token; `token_elsewhere`: another upload is fetching it; `Unwritten`. In all of these cases
 * nothing was sent.
 */
export type PushEnd =
  | PushOutcome
  | Unwritten
  | { readonly kind: 'stale' | 'token_refused' | 'token_elsewhere' };

/**
 * What is off sale could not be written into the menu. `threads_busy`: no thread became free for it; `not_prepared`: it
 * took too long or too much memory.
 */
interface Unwritten {
  readonly kind: 'threads_busy' | 'not_prepared';
}

/** Entitles this call of the activity to push. */
export interface PushCall extends Pick<PushLease, 'startedAt' | 'callId'> {
  /** By `performance.now()`: if the process freezes after this time, another call may get the push. */
  readonly since: number;
  /** Ends pauses: the process stops, or all calls that waited for the push were given up. */
  readonly signal: AbortSignal;
}

export interface Pushed {
  readonly outcome: PushEnd;
  /** The app's answer and its duration; null and 0 if nothing was pushed. */
  readonly answer: HeardAnswer | null;
  readonly ms: number;
  /** Until when an earlier push may still take effect. */
  readonly settlesUntil: Date | null;
}

/**
 * Gets a token, begins the push, sends the payload once, with what is off sale, and, if the client has `readBack`, reads
 * back what the app shows. Throws if this process was frozen before it began the push. Returns `retry` and sends
 * nothing if it was frozen, or the lease may have run out, before the first byte.
 *
 * `beginsStep`: the step begins in the statement that begins the push. `keptToken`: a stored token, already read.
 */
export async function pushOnce(
  deps: MenuActivityDeps,
  attempt: Attempt,
  { since, signal, ...call }: PushCall,
  {
    beginsStep = false,
    keptToken,
  }: { beginsStep?: boolean; keptToken?: AppTokenRow | undefined } = {},
): Promise<Pushed> {
  const request = await pushRequest(deps, attempt, keptToken);
  if ('kind' in request) return notPushed(request);
  await deps.atCheckpoint('worker:before-push');
  const { uploadId, attemptNo, client, listening } = attempt;
  const { destination } = attempt.target;
  const { settleMs } = deps.settings;
  const lease = { uploadId, attemptNo, ...call };
  const push = { ...lease, destination, beginsStep, settleMs: client.pollTask ? settleMs : null };
  // The last moment at which a superseded attempt can be kept from overwriting a newer menu.
  const begun = await beginPushWhenFree(deps, push, { since, signal });
  if (!begun) return notPushed({ kind: 'stale' });
  // Most pushes end before the first renewal.
  const keeping = {
    sentAt: begun.beganAt,
    renew: () => renewPush(deps.sql, lease),
    onFailure: (err: unknown) =>
      deps.log.warn({ upload_id: uploadId, err }, 'a push in progress cannot be renewed'),
  };
  const pushed = await keepLease(keeping, async (isHeld) => {
    const withMarks = begun.hasUnavailable
      ? await withUnavailable(deps, attempt, request).catch(async (error: unknown) => {
          // Nothing was sent, so nothing newer need wait until this push can no longer take effect.
          await endPush(deps.sql, lease, begun);
          throw error;
        })
      : request;
    // There is at least one more round of the event loop, or a new connection, between that moment and the first byte.
    const maySend = (): boolean => isHeld() && !deps.freezes.wasFrozen(since);
    if ('kind' in withMarks) {
      // Otherwise another process may be pushing by now, and this one decides nothing.
      const unsent = maySend() ? withMarks : LEASE_LOST;
      return { answered: unsent, outcome: unsent, answer: null, ms: 0 };
    }
    const sentAt = performance.now();
    const answered = await listening.sendOnlyIf(maySend, () => client.pushMenu(withMarks));
    const ms = performance.now() - sentAt;
    const answer = listening.lastAnswer([request.token, attempt.credential.clientSecret]);
    await deps.atCheckpoint('worker:after-push');
    // Read back under the lease: a call about items would still find the previous menu recorded as live.
    return { answered, outcome: await verify(attempt, withMarks, answered), answer, ms };
  });
  const { answered, outcome, answer, ms } = pushed;
  if (isOverWithoutEnd(answered, client)) await endPush(deps.sql, lease, begun);
  if (answered.kind === 'token_expired') {
    await deps.tokens.forget(attempt.credential, request.version);
  }
  return { outcome, answer, ms, settlesUntil: begun.settlesUntil };
}

const LEASE_LOST = {
  kind: 'retry',
  reason: 'nothing was sent: the lease ran out',
  waits: 'our_side',
} as const;

/** A push that was begun. `beganAt`: when its statement was sent, by `performance.now()`. */
type BegunAt = BegunPush & { readonly beganAt: number };

/** Pause while another call's push is in progress. That push ends, or it is no longer renewed and lapses. */
const HELD_PAUSE_MS = 200;

/**
 * Waits until no other call pushes to the app, then begins the push; undefined if it is no longer this call's. Throws
 * if this process was frozen after `since`.
 */
async function beginPushWhenFree(
  deps: Pick<MenuActivityDeps, 'sql' | 'freezes'>,
  push: PushBeginning,
  { since, signal }: Pick<PushCall, 'since' | 'signal'>,
): Promise<BegunAt | undefined> {
  for (let { beginsStep } = push; ; beginsStep = false) {
    requireNotFrozen(deps, since);
    const beganAt = performance.now();
    const begun = await beginPush(deps.sql, { ...push, beginsStep });
    if (!begun?.isHeldElsewhere) return begun && { ...begun, beganAt };
    await wait(HELD_PAUSE_MS, signal);
  }
}

/** Temporal gives the push of a frozen process to another one. Throws, so that this call runs again. */
export function requireNotFrozen(
  { freezes }: Pick<MenuActivityDeps, 'freezes'>,
  since: number,
): void {
  if (freezes.wasFrozen(since))
    throw new Error('this process was frozen; its push may be under way elsewhere');
}

async function pushRequest(
  { tokens, documents }: MenuActivityDeps,
  attempt: Attempt,
  keptToken: AppTokenRow | undefined,
): Promise<(PushRequest & { version: number }) | PushEnd> {
  const { target, client, credential } = attempt;
  const access = await tokens.get(client, credential, attempt.uploadId, keptToken);
  if (access.kind === 'elsewhere') return { kind: 'token_elsewhere' };
  if (access.kind === 'refused') return { kind: 'token_refused' };
  if (access.kind === 'retry') return { ...access, waits: 'token' };
  if (target.payloadSha256 === null) throw new Error(`upload ${attempt.uploadId} has no payload`);
  // The next round prepares the menu for today's app.
  if (target.isPayloadOfOtherApp) {
    throw new Error(`upload ${attempt.uploadId} was prepared for another app`);
  }
  return {
    token: access.token,
    version: access.version,
    appStoreId: target.appStoreId,
    payload: await documents.read(target.payloadSha256),
  };
}

/** The menu with what is off sale now; no call can change that before it is sent. */
async function withUnavailable<T extends PushRequest>(
  { sql, menus }: MenuActivityDeps,
  { uploadId, target, app }: Attempt,
  request: T,
): Promise<T | Unwritten> {
  if (!app.availability.writeUnavailable) return request;
  const items = await takeUnavailable(sql, target, uploadId);
  if (items.length === 0) return request;
  try {
    const payload = await menus
      .by(target.userId)
      .takeOffSale(request.payload, { app: app.name, items });
    return payload ? { ...request, payload } : { kind: 'not_prepared' };
  } catch (error) {
    if (error instanceof ThreadsBusyError) return { kind: 'threads_busy' };
    throw error;
  }
}

/**
 * Whether the push is ended here: it was answered or not sent, and either the upload does not end now (which would free
 * it too) or an earlier push may still take effect. Without an answer, an asynchronous app may still carry the push
 * out, so nothing newer may be sent.
 */
function isOverWithoutEnd({ kind }: PushOutcome | Unwritten, client: DeliveryAppClient): boolean {
  if (kind === 'unknown') return false;
  if (kind === 'threads_busy' || kind === 'not_prepared') return true;
  if (kind === 'accepted') return false; // its task is recorded next, and the end of the push with it
  return client.pollTask !== undefined || kind === 'retry' || kind === 'token_expired';
}

/** Asks the app which menu it shows, because a missing answer may hide a success, and a success may be false. */
async function verify(
  { client }: Attempt,
  request: PushRequest,
  outcome: PushOutcome,
): Promise<PushOutcome> {
  if (!client.readBack || (outcome.kind !== 'unknown' && outcome.kind !== 'live')) return outcome;
  const shown = await client.readBack(request);
  switch (shown.kind) {
    case 'same':
      return outcome.kind === 'live' ? outcome : { kind: 'live' };
    case 'different':
      return { kind: 'unknown', reason: 'the delivery system still shows another menu' };
    case 'retry':
    case 'token_expired':
    case 'unknown':
      // The app accepted the menu but says no more: a success stays one, and so does an unknown.
      return outcome;
  }
}

function notPushed(outcome: PushEnd): Pushed {
  return { outcome, answer: null, ms: 0, settlesUntil: null };
}
