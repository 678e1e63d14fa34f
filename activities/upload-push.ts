import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import type { PushRequest } from '../src/delivery-apps/app-client';
import { HANDED_OUT_MS } from '../src/platform/observe/freeze-watch';
import { putBackForToken } from '../src/uploads/push-queue';
import {
  adoptLivePayload,
  type AttemptKey,
  recordQuickTry,
} from '../src/uploads/sql/upload-attempts';
import type { PushNext, StepReport } from '../src/uploads/upload-report';
import { quickPauseMs } from '../src/uploads/upload-retries';
import type { MenuActivityDeps } from './activity-deps';
import { failedTryOf } from './app-verdict';
import { withUnavailable } from './off-sale';
import { freesApp, type PushAnswer, pushEndOf, readBack, unsent } from './push-answer';
import { type PushCall, takePushLease } from './app-lease';
import { type Attempt, loadAttempt } from './upload-attempt';
import { type StepEnd, uploadStep } from './upload-step';
import { wait } from './wait';

/*
 * The push of one upload, from top to bottom: `pushUpload` loads it and takes a permit, `pushPatiently` tries until the
 * answer is clear, `tryOnce` sends the menu under the app's lease.
 *
 * What keeps a menu from being pushed twice at once, or over a newer one:
 *
 *   one push in a process   `PushesUnderWay`: the call that comes for a slow push waits for the one that is under way.
 *   the attempt             `isCurrentAttempt`: its worker was given up, or a newer menu was claimed. A claim raises the
 *                           number or ends the upload; whoever is late begins nothing and records nothing.
 *   its result              `hasNoResult`: the push was answered, and its report was lost on the way to Temporal.
 *   the lease of the app    `beginPush`: another process is pushing, even an older attempt or menu, or is telling the app
 *                           what is off sale. A dead one's lapses.
 *   the last look           `maySend`: this process was frozen, or the lease ran out unrenewed, before the first byte.
 *   the slot                `slot_settles_until`: an app with tasks may still carry out a push without an answer, so
 *                           nothing newer is claimed until it has settled.
 */

/**
 * Pushes an upload until the app's answer is clear, or needs a longer wait than a round allows, and records what it
 * means. Throws only what a retry may fix. `signal` ends its pauses.
 */
export async function pushUpload(
  deps: MenuActivityDeps,
  key: AttemptKey,
  signal: AbortSignal,
): Promise<StepReport<PushNext>> {
  const { pushPlaces, pushQueue } = deps;
  const call = { callId: randomUUID(), since: performance.now() - HANDED_OUT_MS, signal };
  const attempt = await loadAttempt(deps, key);
  if ('next' in attempt) return attempt;
  // The next claim finds what follows.
  if (!attempt.target.isOpen) return { next: 'stale' };

  const { integrationId, maxInFlight } = attempt.target;
  const permit = `push/${integrationId}` as const;
  const free = (): number => pushPlaces.free(integrationId, maxInFlight);
  const release = pushPlaces.enter(integrationId, maxInFlight);
  if (!release) {
    await pushQueue.putBack(attempt, permit, () => free() > 0);
    return { next: 'waits', summary: `${maxInFlight} pushes to the app are under way` };
  }
  try {
    const isUnchanged = attempt.target.liveDocumentSha256 === attempt.target.documentSha256;
    const options = { recordsStart: !startsWithPush(attempt) };
    return await uploadStep<PushNext>(deps, attempt, 'push', options, (startedAt) =>
      attempt.target.skipUnchanged && isUnchanged
        ? adoptLive(deps, attempt)
        : pushPatiently(deps, attempt, call, startedAt),
    );
  } finally {
    release();
    // One for the free permit, and one in case an earlier resume was lost.
    pushQueue.resumeWaiting(permit, Math.min(2, free()));
  }
}

/** With a stored token that need not be renewed, the step begins in the statement that begins the push. */
function startsWithPush({ keptToken }: Attempt): boolean {
  return keptToken?.due === false;
}

async function adoptLive({ sql }: MenuActivityDeps, attempt: Attempt): Promise<StepEnd<PushNext>> {
  const isCurrent = await adoptLivePayload(sql, attempt);
  return isCurrent ? { verdict: { kind: 'unchanged' } } : { next: 'stale' };
}

/** A refused token is renewed once; other answers that may soon be better are followed by quick tries. */
async function pushPatiently(
  deps: MenuActivityDeps,
  attempt: Attempt,
  call: PushCall,
  startedAt: Date,
): Promise<StepEnd<PushNext>> {
  let tried = await tryOnce(deps, attempt, call, startedAt);
  let isRenewed = false;
  for (let tries = 0; 'outcome' in tried;) {
    const { outcome } = tried;
    if (outcome.kind === 'token_expired' && !isRenewed) {
      isRenewed = true; // the refused one is forgotten, so the next try fetches another
    } else {
      const pauseMs = quickPauseMs(outcome, tries, deps.settings);
      const failed = failedTryOf(outcome);
      if (pauseMs === null || failed === null) return pushEndOf(deps, attempt, call, tried);
      // It may be canceled from here until the next push begins.
      if (!(await recordQuickTry(deps.sql, attempt, failed, pauseMs))) return { next: 'stale' };
      await wait(pauseMs, call.signal);
      tries += 1;
    }
    tried = await tryOnce(deps, attempt, call);
  }
  return tried;
}

/** Sends the menu once. Returns the app's answer, or how the step ends if nothing was sent. `startedAt`: the first try. */
async function tryOnce(
  deps: MenuActivityDeps,
  attempt: Attempt,
  call: PushCall,
  startedAt?: Date,
): Promise<PushAnswer | StepEnd<PushNext>> {
  const { tokens, atCheckpoint } = deps;
  const { client, credential, keptToken, listening, uploadId } = attempt;
  const access = await tokens.get(client, credential, uploadId, startedAt && keptToken);
  if (access.kind === 'elsewhere') {
    await putBackForToken(deps, attempt, credential);
    return { next: 'waits', state: 'running', summary: 'another upload fetches the token' };
  }
  if (access.kind === 'refused') return { verdict: { kind: 'token_refused' }, callId: call.callId };
  if (access.kind === 'retry') return unsent({ ...access, waits: 'token' });
  const request = await requestOf(deps, attempt, access.token);
  await atCheckpoint('worker:before-push');

  const stepStartsAt = startedAt && startsWithPush(attempt) ? startedAt : null;
  const lease = await takePushLease(deps, attempt, call, stepStartsAt);
  if (!lease) return { next: 'stale' };
  let isSent = false;
  try {
    const menu = lease.hasUnavailable ? await withUnavailable(deps, attempt, request) : request;
    if (!('payload' in menu)) {
      // Otherwise another process may be pushing by now, and this one decides nothing.
      const mayDecide = lease.maySend();
      await lease.free();
      return mayDecide ? menu : unsent(LEASE_LOST);
    }
    isSent = true;
    const sentAt = performance.now();
    const answered = await listening.sendOnlyIf(lease.maySend, () => client.pushMenu(menu));
    const ms = performance.now() - sentAt;
    const answer = listening.lastAnswer([access.token, credential.clientSecret]);
    await atCheckpoint('worker:after-push');

    // Read back under the lease: a call about items would still find the previous menu recorded as live.
    const outcome = await readBack(attempt, menu, answered);
    if (freesApp(answered, client)) await lease.free();
    if (answered.kind === 'token_expired') await tokens.forget(credential, access.version);
    return { outcome, answer, ms, settlesUntil: lease.settlesUntil };
  } catch (error) {
    if (!isSent) await lease.free();
    throw error;
  } finally {
    lease.stop();
  }
}

const LEASE_LOST = {
  kind: 'retry',
  reason: 'nothing was sent: the lease ran out',
  waits: 'our_side',
} as const;

async function requestOf(
  { documents }: MenuActivityDeps,
  { uploadId, target }: Attempt,
  token: string,
): Promise<PushRequest> {
  if (target.payloadSha256 === null) throw new Error(`upload ${uploadId} has no payload`);
  // The next round prepares the menu for today's app.
  if (target.isPayloadOfOtherApp)
    throw new Error(`upload ${uploadId} was prepared for another app`);
  const payload = await documents.read(target.payloadSha256);
  return { token, appStoreId: target.appStoreId, payload };
}
