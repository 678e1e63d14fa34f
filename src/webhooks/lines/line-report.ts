/** What must happen to a line after a drain. */
export type AfterDrain =
  | { readonly kind: 'again' }
  | { readonly kind: 'idle' }
  /** All waiting deliveries are due later or their receivers are paused; the first is due in `ms`. */
  | { readonly kind: 'due_later'; readonly ms: number };

/** What waits in a line. */
export interface LineHolding {
  /** Counted up to `COUNTED_WAITING` of each subscription. */
  readonly deliveries: number;
  /** Of a subscription so many were counted that there may be more. */
  readonly hasMore: boolean;
  /** Subscriptions with waiting deliveries. */
  readonly subscriptions: number;
  /** Of these, paused ones. */
  readonly paused: number;
  /** Of these, disabled ones. */
  readonly disabled: number;
  /** When the oldest delivery was created, ISO 8601. */
  readonly since: string;
}

/** What a drain reports to its workflow. It goes into the history, so it is short and names no delivery. */
export interface LineReport {
  readonly next: AfterDrain;
  /** Attempts made. */
  readonly attempts: number;
  /** Null when nothing waits, or when the drain ended without looking. */
  readonly holding: LineHolding | null;
}

/**
 * Counting stops here: the exact number is not needed, and counting would take longer the longer a receiver is away.
 */
export const COUNTED_WAITING = 1_000;

/** What a line holds, as a sentence; undefined when nothing waits. */
export function describeHolding(holding: LineHolding | null): string | undefined {
  if (holding === null) return undefined;
  const { deliveries, hasMore, subscriptions, paused, disabled, since } = holding;
  const held = [
    ...(paused > 0 ? [`${paused} paused`] : []),
    ...(disabled > 0 ? [`${disabled} disabled`] : []),
  ];
  const aside = held.length > 0 ? ` (${held.join(', ')})` : '';
  const more = hasMore ? ' or more' : '';
  const waiting = deliveries === 1 ? '1 delivery waits' : `${deliveries}${more} deliveries wait`;
  const of = subscriptions === 1 ? '1 subscription' : `${subscriptions} subscriptions`;
  return `${waiting} for ${of}${aside}, the oldest since ${since}.`;
}

/** The report as text for the Temporal UI. `now`: ms since the epoch. */
export function describeReport({ next, holding }: LineReport, now: number): string {
  const held = describeHolding(holding);
  return held === undefined ? describeNext(next, now) : `${describeNext(next, now)} ${held}`;
}

function describeNext(next: AfterDrain, now: number): string {
  switch (next.kind) {
    case 'again':
      return 'At work.';
    case 'idle':
      return 'Nothing to send.';
    case 'due_later':
      return `The next try is due at ${timeOf(now + next.ms)}.`;
    default:
      return next satisfies never;
  }
}

/** To the second, because more is noise; ISO, so the time zone is clear. */
function timeOf(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
