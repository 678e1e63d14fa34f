import { activityInfo, cancellationSignal } from '@temporalio/activity';
import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { HANDED_OUT_MS } from '../src/platform/observe/freeze-watch';
import { putBackForToken } from '../src/uploads/push-queue';
import { findPushElsewhere } from '../src/uploads/sql/pushes';
import {
  adoptLivePayload,
  type AttemptKey,
  recordQuickTry,
} from '../src/uploads/sql/upload-attempts';
import { isFinal } from '../src/uploads/upload';
import { type PushNext, SLOW_PUSH, type StepReport } from '../src/uploads/upload-report';
import { quickPauseMs } from '../src/uploads/upload-retries';
import type { MenuActivityDeps } from './activity-deps';
import { failedTryOf } from './app-verdict';
import { freesApp, type PushAnswer, pushEndOf, readBack, unsent } from './push-answer';
import { markOffSale } from '../src/availability/sql/menu-marks';
import { requestOf, withUnavailable } from './push-request';
import { changeItems, startsWithPush } from './upload-items';
import { type PushCall, takePushLease } from './app-lease';
import { type Attempt, loadAttempt } from './load-attempt';
import { type StepEnd, uploadStep } from './upload-step';
import { wait } from './wait';
import { withHeartbeat } from './with-heartbeat';

/*
 * The push of one upload, from top to bottom: `pushUpload` loads it and takes a permit, `pushPatiently` tries until the
 * answer is clear, `tryOnce` sends the menu under the app's lease. A change of single items first tries the app's calls
 * about them, under the same lease (`changeItems`).
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

/** Pause between two looks at a push of another process. */
const ELSEWHERE_MS = 500;

/** The integration in the id of the workflow, `menu/<store>/<integration>`: nothing is loaded yet. */
function integrationOfWorkflow(): string {
  return activityInfo().workflowExecution?.workflowId.split('/').at(-1) ?? '';
}

/** The two calls of the workflow for one push, which belongs to the process and not to a call. */
export function createUploadPushActivities(deps: MenuActivityDeps) {
  const { sql, pushes } = deps;
  const pushOf = (key: AttemptKey) => (signal: AbortSignal) => pushUpload(deps, key, signal);
  return {
    /**
     * Pushes as a local activity, because a normal one costs Temporal as much as all the rest of an upload, and most apps
     * answer within a moment. A push that takes longer is `slow`: it goes on, and `pushMenu` waits for it.
     */
    async pushPromptly(key: AttemptKey): Promise<StepReport<PushNext> | typeof SLOW_PUSH> {
      const report = await pushes.reportPromptly(key, pushOf(key), integrationOfWorkflow());
      return report ?? SLOW_PUSH;
    },

    /**
     * Waits for the push that `pushPromptly` left, also in another process. If that process is dead, or pauses between
     * two tries, it takes the push over.
     */
    async pushMenu(key: AttemptKey): Promise<StepReport<PushNext>> {
      return withHeartbeat(async () => {
        const elsewhere = pushes.has(key) ? undefined : await reportFromElsewhere(key);
        cancellationSignal().throwIfAborted();
        return elsewhere ?? pushes.report(key, pushOf(key), cancellationSignal());
      });
    },
  };

  /** Waits while another process pushes, without a permit; undefined if the push is to be made here. */
  async function reportFromElsewhere(key: AttemptKey): Promise<StepReport<PushNext> | undefined> {
    for (;;) {
      const push = await findPushElsewhere(sql, key);
      if (push && isFinal(push.state)) {
        return { next: 'ended', state: push.state, summary: 'ended by another call', rests: false };
      }
      // What was planned or accepted there is what the next claim finds.
      if (!push?.isOpen) return { next: 'stale' };
      if (!push.isHeld) return undefined;
      await wait(ELSEWHERE_MS);
    }
  }
}

/**
 * Pushes an upload until the app's answer is clear, or needs a longer wait than a round allows, and records what it
 * means. Throws only what a retry may fix. `signal` ends its pauses.
 */
async function pushUpload(
  deps: MenuActivityDeps,
  key: AttemptKey,
  signal: AbortSignal,
): Promise<StepReport<PushNext>> {
  const call = { callId: randomUUID(), since: performance.now() - HANDED_OUT_MS, signal };
  const attempt = await loadAttempt(deps, key);
  if ('next' in attempt) return attempt;
  // The next claim finds what follows.
  if (!attempt.target.isOpen) return { next: 'stale' };

  const permit = await deps.pushPermits.takeOrWait(attempt.target);
  if (!permit) {
    const summary = `${attempt.target.maxInFlight} pushes to the app are under way`;
    return { next: 'waits', summary };
  }
  try {
    const report = await changeItems(deps, attempt, call);
    if (report.next !== 'push') return report;
    return await pushMenu(deps, report.attempt, call);
  } finally {
    permit.release();
  }
}

function pushMenu(
  deps: MenuActivityDeps,
  attempt: Attempt,
  call: PushCall,
): Promise<StepReport<PushNext>> {
  const options = { recordsStart: !startsWithPush(attempt) };
  return uploadStep<PushNext>(deps, attempt, 'push', options, async (startedAt) => {
    const { skipUnchanged, liveDocumentSha256, documentSha256 } = attempt.target;
    if (skipUnchanged && liveDocumentSha256 === documentSha256) return adoptLive(deps, attempt);
    const { refusal, livePayloadSha256 } = attempt.target;
    if (refusal !== null && livePayloadSha256 === null) {
      // The integration has got another app, in which nothing was live.
      return { verdict: { kind: 'refused_before', messages: refusal } };
    }
    return pushPatiently(deps, attempt, call, startedAt);
  });
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
    if (lease.marksOffSale) await markOffSale(deps.sql, attempt.target, attempt.uploadId);
    const hasUnavailable = lease.hasUnavailable || lease.marksOffSale || attempt.target.setsSeasons;
    const menu = hasUnavailable ? await withUnavailable(deps, attempt, request) : request;
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
