import type { UploadState } from '../../src/uploads/upload';
import type { SimulatedAppName } from './shop';

/** What a caller sees, how the upload ends, and what the app shows when an app fails in one way. */
export interface FaultOutcome {
  readonly answer: number;
  readonly state: UploadState;
  readonly shown: 'new' | 'old';
  /** Requests that carried the menu; absent where time decides. */
  readonly pushes?: number;
  /** The message for a refused caller; absent for a success. */
  readonly messages?: readonly string[];
}

export interface FaultScenario {
  readonly name: string;
  /** As `_sandbox/faults` takes them. */
  readonly faults: readonly Readonly<Record<string, unknown>>[];
  /** Whether the app calls back (App C and D). */
  readonly callbacks?: boolean;
  /** A day passes as soon as the app has been asked: more than the patience for an upload, and for a task. */
  readonly dayPasses?: boolean;
  /** An app that is left out does not know this fault. */
  readonly expected: Partial<Readonly<Record<SimulatedAppName, FaultOutcome>>>;
}

export const NOT_UPLOADED = 'Could not upload menu to delivery system.';

export function uploaded(pushes: number): FaultOutcome {
  return { answer: 200, state: 'uploaded', shown: 'new', pushes };
}
export function failed(pushes: number, ...messages: string[]): FaultOutcome {
  return { answer: 409, state: 'failed', shown: 'old', pushes, messages };
}
export function everywhere(outcome: FaultOutcome): FaultScenario['expected'] {
  return { 'app-a': outcome, 'app-b': outcome, 'app-c': outcome, 'app-d': outcome };
}
