/** What waits in a shard. */
export interface ShardHolding {
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

/** What the workflow of a shard learns of it. It goes into the history, so it is short and names no delivery. */
export interface ShardReport {
  /** The living worker that has it; null without one. */
  readonly worker: string | null;
  /** Null when nothing waits. */
  readonly holding: ShardHolding | null;
  /** When the first delivery is due, ms from now; null if none becomes due by itself. */
  readonly dueMs: number | null;
}

/**
 * Counting stops here: the exact number is not needed, and counting would take longer the longer a receiver is away.
 */
export const COUNTED_WAITING = 1_000;

/** The report as text for the Temporal UI. `now`: ms since the epoch. */
export function describeShard({ worker, holding, dueMs }: ShardReport, now: number): string {
  const owner = worker === null ? 'No worker has it.' : `Worker ${worker} has it.`;
  return [describeNext(dueMs, now), ...describeHolding(holding), owner].join(' ');
}

function describeHolding(holding: ShardHolding | null): string[] {
  if (holding === null) return [];
  const { deliveries, hasMore, subscriptions, paused, disabled, since } = holding;
  const held = [
    ...(paused > 0 ? [`${paused} paused`] : []),
    ...(disabled > 0 ? [`${disabled} disabled`] : []),
  ];
  const aside = held.length > 0 ? ` (${held.join(', ')})` : '';
  const more = hasMore ? ' or more' : '';
  const waiting = deliveries === 1 ? '1 delivery waits' : `${deliveries}${more} deliveries wait`;
  const of = subscriptions === 1 ? '1 subscription' : `${subscriptions} subscriptions`;
  return [`${waiting} for ${of}${aside}, the oldest since ${since}.`];
}

function describeNext(dueMs: number | null, now: number): string {
  if (dueMs === null) return 'Nothing to send.';
  if (dueMs <= 0) return 'Sending what is due.';
  return `The next try is due at ${timeOf(now + dueMs)}.`;
}

/** To the second, because more is noise; ISO, so the time zone is clear. */
function timeOf(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
