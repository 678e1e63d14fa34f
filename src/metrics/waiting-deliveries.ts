import type { Sql } from '../platform/db/client';
import { COUNTED_WAITING } from '../webhooks/shard-report';
import { waitingIds, waitingSubscriptions } from '../webhooks/sql/webhook-shards';

/** Names for `delivery.type`, from 1. */
export const MESSAGE_NAMES = ['item_data', 'stock', 'event'] as const;
export type MessageName = (typeof MESSAGE_NAMES)[number];

export interface WaitingDeliveries {
  readonly type: MessageName;
  readonly shard: number;
  /** Counted up to `COUNTED_WAITING` of each webhook. */
  readonly pending: number;
  /** For deliveries that could be sent: their webhook is enabled and not paused. */
  readonly oldestDueSeconds: number;
}

/** The waiting deliveries of each shard, by type; 0 if there are none. */
export async function findWaitingDeliveries(sql: Sql): Promise<WaitingDeliveries[]> {
  return sql<WaitingDeliveries[]>`
    with recursive ${waitingIds(sql)},
    held as (
      select s.type, s.shard, h.pending,
        case when s.state = 'enabled' and coalesce(s.paused_until <= now(), true)
          then greatest(extract(epoch from now() - h.due_at), 0) else 0 end as due_seconds
      from ${waitingSubscriptions(sql)} cross join lateral (
        select count(*) as pending, min(due_at) as due_at from (
          select d.due_at from delivery d
          where d.subscription_id = s.subscription_id
          order by d.due_at, d.sequence limit ${COUNTED_WAITING}) as first) as h
    )
    select names.name as type, w.shard, coalesce(sum(held.pending), 0)::int as pending,
      coalesce(max(held.due_seconds), 0)::float8 as oldest_due_seconds
    from webhook_shard w cross join unnest(${[...MESSAGE_NAMES]}::text[]) with ordinality as names (name, type)
      left join held on held.shard = w.shard and held.type = names.type
    group by names.name, w.shard`;
}
