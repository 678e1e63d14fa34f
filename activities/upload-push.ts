import { HANDED_OUT_MS } from '../src/platform/observe/freeze-watch';
import { awaitToken } from '../src/uploads/push-queue';
import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { adoptLivePayload, type AttemptKey, recordTask } from '../src/uploads/sql/upload-attempts';
import type { StepReport } from '../src/uploads/upload-report';
import type { UploadTiming } from '../src/uploads/upload-retries';
import {
  type Attempt,
  deadlineOf,
  type MenuActivityDeps,
  withLoadedAttempt,
} from './upload-attempt';
import { type PushCall, type Pushed, type PushEnd, pushOnce, requireNotFrozen } from './push-once';
import { pause } from './pause';
import { describeAnswer, verdictOf } from './app-verdict';
import { type StepEnd, uploadStep } from './upload-step';

/**
 * `accepted`: the app works on it as a task. `waits`: the upload waits until other pushes to the integration, or the
 * request for its token, have ended.
 */
type PushNext = 'accepted' | 'waits';

export function createUploadPushActivities(deps: MenuActivityDeps) {
  const { sql, pushPlaces, pushQueue, settings } = deps;
  return {
    /**
     * Sends the payload. If a push gets no readable answer, asks the app or sends the same bytes again. `uploadStep`
     * sends heartbeats meanwhile and writes what is returned: a verdict ends the upload (`recordUploadEnd`), a retry
     * plans its next round.
     */
    async pushMenu(key: AttemptKey): Promise<StepReport<PushNext | 'later'>> {
      const since = performance.now() - HANDED_OUT_MS;
      // Temporal may have given the task of a process that was frozen to another one as well. Checked first, because
      // whoever begins the step last has the push.
      requireNotFrozen(deps, since);
      return withLoadedAttempt<PushNext | 'later'>(deps, key, (attempt) =>
        withPlace(attempt, () => {
          // With a stored token that need not be renewed, the step begins in the statement that begins the push.
          const beginsStep = attempt.keptToken?.due === false;
          const options = { recordsStart: !beginsStep };
          return uploadStep(deps, attempt, 'push', options, async (startedAt) => {
            if (attempt.target.skipUnchanged && isUnchanged(attempt)) {
              const isOurs = await adoptLivePayload(sql, attempt);
              return isOurs ? { verdict: { kind: 'unchanged' } } : { next: 'stale' };
            }
            const call = { startedAt, since, callId: randomUUID() };
            return pushPatiently(attempt, call, beginsStep);
          });
        }),
      );
    },
  };

  /**
   * Runs the push in one of the integration's places in this worker; if none is free, the upload waits in its row.
   */
  async function withPlace(
    attempt: Attempt,
    push: () => Promise<StepReport<PushNext | 'later'>>,
  ): Promise<StepReport<PushNext | 'later'>> {
    const { integrationId, maxInFlight } = attempt.target;
    const place = `push/${integrationId}` as const;
    if (!pushPlaces.take(integrationId, maxInFlight)) {
      await pushQueue.wait(attempt, place, () => pushPlaces.free(integrationId, maxInFlight) > 0);
      return { next: 'waits', summary: `${maxInFlight} pushes to the app are under way` };
    }
    try {
      return await push();
    } finally {
      pushPlaces.giveBack(integrationId);
      // One for the free place, and one in case a call was lost.
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
        isRenewed = true;
      } else {
        const pauseMs = quickPause(outcome, tries, settings);
        if (pauseMs === null) {
          return stepEndOf(attempt, call, { ...pushed, outcome: withoutPatience(outcome) });
        }
        await pause(pauseMs);
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
        return { verdict: { kind: 'token_refused' } };
      case 'token_elsewhere':
        await awaitToken(deps, attempt, attempt.credential);
        return { next: 'waits', state: 'running', summary: 'another upload fetches the token' };
      case 'accepted': {
        const deadlineMs = deadlineOf(attempt, deps);
        const task = { taskId: outcome.taskId, deadlineMs, callId, settlesUntil };
        return {
          next: 'accepted',
          state: 'done',
          write: (steps) => recordTask(sql, attempt, task, steps),
          ...answered,
        };
      }
      case 'token_expired':
        return { verdict: { kind: 'token_not_accepted' }, ...answered };
      case 'unknown':
        return { retry: { reason: outcome.reason, afterMs: null }, ...answered };
      case 'retry': {
        const { reason, afterMs = null } = outcome;
        return { retry: { reason, afterMs }, ...answered };
      }
      case 'live':
      case 'partly_live':
      case 'rejected':
        return { verdict: verdictOf(outcome), ...answered };
    }
  }
}

/** An answer that justifies a limited number of tries becomes a refusal after them. */
function withoutPatience(outcome: PushEnd): PushEnd {
  if (outcome.kind !== 'retry' || outcome.atMost === undefined) return outcome;
  return { kind: 'rejected', reasons: [outcome.reason] };
}

/** The pause before the next quick try, or null if the outcome is final or requires a longer wait. */
function quickPause(outcome: PushEnd, tries: number, timing: UploadTiming): number | null {
  const planned = timing.quickPausesMs[tries] ?? lastPause(outcome, tries, timing);
  if (planned === null) return null;
  if (outcome.kind === 'unknown') return planned;
  if (outcome.kind !== 'retry') return null;
  const pauseMs = Math.max(planned, outcome.afterMs ?? 0);
  return pauseMs <= timing.longestQuickPauseMs ? pauseMs : null;
}

/** An outcome without a later round may be tried more often within this one. */
function lastPause(outcome: PushEnd, tries: number, timing: UploadTiming): number | null {
  const isLeft = outcome.kind === 'retry' && outcome.atMost !== undefined && tries < outcome.atMost;
  return isLeft ? timing.lastQuickPauseMs : null;
}

function isUnchanged({ target }: Attempt): boolean {
  return target.liveDocumentSha256 === target.documentSha256;
}
