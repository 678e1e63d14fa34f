import type { PendingQuery, Row } from 'postgres';
import type { SubscriptionId } from '../../platform/ids';
import type { Sql } from '../../platform/db/client';

/**
 * The channel on which committed deliveries are announced: by whoever writes them, triggers too (`write_event`). Every
 * worker hears it, and that which has the shard sends them.
 */
export const WEBHOOKS_DUE = 'webhooks';

/** Deliveries were committed. */
export interface Announcement {
  readonly shard: number;
  /** Undefined: of any subscription of the shard. */
  readonly subscriptionId?: SubscriptionId | undefined;
}

/** A subscription with new rows, which were announced. */
export interface AnnouncedSubscription {
  readonly subscriptionId: SubscriptionId;
  /** Why nothing goes out for now; null if it does go out. */
  readonly blockedBy: 'disabled' | 'paused' | null;
}

/** Announces deliveries that are already committed. */
export async function announceDeliveries(
  sql: Sql,
  subscriptionIds: readonly SubscriptionId[],
): Promise<AnnouncedSubscription[]> {
  return sql<AnnouncedSubscription[]>`
    select ${announcingColumns(sql)} from subscription s
    where s.subscription_id = any(${[...subscriptionIds]}::text[])`;
}

/**
 * The columns of `AnnouncedSubscription` for subscription `s`. Reading them announces its deliveries, except for a paused
 * or disabled one, because nothing goes out to it for now.
 */
export function announcingColumns(sql: Sql): PendingQuery<Row[]> {
  const blockedBy = sql`case when s.state = 'disabled' then 'disabled'
    when s.paused_until > now() then 'paused' end`;
  return sql`s.subscription_id, ${blockedBy} as blocked_by,
    case when ${blockedBy} is null
      then pg_notify(${WEBHOOKS_DUE}, s.shard || ' ' || s.subscription_id)::text end as notified`;
}

/** Tells the worker that has a shard that something of it is due. */
export async function announceShard(sql: Sql, shard: number): Promise<void> {
  await sql`select pg_notify(${WEBHOOKS_DUE}, ${shard}::text)`;
}

/** Reads the text of an announcement. */
export function readAnnouncement(text: string): Announcement {
  const [shard, subscriptionId] = text.split(' ');
  return { shard: Number(shard), subscriptionId: subscriptionId as SubscriptionId | undefined };
}
