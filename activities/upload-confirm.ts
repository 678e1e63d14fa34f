import { findAppTask, forgetAppTask } from '../src/uploads/sql/app-tasks';
import type { UploadTarget } from '../src/uploads/sql/upload-target';
import { findItemsByWireId } from '../src/uploads/sql/refused-items';
import { type AttemptKey, extendLease, recordQuestion } from '../src/uploads/sql/upload-attempts';
import type { AppTokenRow } from '../src/delivery-apps/sql/app-tokens';
import { credentialFor } from '../src/delivery-apps/tokens/app-access';
import type { PollOutcome } from '../src/delivery-apps/app-client';
import { untilApprovalQuestion, untilNextQuestionMs } from '../src/uploads/upload-retries';
import type { StepReport } from '../src/uploads/upload-report';
import type { MenuActivityDeps } from './activity-deps';
import { type Attempt, deadlineOf, loadAttempt } from './load-attempt';
import { type AppAnswer, describeAnswer, failedTryOf, verdictOf, wireIdsOf } from './app-verdict';
import { type StepEnd, uploadStep } from './upload-step';
import { wait } from './wait';
import { withHeartbeat } from './with-heartbeat';

/**
 * The task has not ended. The next question comes after `pauseMs` if people decide, else after the workflow's own
 * pause.
 */
interface StillRunning {
  readonly next: 'running';
  readonly summary?: string;
  readonly pauseMs?: number;
}

/** The workflow pauses for a minute at most between two questions, and has the lease for this time. */
const PROMISE_MS = 120_000;

export function createUploadConfirmActivities(deps: MenuActivityDeps) {
  const { sql, tokens, settings } = deps;
  return {
    /**
     * Asks the app for the outcome of an asynchronous task. If people decide about the task, the app is asked at longer
     * intervals; a call in between only looks for a callback. If the integration has another app by now, or its store is
     * connected to another store of the app, the upload ends: by the callback about it, or as given up.
     */
    async confirmTask(key: AttemptKey): Promise<StepReport<'later'> | StillRunning> {
      return withHeartbeat(() => confirm(key));
    },
  };

  async function confirm(key: AttemptKey): Promise<StepReport<'later'> | StillRunning> {
    const attempt = await loadAttempt(deps, key);
    if ('next' in attempt) return attempt;
    const callback = await findCallback(attempt);
    const { target, app } = attempt;
    const mayBeEarly = app.approvedByPeople && !callback && !isElsewhere(target);
    const earlyMs = mayBeEarly ? untilApprovalQuestion(target, settings) : 0;
    if (earlyMs > 0) return { next: 'running', pauseMs: earlyMs };
    let pauseMs: number | undefined;
    const report = await uploadStep<'running'>(deps, attempt, 'confirm', {}, async () => {
      if (!app.approvedByPeople) {
        const answered = callback ? withoutAnswer(callback) : await ask(attempt);
        return settleTask(attempt, answered);
      }
      const { isContradicted, ...answered } = await askApproval(attempt, callback);
      const isAnswered = answered.outcome.kind === 'running' && !isContradicted;
      pauseMs = untilNextQuestionMs(isAnswered, target.pushAgeMs, settings);
      const failed = failedTryOf(answered.outcome);
      if (isAnswered || failed) await recordQuestion(sql, attempt, pauseMs, failed);
      return settleTask(attempt, answered);
    });
    if (report.next !== 'running') return report;
    return pauseMs === undefined ? report : { ...report, pauseMs };
  }

  /**
   * Asks what people decided. The callback of such an app names no menu, and may be a late one about another menu. So
   * the app's own answer about this menu takes precedence; without one, the callback counts.
   */
  async function askApproval(
    attempt: Attempt,
    callback: PollOutcome | undefined,
  ): Promise<AppAnswer<PollOutcome> & { isContradicted: boolean }> {
    const asked = await ask(attempt);
    const { integrationId, taskId } = attempt.target;
    if (!callback || taskId === null) return { ...asked, isContradicted: false };
    const { outcome } = asked;
    const isContradicted = outcome.kind === 'running' && outcome.status === 'waiting';
    if (isContradicted) await forgetAppTask(sql, integrationId, taskId);
    const isDecided = outcome.kind === 'live' || outcome.kind === 'rejected';
    return { ...asked, outcome: isContradicted || isDecided ? outcome : callback, isContradicted };
  }

  async function settleTask(
    attempt: Attempt,
    { outcome, answer, ms }: AppAnswer<PollOutcome>,
  ): Promise<StepEnd<'running'>> {
    const summary = describeAnswer(outcome.kind, answer, ms);
    switch (outcome.kind) {
      case 'partly_live': {
        const wireIds = wireIdsOf(outcome.failed);
        const items = await findItemsByWireId(sql, attempt.uploadId, wireIds);
        return { verdict: verdictOf(outcome, items), answer, summary };
      }
      case 'live':
      case 'rejected':
        return { verdict: verdictOf(outcome), answer, summary };
      case 'running':
      case 'accepted':
      case 'retry':
      case 'token_expired':
      case 'unknown':
        if (!isElsewhere(attempt.target) && !isOverdue(attempt)) {
          const running = { next: 'running', state: 'running', answer, summary } as const;
          // People take hours, so a signal must not make us ask earlier.
          if (attempt.app.approvedByPeople) return running;
          const failed = isOfApp(outcome) ? null : failedTryOf(outcome);
          return { ...running, write: () => extendLease(sql, attempt, PROMISE_MS, failed) };
        }
        return { verdict: { kind: 'gave_up', reasons: [whyGivenUp(attempt)] }, answer };
    }
  }

  /** The app can still be asked, but has had all of its time. */
  function isOverdue(attempt: Attempt): boolean {
    const { target } = attempt;
    return !isElsewhere(target) && target.pushAgeMs >= deadlineOf(attempt, deps);
  }

  /** The app's callback. It counts like the answer to a poll, and may be the only answer that ever comes. */
  async function findCallback({ target }: Attempt): Promise<PollOutcome | undefined> {
    if (target.taskId === null) return undefined;
    return findAppTask(sql, target.integrationId, target.taskId);
  }

  /**
   * Asks about the task. Once it is overdue, no later question follows, so one without the app's own answer (no token
   * yet, a 401, an app that is away for a moment) is repeated like a push.
   */
  async function ask(attempt: Attempt): Promise<AppAnswer<PollOutcome>> {
    let asked = await askOnce(attempt, attempt.keptToken);
    for (const pauseMs of [...settings.quickPausesMs, settings.lastQuickPauseMs]) {
      if (isOfApp(asked.outcome) || !isOverdue(attempt)) return asked;
      await wait(pauseMs);
      asked = await askOnce(attempt);
    }
    return asked;
  }

  async function askOnce(
    attempt: Attempt,
    keptToken?: AppTokenRow,
  ): Promise<AppAnswer<PollOutcome>> {
    const { target, app, client } = attempt;
    const { taskId, firstPushAt: pushedAt } = target;
    // Another app does not know the task, and of another store the app would tell about another menu.
    if (taskId === null || pushedAt === null || !client.pollTask || isElsewhere(target))
      return withoutAnswer({ kind: 'unknown', reason: 'no task' });
    const use = app.ownTokens?.tasks;
    const credential = credentialFor(attempt.credential, use);
    const kept = use ? undefined : keptToken;
    const access = await tokens.get(client, credential, attempt.uploadId, kept);
    if (access.kind === 'elsewhere')
      return withoutAnswer({ kind: 'retry', reason: 'no token yet', waits: 'token' });
    if (access.kind !== 'token')
      return withoutAnswer({ kind: 'retry', reason: access.reason, waits: 'token' });
    const since = performance.now();
    const { token } = access;
    const { appStoreId } = target;
    const { store } = credential;
    const outcome = await client.pollTask({ token, appStoreId, taskId, store, pushedAt });
    const ms = performance.now() - since;
    const answer = attempt.listening.lastAnswer([token, credential.clientSecret]);
    if (outcome.kind === 'token_expired') await tokens.forget(credential, access.version);
    return { outcome, answer, ms };
  }
}

/** The task is in another app, or in another store, than the one that would be asked now. */
function isElsewhere(target: UploadTarget): boolean {
  return target.isPayloadOfOtherApp || target.isOfOtherStore;
}

/** The app has said how its task is. */
function isOfApp({ kind }: PollOutcome): boolean {
  return kind !== 'retry' && kind !== 'token_expired' && kind !== 'unknown';
}

function withoutAnswer(outcome: PollOutcome): AppAnswer<PollOutcome> {
  return { outcome, answer: null, ms: 0 };
}

function whyGivenUp({ app, target }: Attempt): string {
  if (target.isPayloadOfOtherApp)
    return 'The integration got another delivery app before the outcome was known.';
  if (target.isOfOtherStore)
    return 'The store was connected to another store of the delivery app before the outcome was known.';
  return app.approvedByPeople
    ? 'The delivery system did not approve the menu in time.'
    : 'The delivery system did not finish its task in time.';
}
