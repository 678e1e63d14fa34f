import { claimNewestUpload, type Claim, type PublicationKey } from '../src/db/publications';
import { findRetryFacts, findVerdict, finishUpload, postponeUpload } from '../src/db/uploads';
import { slowRetryDelayMs, type FinalUploadState } from '../src/domain/upload';
import { outcomeOf, type UploadVerdict } from '../src/domain/upload-verdict';
import type { UploadId } from '../src/ids';
import { menuKind } from '../src/queue/menu-kind';
import { restEntity } from '../src/queue/rest-entity';
import { currentRunId } from './current-run';
import type { MenuActivityDeps, UploadRef } from './upload-context';

/** How an entity takes uploads from their queue and puts back what came of them. */
export function createUploadQueueActivities(deps: MenuActivityDeps) {
  const { sql, reach } = deps;
  return {
    /**
     * The newest waiting upload of a store and integration; all older ones end `superseded`.
     * When there is none to publish now, the entity has gone to rest; `again`: one came at that very moment.
     */
    async claimNewest(key: PublicationKey): Promise<Claim | { readonly kind: 'again' }> {
      const claim = await claimNewestUpload(sql, key, currentRunId());
      if (claim.kind === 'idle' || claim.kind === 'wait') {
        return (await restEntity(sql, menuKind, key)) ? { kind: 'again' } : claim;
      }
      await reach('worker:claimed');
      return claim;
    },

    /** Ends an upload with the verdict that its steps left in its row, or plans the next round of an undecided one. */
    async recordOutcome(
      ref: UploadRef & { decided: boolean },
    ): Promise<FinalUploadState | 'waiting' | 'stale'> {
      await reach('worker:before-outcome');
      const uploadId = ref.uploadId as UploadId;
      const verdict = ref.decided
        ? await findVerdict(sql, uploadId, ref.attemptNo)
        : await planRetry(uploadId, ref.attemptNo);
      if (verdict === 'waiting') return verdict;
      if (!verdict) return 'stale';
      const outcome = outcomeOf(verdict);
      const ended = await finishUpload(sql, uploadId, ref.attemptNo, outcome);
      await reach('worker:after-outcome');
      deps.log.info({ upload_id: uploadId, attempt: ref.attemptNo, ended, ...outcome });
      return ended ? outcome.state : 'stale';
    },
  };

  async function planRetry(
    uploadId: UploadId,
    attemptNo: number,
  ): Promise<UploadVerdict | 'waiting' | undefined> {
    const upload = await findRetryFacts(sql, uploadId, attemptNo);
    if (!upload) return undefined;
    const { ageMs, rounds, retryAfterMs } = upload;
    const delayMs = slowRetryDelayMs(rounds, ageMs, retryAfterMs, deps.settings);
    const reason = upload.retryReason ?? 'the delivery system did not answer';
    if (delayMs === null) return { kind: 'gave_up', reasons: [reason] };
    await postponeUpload(sql, uploadId, attemptNo, delayMs);
    return 'waiting';
  }
}
