import { setSeasonsOf } from '../src/availability/sql/seasons';
import { recordRefusal, recordSteps } from '../src/uploads/sql/upload-attempts';
import type { StepRow } from '../src/uploads/sql/upload-steps';
import type { HeardAnswer } from '../src/delivery-apps/listening-client';
import type { StepState, UploadStep } from '../src/uploads/upload';
import { reportOf, type StepReport } from '../src/uploads/upload-report';
import { stateAndMessagesOf, type UploadVerdict } from '../src/uploads/upload-verdict';
import type { MenuActivityDeps } from './activity-deps';
import { endUpload, planNextRound, type RetryReason, type StepFacts } from './end-round';
import type { Attempt } from './load-attempt';
import { menuPublicationId } from '../src/platform/temporal/workflow-names';
import { inSpanOf } from '../src/platform/observe/tracing';

interface AnsweredInStep {
  /** The app's answer that made the step fail, if there was one. */
  readonly answer?: HeardAnswer | null;
  /** The result of the step, as the Temporal UI shows it. */
  readonly summary?: string;
}

/** The end of a step. */
export type StepEnd<Next extends string> = AnsweredInStep &
  (
    | {
        readonly next: Next;
        readonly state: StepState;
        /** Records the steps together with their changes to the upload; false = another attempt has taken over. */
        readonly write?: (steps: readonly StepRow[]) => Promise<boolean>;
      }
    | { readonly next: 'stale' }
    /**
     * It ends the upload. `reason`: details for the log beyond the kind of the verdict. `callId`: the call of the push
     * that had this end.
     */
    | { readonly verdict: UploadVerdict; readonly reason?: string; readonly callId?: string }
    /** It ends the round. */
    | { readonly retry: RetryReason }
  );

export interface StepOptions {
  /** Whether the start of the step is recorded, so that the status shows it as running. Default true. */
  readonly recordsStart?: boolean;
}

/**
 * Runs one step of an attempt. It records the start and end of the step in the upload's status, changes the upload in
 * the same statement as the end, and writes one wide log line. `run` throws only what a retry may fix. Heartbeats are
 * sent by the activity, if it is not a local one.
 */
export async function uploadStep<Next extends string>(
  deps: MenuActivityDeps,
  attempt: Attempt,
  name: UploadStep,
  { recordsStart = true }: StepOptions,
  run: (startedAt: Date) => Promise<StepEnd<Next>>,
): Promise<StepReport<Next | 'later'>> {
  const startedAt = new Date();
  if (recordsStart) {
    const isCurrent = await recordSteps(deps.sql, attempt, [{ name, state: 'running', startedAt }]);
    if (!isCurrent) return { next: 'stale' };
  }
  const { uploadId, attemptNo, target } = attempt;
  const attributes = {
    upload_id: uploadId,
    attempt: attemptNo,
    app: target.app,
    // By this people find its run in the Temporal UI.
    'temporal.workflow_id': menuPublicationId(target.storeId, target.integrationId),
  };
  const end = await inSpanOf(target.traceParent, `upload ${name}`, attributes, () =>
    run(startedAt),
  );
  const report = await writeEnd(deps, attempt, { name, startedAt }, end);
  deps.log.info({
    upload_id: uploadId,
    attempt: attemptNo,
    step: name,
    result: report.next,
    ...('verdict' in end && { reason: end.reason ?? end.verdict.kind }),
    ...('retry' in end && { reason: end.retry.reason }),
    app_status: end.answer?.status,
    duration_ms: Date.now() - startedAt.getTime(),
  });
  return report;
}

async function writeEnd<Next extends string>(
  deps: MenuActivityDeps,
  attempt: Attempt,
  step: Pick<StepRow, 'name' | 'startedAt'>,
  end: StepEnd<Next>,
): Promise<StepReport<Next | 'later'>> {
  const { answer = null, summary } = end;
  if ('verdict' in end) {
    const { verdict, callId } = end;
    const { target } = attempt;
    const isShown = verdict.kind === 'live' || verdict.kind === 'partly_live';
    // Before callers are told that it is shown; `followMenu` does it again for what a dead process left.
    if (isShown && target.setsSeasons && target.refusal === null) {
      await setSeasonsOf(deps.sql, target);
    }
    const steps = [{ ...step, state: stepStateOf(verdict), answer }];
    return endOrRestore(deps, attempt, verdict, { steps, summary, callId });
  }
  if ('retry' in end) {
    const row = { ...step, state: 'failed', answer } as const;
    const report = await planNextRound(deps, attempt, attempt.target, end.retry, [row]);
    return report.next === 'later' && summary
      ? { ...report, summary: `${summary}; ${report.summary}` }
      : report;
  }
  if (!('state' in end)) return { next: 'stale' };
  const { next, state, write } = end;
  const report: StepReport<Next> = reportOf(next, summary);
  // Its row already says that it is running.
  if (state === 'running' && !write) return report;
  const steps = [{ ...step, state, answer }];
  const isCurrent = await (write ? write(steps) : recordSteps(deps.sql, attempt, steps));
  return isCurrent ? report : { next: 'stale' };
}

/**
 * Ends the upload. One that the app refuses while calls about items have left the app between two menus does not end yet:
 * its next round pushes again what is live (`refusal`), and with that it ends.
 */
async function endOrRestore(
  deps: MenuActivityDeps,
  attempt: Attempt,
  verdict: UploadVerdict,
  facts: Omit<StepFacts, 'isRestored'>,
): Promise<StepReport<'later'>> {
  const { refusal, hasItemCalls, livePayloadSha256 } = attempt.target;
  const { state, messages } = stateAndMessagesOf(verdict);
  if (refusal !== null) {
    const isRestored = state !== 'failed';
    const refused = { kind: 'refused_before', messages: refusal } as const;
    return endUpload(deps, attempt, refused, { ...facts, isRestored });
  }
  if (state !== 'failed' || !hasItemCalls || livePayloadSha256 === null) {
    return endUpload(deps, attempt, verdict, facts);
  }
  const isCurrent = await recordRefusal(deps.sql, attempt, { messages, ...facts });
  const summary = 'refused; the menu that was live is pushed again';
  return isCurrent ? { next: 'later', summary } : { next: 'stale' };
}

/** The state of the step that reached the verdict. */
function stepStateOf({ kind }: UploadVerdict): Extract<StepState, 'done' | 'skipped' | 'failed'> {
  switch (kind) {
    case 'live':
    case 'partly_live':
      return 'done';
    case 'unchanged':
      return 'skipped';
    case 'rejected':
    case 'token_refused':
    case 'token_not_accepted':
    case 'blocked':
    case 'images_refused':
    case 'not_prepared':
    case 'gave_up':
    case 'refused_before':
      return 'failed';
  }
}
