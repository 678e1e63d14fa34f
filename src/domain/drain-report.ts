import type { DisabledReason } from './breaker';

/** What there is to do for a subscription after a drain. */
export type AfterDrain =
  | { readonly kind: 'again' }
  | { readonly kind: 'idle' }
  /** Everything that waits is due later, the first `ms` from now. */
  | { readonly kind: 'due_later'; readonly ms: number }
  /** The receiver is left alone for `ms`. */
  | { readonly kind: 'paused'; readonly ms: number; readonly failures: number }
  | { readonly kind: 'disabled'; readonly reason: DisabledReason };

/** What a drain tells its workflow. It ends up in the history, so it is short and names no delivery. */
export interface DrainReport {
  readonly next: AfterDrain;
  /** Attempts made. */
  readonly attempts: number;
  /** Deliveries that wait, counted up to `COUNTED_WAITING`. */
  readonly waiting: number;
  /** When the oldest of them was created, ISO 8601; null when none waits. */
  readonly waitingSince: string | null;
}

/** Nobody needs the exact number beyond, and counting it would take longer the longer a receiver is away. */
export const COUNTED_WAITING = 1_000;

/** The report as a person reads it in the Temporal UI. `now`: ms since the epoch. */
export function describeReport(report: DrainReport, now: number): string {
  return `${describeNext(report.next, now)} ${describeWaiting(report)}`;
}

function describeNext(next: AfterDrain, now: number): string {
  switch (next.kind) {
    case 'again':
      return 'At work.';
    case 'idle':
      return 'Nothing to send.';
    case 'due_later':
      return `The next try is due at ${timeOf(now + next.ms)}.`;
    case 'paused':
      return `Paused until ${timeOf(now + next.ms)}, after ${next.failures} failed attempts in a row.`;
    case 'disabled':
      return describeDisabled(next.reason);
    default:
      return next satisfies never;
  }
}

function describeDisabled(reason: DisabledReason): string {
  switch (reason) {
    case 'gone':
      return 'Disabled: the receiver answered 410.';
    case 'failing':
      return 'Disabled: five days without one success.';
    case 'manual':
      return 'Disabled by its owner.';
    default:
      return reason satisfies never;
  }
}

function describeWaiting({ waiting, waitingSince }: DrainReport): string {
  if (waitingSince === null) return 'No delivery waits.';
  const count = waiting >= COUNTED_WAITING ? `${COUNTED_WAITING} deliveries or more` : waiting;
  if (waiting === 1) return `1 delivery waits, since ${waitingSince}.`;
  return `${count}${waiting >= COUNTED_WAITING ? '' : ' deliveries'} wait, the oldest since ${waitingSince}.`;
}

/** To the second: more is noise, and ISO so that nobody has to guess a time zone. */
function timeOf(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
