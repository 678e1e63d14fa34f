import { recordVerdict } from '../src/db/uploads';
import type { FailedEntity, PushOutcome } from '../src/delivery-apps/types';
import { firstCodePoints } from '../src/domain/clean-text';
import { quoteValue } from '../src/domain/quote-value';
import type { UploadVerdict } from '../src/domain/upload-verdict';
import type { MenuActivityDeps, StepEnd, UploadContext } from './upload-context';

/** Leaves the verdict in the upload's row and ends the step that found it. */
export async function conclude(
  { sql }: Pick<MenuActivityDeps, 'sql'>,
  { uploadId, attemptNo }: Pick<UploadContext, 'uploadId' | 'attemptNo'>,
  verdict: UploadVerdict,
): Promise<StepEnd<'decided'>> {
  await recordVerdict(sql, uploadId, attemptNo, verdict);
  switch (verdict.kind) {
    case 'live':
    case 'partly_live':
      return { result: 'decided', state: 'done' };
    case 'unchanged':
      return { result: 'decided', state: 'skipped' };
    case 'rejected':
    case 'token_refused':
    case 'token_not_accepted':
    case 'blocked':
    case 'images_refused':
    case 'not_prepared':
    case 'gave_up':
      return { result: 'decided', state: 'failed', reason: verdict.kind };
  }
}

/** The verdict of a final answer of the app. */
export function verdictOf(
  outcome: Extract<PushOutcome, { kind: 'live' | 'partly_live' | 'rejected' }>,
): UploadVerdict {
  switch (outcome.kind) {
    case 'live':
      return { kind: 'live' };
    case 'partly_live':
      return { kind: 'partly_live', reasons: outcome.failed.map(entitySentence) };
    case 'rejected':
      return { kind: 'rejected', reasons: outcome.reasons };
  }
}

/** As long as an id of ours may be; this one is what the app says it is. */
const LONGEST_ID = 255;

function entitySentence({ externalId, message }: FailedEntity): string {
  return `The entity ${quoteValue(firstCodePoints(externalId, LONGEST_ID))} was refused: ${message}`;
}
