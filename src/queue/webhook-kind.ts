import {
  defineSearchAttributeKey,
  SearchAttributeType,
  TypedSearchAttributes,
} from '@temporalio/common';
import {
  SEARCH_ATTRIBUTES,
  TASK_QUEUES,
  WEBHOOK_SUBSCRIPTION,
  webhookSubscriptionId,
} from '../domain/workflow-names';
import type { EntityKind } from './entity-kind';

const subscriptionIdKey = defineSearchAttributeKey(
  SEARCH_ATTRIBUTES.subscriptionId,
  SearchAttributeType.KEYWORD,
);

/** The channel on which committed deliveries are announced to drains: one subscription id a notification. */
export const WEBHOOKS_DUE = 'webhooks';

/** Webhooks: one entity per subscription; its workflow's input is the subscription's id. */
export const webhookKind: EntityKind<string> = {
  name: 'webhooks',
  taskQueue: TASK_QUEUES.webhooks,
  workflowType: WEBHOOK_SUBSCRIPTION,
  table: 'subscription',
  keyText: (subscriptionId) => subscriptionId,
  workflowId: webhookSubscriptionId,
  workflowInput: (subscriptionId) => subscriptionId,
  searchAttributes: (subscriptionId) =>
    new TypedSearchAttributes([{ key: subscriptionIdKey, value: subscriptionId }]),
  isKey: (sql, subscriptionId) => sql`subscription_id = ${subscriptionId}`,
  // Deliveries are inserted without the subscription's row lock: one under way may have seen the entity alive.
  settleMs: 100,
  wakeChannel: WEBHOOKS_DUE,

  async hasRows(sql, subscriptionId) {
    const rows = await sql`
      select from subscription s join delivery d using (subscription_id)
      where s.subscription_id = ${subscriptionId} and s.state = 'enabled'
        and (s.paused_until is null or s.paused_until <= now())
        and d.state = 'pending' and d.due_at <= now()
        and (d.lease_until is null or d.lease_until <= now() or d.lease_epoch < s.drain_epoch)
      limit 1`;
    return rows.length > 0;
  },

  // Due for 30 s, and free to go for as long: the end of a pause wakes its entity by a timer.
  async takeOverdue(sql, limit) {
    const rows = await sql<{ subscriptionId: string }[]>`
      update subscription s set sweeps = sweeps + 1,
        next_sweep_at = now() + least(30 * power(2, least(sweeps, 7)), 3600) * interval '1 s'
      where subscription_id in (
        select s.subscription_id from subscription s
        where s.state = 'enabled' and s.next_sweep_at <= now()
          and (s.alive_until is null or s.alive_until <= now())
          and (s.paused_until is null or s.paused_until < now() - interval '30 s')
          and exists (
            select from delivery d
            where d.subscription_id = s.subscription_id and d.state = 'pending'
              and d.due_at < now() - interval '30 s')
        limit ${limit} for update skip locked)
      returning subscription_id`;
    return rows.map((row) => row.subscriptionId);
  },
};
