import {
  ActivityFailure,
  allHandlersFinished,
  ApplicationFailure,
  condition,
  defineSignal,
  isCancellation,
  setHandler,
  TemporalFailure,
  workflowInfo,
} from '@temporalio/workflow';
import { WAKE_SIGNAL } from '../src/platform/temporal/workflow-names';

/** The end of one pass, which says when the next one begins. */
export type PassEnd =
  | { readonly kind: 'again' }
  /** There is work, but not for another `ms`. */
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'idle' };

/** Waits `ms`, durably, or until a wake signal comes. */
export type Pause = (ms: number) => Promise<void>;

export interface PassSteps {
  /**
   * Claims rows, does the work, records it; returns whether and when to come back. For any result but `again`, its
   * activity has given the lease back, so from then on a new row comes with a wake signal. The `wait` of
   * `orPause` is the exception: a step failed, so the lease may stand, and a new row waits for the end of the pause.
   */
  pass(pause: Pause): Promise<PassEnd>;
  /** Starts a fresh run with the same arguments; never returns. */
  continueAsNew(): Promise<never>;
}

/**
 * How an activity is tried again. Its exceptions are failures that a retry may fix (an outage of Postgres, for example);
 * everything that an app or a receiver can answer is a returned value. So retries never end. The longest interval is
 * below the 5 s after which all work goes on when Postgres is back.
 */
export const RETRY = {
  initialInterval: '200ms',
  backoffCoefficient: 2,
  maximumInterval: '3s',
} as const;

/** For a step that must not keep others waiting: it is given up after about 20 s. */
export const STEP_RETRY = { ...RETRY, maximumAttempts: 10 } as const;

/** Pause after a step that failed at every try. */
const BROKEN_MS = 3_000;

const wake = defineSignal(WAKE_SIGNAL);

/**
 * The life of every workflow: work while there are rows, wait for the next due time or a wake signal, and complete when
 * nothing is left. Completing is safe: the next row starts the workflow again.
 */
export async function passLoop(steps: PassSteps): Promise<void> {
  let woken = false;
  setHandler(wake, () => {
    woken = true;
  });
  // A signal since the start of the pass counts, because an app may call back before its answer to the push is
  // handled.
  const pause: Pause = async (ms) => {
    await condition(() => woken, ms);
    woken = false;
  };
  for (;;) {
    woken = false;
    const end = await steps.pass(pause);
    if (end.kind === 'idle' && !woken) return;
    if (end.kind === 'wait') await condition(() => woken, end.ms);
    if (workflowInfo().continueAsNewSuggested) {
      await condition(allHandlersFinished);
      await steps.continueAsNew();
    }
  }
}

/** Whether an activity failed at every try. The failure of a local one arrives directly, not as an ActivityFailure. */
export function isBroken(error: unknown): boolean {
  return error instanceof TemporalFailure && !isCancellation(error);
}

/** Whether it failed because Postgres was away. */
export function isPostgresAway(error: unknown): boolean {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  return cause instanceof ApplicationFailure && cause.type === 'PostgresAwayError';
}

/** A pass that pauses when one of its steps failed at every try. */
export async function orPause(pass: () => Promise<PassEnd>): Promise<PassEnd> {
  try {
    return await pass();
  } catch (error) {
    if (!isBroken(error)) throw error;
    return { kind: 'wait', ms: BROKEN_MS };
  }
}
