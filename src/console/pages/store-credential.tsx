import type { ComponentChildren } from 'preact';
import { type PlainWords, TROUBLE_WORDS } from '../../contract/plain-words';
import { When } from '../parts';
import type { StoreApp } from './store-app';

/** Whether the service can sign in to an app for a store. */
export interface Credential {
  readonly words: ComponentChildren;
  /** Null: nothing is known to be wrong. */
  readonly problem: PlainWords | null;
}

/** What is known of the credential, by the connection, the stored token and the last call for one. */
export function credentialOf({ integration, facts, isConfigured }: StoreApp): Credential {
  if (!isConfigured) return { words: 'the app is not set up', problem: TROUBLE_WORDS.not_set_up };
  if (!integration.active)
    return { words: 'the integration is switched off', problem: TROUBLE_WORDS.switched_off };
  if (!integration.has_token)
    return { words: 'the store has no credentials', problem: TROUBLE_WORDS.no_credentials };
  if (facts.tokenUntil) {
    return {
      words: (
        <>
          works; the token is good until <When at={facts.tokenUntil} />
        </>
      ),
      problem: null,
    };
  }
  if (facts.tokenStep === 'failed') {
    const answer = facts.tokenStatus === null ? facts.tokenError : `status ${facts.tokenStatus}`;
    return {
      words: (
        <>
          the app gave no token <When at={facts.tokenStepAt} />
          {answer && `: ${answer}`}
        </>
      ),
      // Only a refusal is about the credential; an app that is away is waited for.
      problem: isRefusal(facts.tokenStatus) ? TROUBLE_WORDS.sign_in_refused : null,
    };
  }
  const words = facts.isTokenRefused
    ? 'the app refused the last token; the next call gets another'
    : 'no token is kept now; the next call gets one';
  return { words, problem: null };
}

function isRefusal(status: number | null): boolean {
  return status !== null && status >= 400 && status < 500 && status !== 408 && status !== 429;
}
