/*
 * When an upload is tried or asked about again, and when it is given up. Pure; times are ms. The quick pauses are also
 * those of calls about availability, and of questions about a task.
 */

/** Durations of publishing a menu, ms. */
export interface UploadTiming {
  /** Pauses between the quick tries of one round; after them the round is over and a newer menu may go first. */
  readonly quickPausesMs: readonly number[];
  /** Pause before the last tries of a push that has no later round. */
  readonly lastQuickPauseMs: number;
  /** If the app asks for a longer wait than this, the round ends at once. */
  readonly longestQuickPauseMs: number;
  /** An app that is away is retried for this long, while the upload is the newest. */
  readonly giveUpAfterMs: number;
  /** Delays between the rounds of quick retries; the last one repeats until the upload is given up. */
  readonly slowRetryMs: readonly [number, ...number[]];
  /** How long a push to an asynchronous app without a task id may still take effect (setting APP_C_SETTLE). */
  readonly settleMs: number;
  /** An asynchronous task that has not ended after this time is given up. */
  readonly taskDeadlineMs: number;
  /** If people at the app review menus, it is asked for the first time this long after the push. */
  readonly approvalFirstMs: number;
  /** The interval between the later questions. */
  readonly approvalEveryMs: number;
  /** A menu that has not been approved after this time is given up. */
  readonly approvalDeadlineMs: number;
}

/**
 * The pauses before an app is polled about a task: the first one, doubling up to the longest. The workflow reads them
 * here.
 */
interface PollTiming {
  readonly firstPollMs: number;
  readonly longestPollMs: number;
}

export const UPLOAD_TIMING: Omit<UploadTiming, 'settleMs'> & PollTiming = {
  quickPausesMs: [500, 1_500],
  lastQuickPauseMs: 3_000,
  longestQuickPauseMs: 5_000,
  firstPollMs: 2_000,
  longestPollMs: 60_000,
  giveUpAfterMs: 24 * 3_600_000,
  slowRetryMs: [10_000, 30_000, 60_000, 120_000, 300_000, 600_000, 900_000],
  taskDeadlineMs: 30 * 60_000,
  approvalFirstMs: 5 * 60_000,
  approvalEveryMs: 3_600_000,
  approvalDeadlineMs: 72 * 3_600_000,
};

/** What an app said, as far as it decides when it is asked again. */
interface Answered {
  readonly kind: string;
  readonly afterMs?: number;
  readonly atMost?: number;
}

/**
 * The pause before the next quick try of a push or of a call about availability, ms; null if the outcome is final or
 * requires a longer wait. `tries`: how many quick ones there were. An outcome without a later round (`atMost`) may be
 * tried more often within this one.
 */
export function quickPauseMs(
  { kind, afterMs = 0, atMost }: Answered,
  tries: number,
  timing: Pick<UploadTiming, 'quickPausesMs' | 'lastQuickPauseMs' | 'longestQuickPauseMs'>,
): number | null {
  if (kind !== 'unknown' && kind !== 'retry') return null;
  if (atMost !== undefined && tries >= atMost) return null;
  const last = atMost === undefined ? null : timing.lastQuickPauseMs;
  const planned = timing.quickPausesMs[tries] ?? last;
  if (planned === null) return null;
  const pauseMs = Math.max(planned, afterMs);
  return pauseMs <= timing.longestQuickPauseMs ? pauseMs : null;
}

/** The pause behind the `rounds`-th round (1-based) that failed, ms. */
export function slowRetryPauseMs(rounds: number, slowRetryMs: UploadTiming['slowRetryMs']): number {
  return slowRetryMs[Math.min(rounds, slowRetryMs.length) - 1] ?? slowRetryMs[0];
}

/** When to try again after the `rounds`-th round (1-based) failed; null when it must be given up. */
export function slowRetryDelayMs(
  rounds: number,
  ageMs: number,
  askedMs: number | null,
  { slowRetryMs, giveUpAfterMs }: Pick<UploadTiming, 'slowRetryMs' | 'giveUpAfterMs'>,
): number | null {
  const delay = Math.max(slowRetryPauseMs(rounds, slowRetryMs), askedMs ?? 0);
  return ageMs + delay > giveUpAfterMs ? null : delay;
}

type ApprovalTiming = Pick<
  UploadTiming,
  'approvalFirstMs' | 'approvalEveryMs' | 'approvalDeadlineMs'
>;

/** Time since a menu was accepted for approval, and since the app was last asked about it; null = not yet. */
export interface ApprovalAges {
  readonly pushAgeMs: number;
  readonly askedAgeMs: number | null;
}

/**
 * Time until the app is asked again about a menu that waits for approval, ms; 0 = now. It is asked once more at the
 * deadline.
 */
export function untilApprovalQuestion(
  { pushAgeMs, askedAgeMs }: ApprovalAges,
  { approvalFirstMs, approvalEveryMs, approvalDeadlineMs }: ApprovalTiming,
): number {
  const planned = askedAgeMs === null ? approvalFirstMs - pushAgeMs : approvalEveryMs - askedAgeMs;
  return Math.max(0, Math.min(planned, approvalDeadlineMs - pushAgeMs));
}

/**
 * The pause after the app was asked about a menu that waits for approval, ms: short if its answer was unclear. It is
 * asked once more at the deadline.
 */
export function untilNextQuestionMs(
  isAnswered: boolean,
  pushAgeMs: number,
  { approvalFirstMs, approvalEveryMs, approvalDeadlineMs }: ApprovalTiming,
): number {
  const planned = isAnswered ? approvalEveryMs : approvalFirstMs;
  return Math.max(1, Math.min(planned, approvalDeadlineMs - pushAgeMs));
}
