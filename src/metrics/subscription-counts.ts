import type { Sql } from '../platform/db/client';
import { MESSAGE_NAMES, type MessageName } from './waiting-deliveries';

export interface SubscriptionCount {
  readonly type: MessageName;
  readonly state: 'enabled' | 'paused' | 'disabled';
  readonly count: number;
}

/** The number of webhooks by state; paused: no attempt has succeeded since its series of failures. */
export async function countSubscriptions(sql: Sql): Promise<SubscriptionCount[]> {
  return sql<SubscriptionCount[]>`
    select (${[...MESSAGE_NAMES]}::text[])[type] as type,
      case when state = 'disabled' then 'disabled'
        when paused_until is not null then 'paused' else 'enabled' end as state,
      count(*)::int as count
    from subscription where deleted_at is null group by 1, 2`;
}
