/** What there is to do for a line after a drain. */
export type AfterDrain =
  | { readonly kind: 'again' }
  | { readonly kind: 'idle' }
  /** Everything that waits is due later, or its receiver is left alone; the first of it `ms` from now. */
  | { readonly kind: 'due_later'; readonly ms: number };

/** What waits in a line. */
export interface LineHolding {
  /** Counted up to `COUNTED_WAITING` of each subscription. */
  readonly deliveries: number;
  /** Those that the deliveries are of. */
  readonly subscriptions: number;
  /** Of them, those whose receivers are left alone for a while. */
  readonly paused: number;
  /** Of them, those that wait to be enabled. */
  readonly disabled: number;
  /** When the oldest delivery was created, ISO 8601. */
  readonly since: string;
}

/** What a drain tells its workflow. It ends up in the history, so it is short and names no delivery. */
export interface LineReport {
  readonly next: AfterDrain;
  /** Attempts made. */
  readonly attempts: number;
  /** Null when nothing waits, or when the drain ended without looking. */
  readonly holding: LineHolding | null;
}

/** Nobody needs the exact number beyond, and counting it would take longer the longer a receiver is away. */
export const COUNTED_WAITING = 1_000;

/** The report as a person reads it in the Temporal UI. `now`: ms since the epoch. */
export function describeReport({ next, holding }: LineReport, now: number): string {
  return `${describeNext(next, now)}${describeHolding(holding)}`;
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

/** A sentence that begins with a space, or nothing. */
function describeHolding(holding: LineHolding | null): string {
  if (holding === null) return '';
  const { deliveries, subscriptions, paused, disabled, since } = holding;
  const held = [
    ...(paused > 0 ? [`${paused} paused`] : []),
    ...(disabled > 0 ? [`${disabled} disabled`] : []),
  ];
  const aside = held.length > 0 ? ` (${held.join(', ')})` : '';
  const more = deliveries >= COUNTED_WAITING ? ' or more' : '';
  const waiting = deliveries === 1 ? '1 delivery waits' : `${deliveries}${more} deliveries wait`;
  const of = subscriptions === 1 ? '1 subscription' : `${subscriptions} subscriptions`;
  return ` ${waiting} for ${of}${aside}, the oldest since ${since}.`;
}

/** To the second: more is noise, and ISO so that nobody has to guess a time zone. */
function timeOf(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
