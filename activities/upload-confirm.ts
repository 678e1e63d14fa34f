import { findAppTask, forgetAppTask } from '../src/db/app-tasks';
import { markTaskAsked } from '../src/db/publications';
import type { HeardAnswer } from '../src/delivery-apps/heard-answer';
import type { PollOutcome } from '../src/delivery-apps/types';
import { untilApprovalQuestion } from '../src/domain/upload';
import { conclude, verdictOf } from './upload-conclusion';
import {
  deadlineOf,
  type MenuActivityDeps,
  type StepEnd,
  type UploadContext,
  type UploadRef,
  withStep,
  withUpload,
} from './upload-context';
import { withHeartbeat } from './with-heartbeat';

/** `running`: the app is asked again later, after a pause of the workflow's own or one of `pauseMs`. */
export type ConfirmResult =
  | 'decided'
  | 'running'
  | 'stale'
  | { readonly kind: 'running'; readonly pauseMs: number };

/** What the app said, and in which words where it was asked. */
interface Answered {
  readonly outcome: PollOutcome;
  readonly answer: HeardAnswer | null;
}

type Settled = Extract<ConfirmResult, string>;

export function createUploadConfirmActivities(deps: MenuActivityDeps) {
  const { sql, tokens, settings } = deps;
  return {
    /**
     * Asks what became of an asynchronous task. Where people decide about it, the app is asked in their time: a call
     * before that only looks whether the app has called back.
     */
    async confirmTask(ref: UploadRef): Promise<ConfirmResult> {
      let pauseMs: number | undefined;
      const result = await withUpload<Settled>(deps, ref, async (upload) => {
        const called = await calledBack(upload);
        const { target, app } = upload;
        const early = app.approvedByPeople && !called ? untilApprovalQuestion(target, settings) : 0;
        if (early > 0) {
          pauseMs = early;
          return 'running';
        }
        return withStep(deps, ref, 'confirm', () =>
          withHeartbeat(async () => {
            if (!app.approvedByPeople) {
              const { outcome, answer } = called ? unheard(called) : await askAfterTask(upload);
              return { ...(await settleTask(upload, outcome)), answer };
            }
            const { outcome, answer, isContradicted } = await askPeople(upload, called);
            pauseMs = await nextQuestion(upload, outcome, isContradicted);
            return { ...(await settleTask(upload, outcome)), answer };
          }),
        );
      });
      return result === 'running' && pauseMs !== undefined ? { kind: 'running', pauseMs } : result;
    },
  };

  /**
   * What people decided. A webhook of such an app names no menu, and may be a late one about another: a word of the app
   * about its last menu goes before it, and without a word it counts.
   */
  async function askPeople(
    upload: UploadContext,
    called: PollOutcome | undefined,
  ): Promise<Answered & { isContradicted: boolean }> {
    const asked = await askAfterTask(upload);
    const { integrationId, taskId } = upload.target;
    if (!called || taskId === null) return { ...asked, isContradicted: false };
    const { outcome } = asked;
    const isContradicted = outcome.kind === 'running' && outcome.status === 'waiting';
    if (isContradicted) await forgetAppTask(sql, integrationId, taskId);
    const isDecided = outcome.kind === 'live' || outcome.kind === 'rejected';
    return { ...asked, outcome: isContradicted || isDecided ? outcome : called, isContradicted };
  }

  /** The pause after a question to an app whose people decide. One without a clear answer is soon repeated. */
  async function nextQuestion(
    { uploadId, attemptNo, target }: UploadContext,
    outcome: PollOutcome,
    isContradicted: boolean,
  ): Promise<number> {
    const isAnswered = outcome.kind === 'running' && !isContradicted;
    if (isAnswered) await markTaskAsked(sql, uploadId, attemptNo);
    const { approvalEveryMs, approvalFirstMs, approvalDeadlineMs } = settings;
    const planned = isAnswered ? approvalEveryMs : approvalFirstMs;
    return Math.max(1, Math.min(planned, approvalDeadlineMs - target.pushAgeMs));
  }

  async function settleTask(
    upload: UploadContext,
    outcome: PollOutcome,
  ): Promise<StepEnd<Settled>> {
    switch (outcome.kind) {
      case 'live':
      case 'partly_live':
      case 'rejected':
        return conclude(deps, upload, verdictOf(outcome));
      case 'running':
      case 'accepted':
      case 'retry':
      case 'token_expired':
      case 'unknown':
        if (upload.target.pushAgeMs < deadlineOf(upload, deps)) {
          return { result: 'running', state: 'running' };
        }
        return conclude(deps, upload, {
          kind: 'gave_up',
          reasons: [
            upload.app.approvedByPeople
              ? 'The delivery system did not approve the menu in time.'
              : 'The delivery system did not finish its task in time.',
          ],
        });
    }
  }

  /** What the app called back with counts like an answer to a poll; it may even be all that we ever hear. */
  async function calledBack({ target }: UploadContext): Promise<PollOutcome | undefined> {
    if (target.taskId === null) return undefined;
    return findAppTask(sql, target.integrationId, target.taskId);
  }

  async function askAfterTask(upload: UploadContext): Promise<Answered> {
    const { target, client, credential } = upload;
    const taskId = target.taskId;
    if (taskId === null || !client.pollTask) return unheard({ kind: 'unknown', reason: 'no task' });
    const access = await tokens.get(client, credential, upload.uploadId);
    if (access.kind === 'elsewhere') return unheard({ kind: 'unknown', reason: 'no token yet' });
    if (access.kind !== 'token') return unheard({ kind: 'unknown', reason: access.reason });
    const outcome = await client.pollTask({
      token: access.token,
      deliveryId: target.deliveryId,
      taskId,
    });
    const answer = upload.listening.lastAnswer([access.token, credential.clientSecret]);
    if (outcome.kind === 'token_expired') await tokens.forget(credential, access.version);
    return { outcome, answer };
  }
}

function unheard(outcome: PollOutcome) {
  return { outcome, answer: null };
}
