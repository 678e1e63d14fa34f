import { cleanText } from '../platform/text/clean-text';
import { limitSentences } from '../menus/rules/problems-in-answers';
import type { FinalUploadState } from './upload';

/**
 * How an upload ends, in the judgement of the step that ends it. `stateAndMessagesOf` makes the state and messages of
 * its row from it.
 */
export type UploadVerdict =
  | { readonly kind: 'live' }
  | { readonly kind: 'unchanged' }
  /** `refused`: wire ids of the items that the app does not have. */
  | {
      readonly kind: 'partly_live';
      readonly reasons: readonly string[];
      readonly refused?: readonly string[];
    }
  | { readonly kind: 'rejected'; readonly reasons: readonly string[] }
  | { readonly kind: 'token_refused' }
  | { readonly kind: 'token_not_accepted' }
  /** Blocking losses, found before any call to the app: the first of `count`. */
  | { readonly kind: 'blocked'; readonly reasons: readonly string[]; readonly count: number }
  /** IMAGE_POLICY=refuse. */
  | { readonly kind: 'images_refused'; readonly reasons: readonly string[] }
  /** The transform took more time or memory than allowed. */
  | { readonly kind: 'not_prepared' }
  | { readonly kind: 'gave_up'; readonly reasons: readonly string[] }
  /** The app had refused it before, with these messages, and got the menu again that was live. */
  | { readonly kind: 'refused_before'; readonly messages: readonly string[] };

export interface UploadOutcome {
  readonly state: FinalUploadState;
  /** The messages of the 409; empty for an upload that is live as sent. */
  readonly messages: readonly string[];
  /** Its menu was live already and was not pushed. */
  readonly isUnchanged?: boolean;
}

const PARTLY_UPLOADED = 'The delivery system did not accept the whole menu.';
export const NOT_UPLOADED = 'Could not upload menu to delivery system.';
/** A newer upload of the same store and integration took this one's place. */
export const SUPERSEDED_MESSAGE = 'A newer menu replaced this upload.';
/** A caller canceled it, or its store was deleted while it waited. */
export const CANCELED_MESSAGE = 'The upload was canceled.';
const MAX_SENTENCE = 300;

/**
 * The final state and messages of an upload. An app's text is cleaned and cut at 300 characters; our own messages are
 * not, because they quote ids of the menu.
 */
export function stateAndMessagesOf(verdict: UploadVerdict): UploadOutcome {
  switch (verdict.kind) {
    case 'live':
      return { state: 'uploaded', messages: [] };
    case 'unchanged':
      return { state: 'uploaded', messages: [], isUnchanged: true };
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
    case 'refused_before':
      return { state: 'failed', messages: verdict.messages };
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

/** The messages of a canceled upload: that it was canceled, and the app's last answer. */
export function canceledMessages(reason: string | null): readonly string[] {
  const cleaned = reason === null ? '' : cleanReason(reason);
  return cleaned === '' ? [CANCELED_MESSAGE] : [CANCELED_MESSAGE, cleaned];
}

/** Removes control and bidi characters: our users see this text and trust us. */
export function cleanReason(reason: string): string {
  return cleanText(reason, MAX_SENTENCE);
}
