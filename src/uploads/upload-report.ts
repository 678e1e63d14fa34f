import type { FinalUploadState } from './upload';

/*
 * What the steps of an upload tell their workflow. It is kept in Temporal's history and shown in its UI: ids, states and
 * words of ours, never a menu, a token, or what an app wrote.
 */

/** The step has ended its upload: the outcome is in the row. */
export interface UploadEnded {
  readonly next: 'ended';
  readonly state: FinalUploadState;
  /** How it came to it, such as `live: status 200, 41 ms`. */
  readonly told: string;
  /** No newer upload waits: the publication has gone to rest, in the statement that ended this one. */
  readonly rests: boolean;
}

/** Another attempt has taken over, and nothing was changed. */
export interface UploadTaken {
  readonly next: 'stale';
}

/** `next`: which way the workflow goes on. */
export type StepReport<Next extends string> =
  | UploadEnded
  | UploadTaken
  // One member for each, so that a comparison of `next` narrows.
  | (Next extends string ? { readonly next: Next; readonly told?: string } : never);

/** What a run shows as its result: the last upload that it brought to an end. */
export interface PublicationResult {
  readonly upload_id: string;
  readonly state: FinalUploadState;
}

/** The report of a step that goes on. */
export function reportOf<Next extends string>(next: Next, told?: string): StepReport<Next> {
  return { next, ...(told !== undefined && { told }) } as StepReport<Next>;
}
