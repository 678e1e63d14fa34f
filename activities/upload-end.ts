import {
  type AttemptKey,
  type Postponement,
  postponeUpload,
  type RetryFacts,
} from '../src/uploads/sql/upload-attempts';
import { recordUploadEnd } from '../src/uploads/sql/upload-end';
import type { StepRow } from '../src/uploads/sql/upload-steps';
import type { HeardAnswer } from '../src/delivery-apps/listening-client';
import type { FailedEntity, PushOutcome } from '../src/delivery-apps/app-client';
import { firstCodePoints } from '../src/platform/text/clean-text';
import { quoteValue } from '../src/platform/text/quote-value';
import type { StepState } from '../src/uploads/upload';
import { slowRetryDelayMs } from '../src/uploads/upload-retries';
import type { StepReport } from '../src/uploads/upload-report';
import { cleanReason, outcomeOf, type UploadVerdict } from '../src/uploads/upload-verdict';
import type { MenuActivityDeps } from './upload-attempt';

type EndDeps = Pick<MenuActivityDeps, 'sql' | 'log' | 'reach' | 'onEnded'>;

/** Ends the upload with the step's verdict, in the statement that records the step. */
export async function endUpload(
  { sql, log, reach, onEnded }: EndDeps,
  attempt: AttemptKey,
  verdict: UploadVerdict,
  steps: readonly StepRow[] = [],
  summary: string = VERDICT_WORDS[verdict.kind],
): Promise<StepReport<never>> {
  await reach('worker:before-outcome');
  const outcome = outcomeOf(verdict);
  const refused = verdict.kind === 'partly_live' ? verdict.refused : [];
  const ended = await recordUploadEnd(sql, attempt, outcome, steps, refused);
  await reach('worker:after-outcome');
  if (!ended) return { next: 'stale' };
  const { app, ...result } = ended;
  onEnded(app, result.state);
  log.info({ upload_id: attempt.uploadId, attempt: attempt.attemptNo, ...outcome });
  return { next: 'ended', ...result, summary };
}

/** Why a round had no result. */
export type RetryReason = Omit<Postponement, 'delayMs'> & { readonly reason: string };

/** Puts the upload back to wait for its next round, or gives it up when its time is over. */
export async function planNextRound(
  deps: EndDeps & Pick<MenuActivityDeps, 'settings'>,
  attempt: AttemptKey,
  { ageMs, rounds }: Pick<RetryFacts, 'ageMs' | 'rounds'>,
  retry: RetryReason,
  steps: readonly StepRow[] = [],
): Promise<StepReport<'later'>> {
  const delayMs = slowRetryDelayMs(rounds, ageMs, retry.afterMs, deps.settings);
  if (delayMs === null)
    return endUpload(deps, attempt, { kind: 'gave_up', reasons: [retry.reason] }, steps);
  // Cleaned here: statements that cancel many uploads say it as it is.
  const planned = { ...retry, delayMs, reason: cleanReason(retry.reason) };
  const isPlanned = await postponeUpload(deps.sql, attempt, planned, steps);
  return isPlanned
    ? { next: 'later', summary: `the next try is in ${Math.ceil(delayMs / 1_000)} s` }
    : { next: 'stale' };
}

/** The verdict of a final answer of the app; `items`: external ids of items by wire id, where these may differ. */
export function verdictOf(
  outcome: Extract<PushOutcome, { kind: 'live' | 'partly_live' | 'rejected' }>,
  items: ReadonlyMap<string, string> = new Map(),
): UploadVerdict {
  switch (outcome.kind) {
    case 'live':
      return { kind: 'live' };
    case 'partly_live':
      return {
        kind: 'partly_live',
        // An item and its copy are one to our users.
        reasons: [...new Set(outcome.failed.map((entity) => entitySentence(entity, items)))],
        refused: wireIdsOf(outcome.failed),
      };
    case 'rejected':
      return { kind: 'rejected', reasons: outcome.reasons };
  }
}

/** The state of the step that reached the verdict. */
export function stepStateOf({
  kind,
}: UploadVerdict): Extract<StepState, 'done' | 'skipped' | 'failed'> {
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
      return 'failed';
  }
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
};

/** An app's answer as the Temporal UI shows it: its kind, status and time, but none of its text. */
export function describeAnswer(kind: string, answer: HeardAnswer | null, ms: number): string {
  const words = kind.replaceAll('_', ' ');
  return answer ? `${words}: ${describeStatus(answer)}, ${Math.round(ms)} ms` : words;
}

/** An app's answer without any of its text. */
export function describeStatus({ status, error }: HeardAnswer): string {
  return error === null ? `status ${status}` : `no answer (${error})`;
}

/** Our own ids may be as long as this, characters; the app's are cut. */
const LONGEST_ID = 255;

function entitySentence(
  { externalId, message, isNoItem }: FailedEntity,
  items: ReadonlyMap<string, string>,
): string {
  const item = isNoItem ? undefined : items.get(externalId);
  const id = quoteValue(item ?? firstCodePoints(externalId, LONGEST_ID));
  return `The entity ${id} was refused: ${message}`;
}

/** The wire ids of the items among refused entities. */
export function wireIdsOf(failed: readonly FailedEntity[]): readonly string[] {
  return failed.filter(({ isNoItem }) => !isNoItem).map(({ externalId }) => externalId);
}
