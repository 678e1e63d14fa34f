import { HANDED_OUT_MS } from '../src/platform/observe/freeze-watch';
import { putBackForToken } from '../src/uploads/push-queue';
import { activityInfo, cancellationSignal } from '@temporalio/activity';
import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { findPushElsewhere } from '../src/uploads/sql/pushes';
import { isFinal } from '../src/uploads/upload';
import {
  adoptLivePayload,
  type AttemptKey,
  recordQuickTry,
  recordTask,
} from '../src/uploads/sql/upload-attempts';
import { type PushReport, SLOW_PUSH } from '../src/uploads/upload-report';
import { quickPauseMs } from '../src/uploads/upload-retries';
import type { MenuActivityDeps } from './activity-deps';
import { type Attempt, deadlineOf, withLoadedAttempt } from './upload-attempt';
import { type PushCall, type Pushed, type PushEnd, pushOnce, requireNotFrozen } from './push-once';
import { wait } from './wait';
import { describeAnswer, failedTryOf, verdictOf } from './app-verdict';
import { type StepEnd, uploadStep } from './upload-step';
import { withHeartbeat } from './with-heartbeat';

type PushNext = 'accepted' | 'waits';

/** Pause between two looks at a push of another process. */
const ELSEWHERE_MS = 500;

/** The integration in the id of the workflow, `menu/<store>/<integration>`: nothing is loaded yet. */
function integrationOfWorkflow(): string {
  return activityInfo().workflowExecution?.workflowId.split('/').at(-1) ?? '';
}

export function createUploadPushActivities(deps: MenuActivityDeps) {
  const { sql, pushPlaces, pushes, pushQueue, settings } = deps;
  return {
    /**
     * Sends the payload. If a push gets no readable answer, asks the app or sends the same bytes again. `uploadStep`
     * writes what is returned: a verdict ends the upload (`recordUploadEnd`), a retry sets `next_attempt_at`, or ends
     * the upload when it is too old.
     *
     * Waits for the push that `pushPromptly` left, also in another process. If that process is dead, or pauses between
     * two tries, it takes the push over.
     */
    async pushMenu(key: AttemptKey): Promise<PushReport> {
      const begin = (signal: AbortSignal) => pushAttempt(key, signal);
      return withHeartbeat(async () => {
        const elsewhere = pushes.has(key) ? undefined : await reportFromElsewhere(key);
        cancellationSignal().throwIfAborted();
        return elsewhere ?? pushes.report(key, begin, cancellationSignal());
      });
    },

    /**
     * The same as a local activity, because a normal one costs Temporal as much as all the rest of an upload, and most
     * apps answer within a moment. A push that takes longer is `slow`: it goes on, and `pushMenu` waits for it.
     */
    async pushPromptly(key: AttemptKey): Promise<PushReport | typeof SLOW_PUSH> {
      const begin = (signal: AbortSignal) => pushAttempt(key, signal);
      const report = await pushes.reportPromptly(key, begin, integrationOfWorkflow());
      return report ?? SLOW_PUSH;
    },
  };

  /** Waits while another process pushes; undefined if the push is to be made here. */
  async function reportFromElsewhere(key: AttemptKey): Promise<PushReport | undefined> {
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

  async function pushAttempt(key: AttemptKey, signal: AbortSignal): Promise<PushReport> {
    const since = performance.now() - HANDED_OUT_MS;
    // If this process was frozen in the last seconds, Temporal may have given the task to another one as well. Checked
    // first: of several calls, the last to begin the push gets it, and that must not be one that was frozen.
    requireNotFrozen(deps, since);
    return withLoadedAttempt<PushNext | 'later'>(deps, key, async (attempt) => {
      // It was pushed, and the report of that call was lost. The next claim finds what follows.
      if (!attempt.target.isOpen) return { next: 'stale' };
      return withPlace(attempt, () => {
        // With a stored token that need not be renewed, the step begins in the statement that begins the push.
        const beginsStep = attempt.keptToken?.due === false;
        const options = { recordsStart: !beginsStep };
        return uploadStep(deps, attempt, 'push', options, async (startedAt) => {
          if (attempt.target.skipUnchanged && isUnchanged(attempt)) {
            const isCurrent = await adoptLivePayload(sql, attempt);
            return isCurrent ? { verdict: { kind: 'unchanged' } } : { next: 'stale' };
          }
          const call = { startedAt, since, signal, callId: randomUUID() };
          return pushPatiently(attempt, call, beginsStep);
        });
      });
    });
  }

  /**
   * Runs the push in one of the integration's places in this worker; if none is free, the upload waits in its row.
   */
  async function withPlace(attempt: Attempt, push: () => Promise<PushReport>): Promise<PushReport> {
    const { integrationId, maxInFlight } = attempt.target;
    const place = `push/${integrationId}` as const;
    const leave = pushPlaces.enter(integrationId, maxInFlight);
    if (!leave) {
      await pushQueue.putBack(
        attempt,
        place,
        () => pushPlaces.free(integrationId, maxInFlight) > 0,
      );
      return { next: 'waits', summary: `${maxInFlight} pushes to the app are under way` };
    }
    try {
      return await push();
    } finally {
      leave();
      // One for the free place, and one in case an earlier resume was lost.
      pushQueue.resumeWaiting(place, Math.min(2, pushPlaces.free(integrationId, maxInFlight)));
    }
  }

  /**
   * Pushes until the outcome is final or requires a longer wait than a round allows. A refused token is renewed once.
   */
  async function pushPatiently(
    attempt: Attempt,
    call: PushCall,
    beginsStep: boolean,
  ): Promise<StepEnd<PushNext>> {
    let pushed = await pushOnce(deps, attempt, call, { beginsStep, keptToken: attempt.keptToken });
    let isRenewed = false;
    for (let tries = 0; ;) {
      const { outcome } = pushed;
      if (outcome.kind === 'token_expired' && !isRenewed) {
        // `pushOnce` has forgotten the refused token, so the next call fetches another.
        isRenewed = true;
      } else {
        const pauseMs = quickPauseMs(outcome, tries, settings);
        const failed = failedTryOf(outcome);
        if (pauseMs === null || failed === null) {
          return stepEndOf(attempt, call, { ...pushed, outcome: withoutPatience(outcome) });
        }
        // It may be canceled from here until the next push begins.
        if (!(await recordQuickTry(sql, attempt, failed, pauseMs))) return { next: 'stale' };
        await wait(pauseMs, call.signal);
        tries += 1;
      }
      pushed = await pushOnce(deps, attempt, call);
    }
  }

  async function stepEndOf(
    attempt: Attempt,
    { callId }: PushCall,
    { outcome, answer, ms, settlesUntil }: Pushed,
  ): Promise<StepEnd<PushNext>> {
    const answered = { answer, summary: describeAnswer(outcome.kind, answer, ms) };
    switch (outcome.kind) {
      case 'stale':
        return { next: 'stale' };
      case 'token_refused':
        return { verdict: { kind: 'token_refused' }, callId };
      case 'not_prepared':
        return { verdict: { kind: 'not_prepared' }, callId };
      case 'threads_busy':
        return {
          retry: {
            reason: 'the service is busy with other large menus',
            waits: 'permit',
            afterMs: null,
          },
        };
      case 'token_elsewhere':
        await putBackForToken(deps, attempt, attempt.credential);
        return { next: 'waits', state: 'running', summary: 'another upload fetches the token' };
      case 'accepted': {
        const deadlineMs = deadlineOf(attempt, deps);
        const firstQuestionMs = attempt.app.approvedByPeople ? settings.approvalFirstMs : null;
        const task = {
          taskId: outcome.taskId,
          firstQuestionMs,
          deadlineMs,
          callId,
          settlesUntil,
        };
        return {
          next: 'accepted',
          state: 'done',
          write: (steps) => recordTask(sql, attempt, task, steps),
          ...answered,
        };
      }
      case 'token_expired':
        return { verdict: { kind: 'token_not_accepted' }, callId, ...answered };
      case 'unknown':
        return {
          retry: { reason: outcome.reason, waits: 'app_unavailable', afterMs: null },
          ...answered,
        };
      case 'retry': {
        const { reason, waits = 'app_unavailable', afterMs = null } = outcome;
        return { retry: { reason, waits, afterMs }, ...answered };
      }
      case 'live':
      case 'partly_live':
      case 'rejected':
        return { verdict: verdictOf(outcome), callId, ...answered };
    }
  }
}

/**
 * `atMost`: an app (C, D) refused the menu for a reason that may soon pass. After so many repeats it counts as a
 * refusal, and at once if the app asks for a longer pause than a quick try may have. Any other `retry` gets later
 * rounds.
 */
function withoutPatience(outcome: PushEnd): PushEnd {
  if (outcome.kind !== 'retry' || outcome.atMost === undefined) return outcome;
  return { kind: 'rejected', reasons: [outcome.reason] };
}

function isUnchanged({ target }: Attempt): boolean {
  return target.liveDocumentSha256 === target.documentSha256;
}
