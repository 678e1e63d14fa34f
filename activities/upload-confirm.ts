import { findAppTask } from '../src/db/app-tasks';
import type { HeardAnswer } from '../src/delivery-apps/heard-answer';
import type { PollOutcome } from '../src/delivery-apps/types';
import { conclude, verdictOf } from './upload-conclusion';
import {
  type MenuActivityDeps,
  type StepEnd,
  type UploadContext,
  type UploadRef,
  withStep,
  withUpload,
} from './upload-context';
import { withHeartbeat } from './with-heartbeat';

export type ConfirmResult = 'decided' | 'running' | 'stale';

export function createUploadConfirmActivities(deps: MenuActivityDeps) {
  const { sql, tokens } = deps;
  return {
    /** Asks what became of an asynchronous task; `running` = ask again later. */
    async confirmTask(ref: UploadRef): Promise<ConfirmResult> {
      return withUpload<ConfirmResult>(deps, ref, (upload) =>
        withStep(deps, ref, 'confirm', () =>
          withHeartbeat(async () => {
            const { outcome, answer } = await askAfterTask(upload);
            return { ...(await settleTask(upload, outcome)), answer };
          }),
        ),
      );
    },
  };

  async function settleTask(
    upload: UploadContext,
    outcome: PollOutcome,
  ): Promise<StepEnd<ConfirmResult>> {
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
        if (upload.target.pushAgeMs < deps.settings.taskDeadlineMs) {
          return { result: 'running', state: 'running' };
        }
        return conclude(deps, upload, {
          kind: 'gave_up',
          reasons: ['The delivery system did not finish its task in time.'],
        });
    }
  }

  /** What the app called back with counts like an answer to a poll; it may even be all that we ever hear. */
  async function askAfterTask(
    upload: UploadContext,
  ): Promise<{ outcome: PollOutcome; answer: HeardAnswer | null }> {
    const { target, client, credential } = upload;
    const taskId = target.taskId;
    if (taskId === null || !client.pollTask) return unheard({ kind: 'unknown', reason: 'no task' });
    const called = await findAppTask(sql, target.integrationId, taskId);
    if (called) return unheard(called);
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
