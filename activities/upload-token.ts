import { recordRetryReason, recordVerdict } from '../src/db/uploads';
import {
  type MenuActivityDeps,
  type StepEnd,
  type UploadContext,
  type UploadRef,
  withStep,
  withUpload,
} from './upload-context';
import { withHeartbeat } from './with-heartbeat';

/** `absent`: there is none, and the app has to be asked; `turn`: the upload waits for one that another upload fetches. */
export type TokenStepResult = 'ready' | 'absent' | 'decided' | 'later' | 'turn' | 'stale';

const QUIET = { announce: false } as const;

export function createUploadTokenActivities(deps: MenuActivityDeps) {
  const { tokens } = deps;
  return {
    /**
     * Sees to it that a good token is kept for the upload's credential. The token itself stays in Postgres.
     * `keptOnly`: without a call to the app, which may hang for as long as a request may last.
     */
    async fetchToken(ref: UploadRef & { keptOnly?: boolean }): Promise<TokenStepResult> {
      if (ref.keptOnly) {
        await deps.reach('worker:before-token');
        return withUpload<TokenStepResult>(deps, ref, async (upload) =>
          (await tokens.kept(upload.credential))
            ? withStep(deps, ref, 'token', ready, QUIET)
            : 'absent',
        );
      }
      return withUpload<TokenStepResult>(deps, ref, (upload) =>
        withStep(deps, ref, 'token', () => withHeartbeat(() => fetchFor(upload))),
      );
    },
  };

  async function fetchFor(upload: UploadContext): Promise<StepEnd<TokenStepResult>> {
    const { uploadId, attemptNo, client, credential } = upload;
    const access = await tokens.get(client, credential, uploadId);
    switch (access.kind) {
      case 'token':
        return ready();
      case 'elsewhere':
        await tokens.await(upload, credential);
        return { result: 'turn', state: 'running' };
      case 'refused':
        await recordVerdict(deps.sql, uploadId, attemptNo, { kind: 'token_refused' });
        return { result: 'decided', state: 'failed', reason: access.reason };
      case 'retry': {
        const { reason, afterMs = null } = access;
        await recordRetryReason(deps.sql, uploadId, attemptNo, reason, afterMs);
        return { result: 'later', state: 'failed', reason };
      }
    }
  }
}

async function ready(): Promise<StepEnd<TokenStepResult>> {
  return { result: 'ready', state: 'done' };
}
