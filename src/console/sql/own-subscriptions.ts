import type { PendingQuery, Row } from 'postgres';
import type { Transaction } from '../../platform/db/client';
import type { UserId } from '../../platform/ids';

/** The webhooks of the user's inventory systems and the one for their events; each kind by its index. */
export function ownSubscriptions(sql: Transaction, userId: UserId): PendingQuery<Row[]> {
  return sql`
    select s.subscription_id from inventory_system i join subscription s using (inventory_system_id)
    where i.created_by = ${userId}
    union all
    select s.subscription_id from subscription s where s.user_id = ${userId}`;
}
