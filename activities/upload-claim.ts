import { storeAvailabilityWorkflow } from '../src/availability/queue';
import { findQueueBehind } from '../src/availability/sql/repeats';
import {
  claimNewestUpload,
  type Claim,
  type PublicationKey,
} from '../src/uploads/sql/publications';
import { type AttemptKey, findRetryFacts } from '../src/uploads/sql/upload-attempts';
import type { StepReport } from '../src/uploads/upload-report';
import type { MenuActivityDeps } from './activity-deps';
import { endUpload, planNextRound } from './end-round';
import type { UploadTransformActivities } from './upload-transform';
import { NeedsThreadError } from '../src/uploads/preparation/menu-preparer';
import { activityInfo } from '@temporalio/activity';

interface TransformedAtOnce {
  /** What `transformMenu` reported, which the claim has called at once. Absent = it must still be called. */
  readonly transformed?: Awaited<ReturnType<UploadTransformActivities['transformMenu']>>;
}

/** Activities that take an upload from its queue, or put one back whose step failed. */
export function createUploadClaimActivities(
  deps: MenuActivityDeps,
  { transformMenu }: Pick<UploadTransformActivities, 'transformMenu'>,
) {
  const { sql, log, atCheckpoint } = deps;
  return {
    /**
     * Claims the newest waiting upload of a store and integration, and ends older ones `superseded`; or the one whose
     * task the app works on (`confirm`). `idle` and `wait`: there is nothing to do now, and the lease is given
     * back. Then an app that has to be told again what is off sale is told.
     *
     * A menu that has not been prepared is transformed at once, which spares its run a local activity. If that fails,
     * or needs a thread, the claim stands, and the workflow calls `transformMenu`, which it tries again.
     */
    async claimNewest(key: PublicationKey): Promise<Claim & TransformedAtOnce> {
      const claim = await claimNewestUpload(sql, key, currentRunId());
      if (claim.kind === 'idle' || claim.kind === 'wait') {
        // The app may have to be told again what is off sale; if this wake is lost, the sweep finds it.
        const behind = await findQueueBehind(sql, key);
        if (behind) await deps.waker.wake(storeAvailabilityWorkflow, key, behind.leased);
        return claim;
      }
      await atCheckpoint('worker:claimed');
      const { kind, uploadId, attemptNo, isPrepared } = claim;
      if (kind === 'confirm' || isPrepared) return claim;
      try {
        const transformed = await transformMenu({ uploadId, attemptNo, atOnce: true });
        return { ...claim, transformed };
      } catch (error) {
        if (!(error instanceof NeedsThreadError)) {
          log.warn({ err: error, upload_id: uploadId }, 'a claimed menu could not be transformed');
        }
        return claim;
      }
    },

    /**
     * Plans the next round of an upload whose step failed at every try and so could not do it itself. `isDue`: at once.
     * One whose task is overdue is asked about once more if only Postgres was away (`isDue`); else it is given up, so
     * that a question that always fails does not keep newer menus waiting.
     */
    async postpone({
      isDue = false,
      ...attempt
    }: AttemptKey & { readonly isDue?: boolean }): Promise<StepReport<'later'>> {
      const facts = await findRetryFacts(sql, attempt);
      if (!facts) return { next: 'stale' };
      const reason = facts.retryReason ?? 'the delivery system did not answer';
      if (facts.task === 'overdue' && !isDue) {
        return endUpload(deps, attempt, { kind: 'gave_up', reasons: [reason] });
      }
      return planNextRound(deps, attempt, facts, {
        reason,
        // What the app said before holds; if it said nothing, it was not asked.
        ...(facts.retryReason === null && { waits: 'our_side' as const }),
        afterMs: facts.retryAfterMs,
        isDue,
        isWithApp: facts.task !== 'none',
      });
    },
  };
}

/** The run of this activity, for the link from a row to the Temporal UI. */
export function currentRunId(): string {
  const { workflowExecution } = activityInfo();
  // Only an activity started outside of a workflow has none, and we start none.
  if (!workflowExecution) throw new Error('the activity belongs to no workflow');
  return workflowExecution.runId;
}
