import {
  type AttemptKey,
  type Postponement,
  postponeUpload,
  type RetryFacts,
} from '../src/uploads/sql/upload-attempts';
import { type EndFacts, recordUploadEnd } from '../src/uploads/sql/upload-end';
import type { StepRow } from '../src/uploads/sql/upload-steps';
import type { StepReport } from '../src/uploads/upload-report';
import { slowRetryDelayMs } from '../src/uploads/upload-retries';
import { cleanReason, stateAndMessagesOf, type UploadVerdict } from '../src/uploads/upload-verdict';
import type { MenuActivityDeps } from './activity-deps';

type EndDeps = Pick<MenuActivityDeps, 'sql' | 'log' | 'atCheckpoint' | 'onEnded'>;

/** What the step that ends an upload records with it. */
export interface StepFacts extends Pick<EndFacts, 'callId' | 'isRestored'> {
  readonly steps?: readonly StepRow[];
  readonly summary?: string | undefined;
}

/** Ends the upload with the step's verdict, in the statement that records the step. */
export async function endUpload(
  { sql, log, atCheckpoint, onEnded }: EndDeps,
  attempt: AttemptKey,
  verdict: UploadVerdict,
  { steps = [], summary = VERDICT_WORDS[verdict.kind], callId, isRestored }: StepFacts = {},
): Promise<StepReport<never>> {
  await atCheckpoint('worker:before-outcome');
  const outcome = stateAndMessagesOf(verdict);
  const refused = verdict.kind === 'partly_live' ? verdict.refused : [];
  const ended = await recordUploadEnd(sql, attempt, outcome, steps, {
    refused,
    callId,
    isRestored,
  });
  await atCheckpoint('worker:after-outcome');
  if (!ended) return { next: 'stale' };
  const { app, ...result } = ended;
  onEnded(app, result.state);
  log.info({ upload_id: attempt.uploadId, attempt: attempt.attemptNo, ...outcome });
  return { next: 'ended', ...result, summary };
}

/** Why a round had no result. */
export type RetryReason = Omit<Postponement, 'delayMs'> & {
  readonly reason: string;
  /** The next round need not wait. */
  readonly isDue?: boolean;
  /** The app works on its task, so it is not given up here: the task has a deadline of its own, which `confirm` sees. */
  readonly isWithApp?: boolean;
};

/** Puts the upload back to wait for its next round, or gives it up when its time is over. */
export async function planNextRound(
  deps: EndDeps & Pick<MenuActivityDeps, 'settings'>,
  attempt: AttemptKey,
  { ageMs, rounds }: Pick<RetryFacts, 'ageMs' | 'rounds'>,
  retry: RetryReason,
  steps: readonly StepRow[] = [],
): Promise<StepReport<'later'>> {
  const { afterMs, isDue = false, isWithApp = false } = retry;
  const laterMs = slowRetryDelayMs(rounds, ageMs, afterMs, deps.settings);
  if (laterMs === null && !isWithApp)
    return endUpload(deps, attempt, { kind: 'gave_up', reasons: [retry.reason] }, { steps });
  const delayMs = isDue || laterMs === null ? (afterMs ?? 0) : laterMs;
  // Cleaned here: statements that cancel many uploads say it as it is.
  const { waits = null } = retry;
  const planned = { afterMs, delayMs, waits, reason: cleanReason(retry.reason) };
  const isCurrent = await postponeUpload(deps.sql, attempt, planned, steps);
  return isCurrent
    ? { next: 'later', summary: `the next try is in ${Math.ceil(delayMs / 1_000)} s` }
    : { next: 'stale' };
}

/** Verdicts as shown in the Temporal UI. */
const VERDICT_WORDS: Readonly<Record<UploadVerdict['kind'], string>> = {
  live: 'live',
  unchanged: 'live already, not pushed',
  partly_live: 'partly live',
  rejected: 'rejected',
  token_refused: 'the app refused a token',
  token_not_accepted: 'the app did not accept a fresh token',
  blocked: 'the menu cannot be sent to the app',
  images_refused: 'the images are refused',
  not_prepared: 'the menu took too long to prepare',
  gave_up: 'given up',
  refused_before: 'refused, and what was live is pushed again',
};
