import type { Sql } from '../../platform/db/client';
import type { DeliveryId, SubscriptionId } from '../../platform/ids';
import { isOfWebhook } from '../../webhooks/sql/delivery-views';

/** The last attempt of a webhook that fails. */
export interface LastAttempt {
  readonly deliveryId: DeliveryId;
  readonly status: number | null;
  /** Why there was no whole answer. */
  readonly error: string | null;
}

/** The receiver is sent the oldest first, and so many at once at most. */
const LOOKED_AT = 100;

/** The last attempt among the oldest deliveries that wait; undefined: none of them was tried. */
export async function findLastAttempt(
  sql: Sql,
  subscriptionId: SubscriptionId,
): Promise<LastAttempt | undefined> {
  const [row] = await sql<LastAttempt[]>`
    select a.delivery_id, a.status, a.error
    from (
      select d.delivery_id from delivery d
      where ${isOfWebhook(sql, sql`${subscriptionId}`)}
      order by d.subscription_id, d.delivery_id limit ${LOOKED_AT}) as oldest
    join attempt a using (delivery_id)
    order by a.started_at desc limit 1`;
  return row;
}
