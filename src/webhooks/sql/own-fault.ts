import type { Sql } from '../../platform/db/client';
import type { SubscriptionId } from '../../platform/ids';
import type { OwnFaultKind } from '../../platform/outbound/own-faults';
import type { OwnedShard } from './shard-owners';

/**
 * Says in the row of a subscription for which trouble of our own its deliveries wait; null = none, any more. Writes nothing if
 * the shard has another owner. One row a statement: several, in another order than those that record outcomes, could
 * lock each other out.
 */
export async function writeOwnFault(
  sql: Sql,
  subscriptionId: SubscriptionId,
  { shard, epoch }: OwnedShard,
  kind: OwnFaultKind | null,
): Promise<void> {
  await sql`
    update subscription s set own_fault = ${kind}::text,
      own_fault_since = case when ${kind}::text is null then null else coalesce(s.own_fault_since, now()) end
    where s.subscription_id = ${subscriptionId} and s.own_fault is distinct from ${kind}::text
      and exists (select from webhook_shard w where w.shard = ${shard}::smallint and w.epoch = ${epoch}::bigint)`;
}
