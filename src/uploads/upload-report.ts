import type { FinalUploadState } from './upload';

/*
 * What the steps of an upload report to their workflow. Temporal stores it in the history and shows it in its UI, so
 * it contains only ids, states and our own words: never a menu, a token or an app's text.
 */

/** The step has ended its upload: the outcome is in the row. */
export interface UploadEnded {
  readonly next: 'ended';
  readonly state: FinalUploadState;
  /** What happened, such as `live: status 200, 41 ms`. */
  readonly summary: string;
  /** No newer upload waits: the statement that ended this one also brought the publication to rest. */
  readonly rests: boolean;
}

/** Another attempt has taken over, or this one has a result by now, and nothing was changed. */
export interface StaleAttempt {
  readonly next: 'stale';
}

/** `next`: how the workflow continues. */
export type StepReport<Next extends string> =
  | UploadEnded
  | StaleAttempt
  // One member per value, so that comparing `next` narrows the type.
  | (Next extends string ? { readonly next: Next; readonly summary?: string } : never);

/** The result of a run: the last upload that it ended. */
export interface PublicationResult {
  readonly upload_id: string;
  readonly state: FinalUploadState;
}

/** The report of a step that has not ended its upload. */
export function reportOf<Next extends string>(next: Next, summary?: string): StepReport<Next> {
  return { next, ...(summary !== undefined && { summary }) } as StepReport<Next>;
}

/**
 * `accepted`: the app works on the menu as a task. `waits`: the upload waits until other pushes to the integration, or
 * the request for its token, have ended. `later`: its next round is planned.
 */
export type PushNext = 'accepted' | 'waits' | 'later';

/** The report of a push that goes on after its prompt call. */
export const SLOW_PUSH = { next: 'slow', summary: 'no answer yet; the push goes on' } as const;
