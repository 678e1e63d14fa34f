import { cleanText } from '../platform/text/clean-text';
import { limitSentences } from '../menus/rules/limit-sentences';
import type { FinalUploadState } from './upload';

/** What a run came to. Kept in the upload's row by the step that found it out; turned into the answer here, once. */
export type UploadVerdict =
  | { readonly kind: 'live' }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'partly_live'; readonly reasons: readonly string[] }
  | { readonly kind: 'rejected'; readonly reasons: readonly string[] }
  | { readonly kind: 'token_refused' }
  | { readonly kind: 'token_not_accepted' }
  /** Losses that block, found before any call to the app: the first of `count`. */
  | { readonly kind: 'blocked'; readonly reasons: readonly string[]; readonly count: number }
  /** IMAGE_POLICY=refuse. */
  | { readonly kind: 'images_refused'; readonly reasons: readonly string[] }
  /** The transform took longer, or more memory, than it may. */
  | { readonly kind: 'not_prepared' }
  | { readonly kind: 'gave_up'; readonly reasons: readonly string[] };

export interface UploadOutcome {
  readonly state: FinalUploadState;
  /** The sentences of the 409; empty for an upload that is live as sent. */
  readonly messages: readonly string[];
}

const PARTLY_UPLOADED = 'The delivery system did not accept the whole menu.';
const NOT_UPLOADED = 'Could not upload menu to delivery system.';
/** A newer upload of the same store and integration took this one's place. */
export const SUPERSEDED_MESSAGE = 'A newer menu replaced this upload.';
/** A caller canceled it, or its store was deleted while it waited. */
export const CANCELED_MESSAGE = 'The upload was canceled.';
const MAX_SENTENCE = 300;

/**
 * The final state and sentences of an upload. An app's own words are cleaned and cut at 300 characters; sentences of ours
 * stay as they are, as they quote ids of the menu.
 */
export function outcomeOf(verdict: UploadVerdict): UploadOutcome {
  switch (verdict.kind) {
    case 'live':
    case 'unchanged':
      return { state: 'uploaded', messages: [] };
    case 'partly_live':
      return {
        state: 'partly_uploaded',
        messages: limitSentences([PARTLY_UPLOADED, ...verdict.reasons]),
      };
    case 'token_refused':
      return { state: 'failed', messages: ['Unable to get token.'] };
    case 'token_not_accepted':
      return {
        state: 'failed',
        messages: [NOT_UPLOADED, 'The delivery system did not accept the token.'],
      };
    case 'not_prepared':
      return { state: 'failed', messages: ['The menu could not be prepared in time.'] };
    case 'images_refused':
      return { state: 'failed', messages: limitSentences(verdict.reasons) };
    case 'blocked':
      return {
        state: 'failed',
        messages: limitSentences([NOT_UPLOADED, ...verdict.reasons], 1 + verdict.count),
      };
    case 'rejected':
    case 'gave_up':
      return {
        state: 'failed',
        messages: limitSentences([
          NOT_UPLOADED,
          ...verdict.reasons.map(cleanReason).filter((reason) => reason !== ''),
        ]),
      };
  }
}

/** The messages of an upload that was canceled: that it was, and what the app said when it was tried last. */
export function canceledMessages(reason: string | null): readonly string[] {
  const cleaned = reason === null ? '' : cleanReason(reason);
  return cleaned === '' ? [CANCELED_MESSAGE] : [CANCELED_MESSAGE, cleaned];
}

/** Control and bidi characters go: these words end up on the screen of somebody who trusts us. */
function cleanReason(reason: string): string {
  return cleanText(reason, MAX_SENTENCE);
}
