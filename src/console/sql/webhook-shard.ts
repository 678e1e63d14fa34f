import type { SubscriptionId } from '../../platform/ids';
import type { Sql } from '../../platform/db/client';

/** The shard that serves a subscription; undefined if there is no such subscription. */
export async function findShard(
  sql: Sql,
  subscriptionId: SubscriptionId,
): Promise<number | undefined> {
  const [row] = await sql<{ shard: number }[]>`
    select shard from subscription where subscription_id = ${subscriptionId}`;
  return row?.shard;
}
