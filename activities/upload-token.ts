import { recordRetryReason, recordVerdict } from '../src/db/uploads';
import { accessToken } from '../src/delivery-apps/app-access';
import { type MenuActivityDeps, type UploadRef, withStep, withUpload } from './upload-context';

export type TokenStepResult = 'ready' | 'decided' | 'later' | 'stale';

export function createUploadTokenActivities(deps: MenuActivityDeps) {
  return {
    /** Sees to it that a good token is kept for the upload's credential. The token itself stays in Postgres. */
    async fetchToken(ref: UploadRef): Promise<TokenStepResult> {
      await deps.reach('worker:before-token');
      return withUpload<TokenStepResult>(deps, ref, ({ uploadId, attemptNo, client, credential }) =>
        withStep(
          deps,
          ref,
          'token',
          async () => {
            const access = await accessToken(
              { ...deps, timeoutMs: deps.settings.DELIVERY_APP_TIMEOUT },
              client,
              credential,
            );
            switch (access.kind) {
              case 'token':
                return { result: 'ready', state: 'done' };
              case 'refused':
                await recordVerdict(deps.sql, uploadId, attemptNo, { kind: 'token_refused' });
                return { result: 'decided', state: 'failed', reason: access.reason };
              case 'retry': {
                const { reason, afterMs = null } = access;
                await recordRetryReason(deps.sql, uploadId, attemptNo, reason, afterMs);
                return { result: 'later', state: 'failed', reason };
              }
            }
          },
          { announce: false },
        ),
      );
    },
  };
}
