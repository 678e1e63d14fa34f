import type { FailedEntity, PushOutcome } from '../src/delivery-apps/app-client';
import type { HeardAnswer } from '../src/delivery-apps/listening-client';
import { firstCodePoints } from '../src/platform/text/clean-text';
import { quoteValue } from '../src/platform/text/quote-value';
import type { FailedTry } from '../src/uploads/sql/upload-attempts';
import { cleanReason, type UploadVerdict } from '../src/uploads/upload-verdict';

/** What a call came to, and the app's own answer with its duration; null and 0 if it was not asked. */
export interface AppAnswer<Outcome> {
  readonly outcome: Outcome;
  readonly answer: HeardAnswer | null;
  readonly ms: number;
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

/** What a try in vain said, as it is stored; null: the outcome is another one. */
export function failedTryOf(
  outcome: { readonly kind: string } | Extract<PushOutcome, { kind: 'retry' | 'unknown' }>,
): FailedTry | null {
  if (!('reason' in outcome)) return null;
  const waits = outcome.kind === 'retry' ? outcome.waits : undefined;
  return { reason: cleanReason(outcome.reason), waits: waits ?? 'app_unavailable' };
}

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
