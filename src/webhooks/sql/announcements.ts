import type { PendingQuery, Row } from 'postgres';
import type { SubscriptionId } from '../../platform/ids';
import type { Sql } from '../../platform/db/client';
import type { LineEpoch } from './line-promises';

/**
 * The channel on which committed deliveries are announced. Heard by `startDrains`, and passed on by `Drains.wake`,
 * `LineDrain.wake` and `SubscriptionDrain.wake`.
 */
export const WEBHOOKS_DUE = 'webhooks';

/**
 * The channel on which committed deliveries in a line without a drain are announced. A worker that has no others beside
 * it begins one (`Drains.wakeAsleep`). Triggers (`write_event`) cannot nudge the workflow of the line, so a worker does that too;
 * whoever writes deliveries otherwise nudges by itself, see `nudgeLinesOf`.
 */
export const LINES_ASLEEP = 'webhook_lines_asleep';

/** Deliveries of this subscription were committed. */
export interface Announcement {
  readonly line: number;
  readonly subscriptionId: SubscriptionId;
}

/** Whether the line of a subscription with new rows must be told of them. */
export interface SubscriptionWakefulness {
  readonly subscriptionId: SubscriptionId;
  readonly line: number;
  /** Its drain is running and has heard the announcement. */
  readonly alive: boolean;
  /** That of its latest drain: a signal makes the line start one with a higher epoch. */
  readonly epoch: number;
  /** Why nothing goes out for now even if its line is told; null if it does go out. */
  readonly blockedBy: 'disabled' | 'paused' | null;
}

/** Announces deliveries that are already committed. */
export async function announceDeliveries(
  sql: Sql,
  subscriptionIds: readonly SubscriptionId[],
): Promise<SubscriptionWakefulness[]> {
  return sql<SubscriptionWakefulness[]>`
    select ${announcingColumns(sql)} from subscription s join webhook_line w using (line)
    where s.subscription_id = any(${[...subscriptionIds]}::text[])`;
}

/**
 * The columns of `SubscriptionWakefulness` for subscription `s` with line `w`. Reading them announces its deliveries,
 * to the drain of the line or to all workers, except for a paused or disabled one, because nothing goes out to it for
 * now.
 */
export function announcingColumns(sql: Sql): PendingQuery<Row[]> {
  const blockedBy = sql`case when s.state = 'disabled' then 'disabled'
    when s.paused_until > now() then 'paused' end`;
  const alive = sql`coalesce(w.alive_until > now(), false)`;
  return sql`s.subscription_id, s.line, w.epoch, ${alive} as alive, ${blockedBy} as blocked_by,
    case when ${blockedBy} is not null then null
      when ${alive} then pg_notify(${WEBHOOKS_DUE}, s.line || ' ' || s.subscription_id)::text
      else pg_notify(${LINES_ASLEEP}, s.line || ' ' || w.epoch || ' ' || s.subscription_id)::text end as notified`;
}

/** Reads the text that `announcingColumns` writes, or the trigger for events (`write_event`). */
export function readAnnouncement(text: string): Announcement {
  const [line, subscriptionId] = text.split(' ');
  return { line: Number(line), subscriptionId: subscriptionId as SubscriptionId };
}

/** Deliveries were committed in a line without a drain since the one with this epoch. */
export interface LineAsleep extends LineEpoch {
  /** Whose deliveries; undefined where a trigger says so, and the workflow of the line must still be nudged. */
  readonly subscriptionId: SubscriptionId | undefined;
}

/** Reads what `announcingColumns` and `write_event` say of a line without a drain. */
export function readLineAsleep(text: string): LineAsleep {
  const [line, epoch, subscriptionId] = text.split(' ');
  return {
    line: Number(line),
    epoch: Number(epoch),
    subscriptionId: subscriptionId as SubscriptionId | undefined,
  };
}
