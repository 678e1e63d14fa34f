import { putBackForToken } from '../src/uploads/push-queue';
import type { AttemptKey } from '../src/uploads/sql/upload-attempts';
import type { StepReport } from '../src/uploads/upload-report';
import type { MenuActivityDeps } from './activity-deps';
import { type Attempt, loadAttempt } from './load-attempt';
import { type StepEnd, uploadStep } from './upload-step';
import { withHeartbeat } from './with-heartbeat';

/** `waits`: the upload waits for a token that another upload is fetching. */
type TokenNext = 'ready' | 'waits';

export function createUploadTokenActivities(deps: MenuActivityDeps) {
  const { tokens } = deps;
  return {
    /** Makes sure that a good token is stored for the upload's credential. The token itself stays in Postgres. */
    async fetchToken(key: AttemptKey): Promise<StepReport<TokenNext | 'later'>> {
      return withHeartbeat(async () => {
        const attempt = await loadAttempt(deps, key);
        if ('next' in attempt) return attempt;
        return uploadStep(deps, attempt, 'token', {}, () => fetchFor(attempt));
      });
    },
  };

  async function fetchFor(attempt: Attempt): Promise<StepEnd<TokenNext>> {
    await deps.atCheckpoint('worker:before-token');
    const { uploadId, client, credential, keptToken } = attempt;
    const access = await tokens.get(client, credential, uploadId, keptToken);
    switch (access.kind) {
      case 'token':
        return { next: 'ready', state: 'done' };
      case 'elsewhere':
        await putBackForToken(deps, attempt, credential);
        return { next: 'waits', state: 'running', summary: 'another upload fetches the token' };
      case 'refused':
        return { verdict: { kind: 'token_refused' }, reason: access.reason };
      case 'retry':
        return {
          retry: { reason: access.reason, waits: 'token', afterMs: access.afterMs ?? null },
        };
    }
  }
}
