import { TypedSearchAttributes } from '@temporalio/common';
import type { WorkflowKind } from '../platform/queue/workflow-kind';
import { TASK_QUEUES, WEBHOOK_SHARD, webhookShardId } from '../platform/temporal/workflow-names';
import { takeOverdueShards } from './sql/overdue-shards';

/** Webhooks: one workflow for each shard of subscriptions in which deliveries wait; its input is the number of the shard. */
export const webhookShardWorkflow: WorkflowKind<number> = {
  name: 'webhooks',
  taskQueue: TASK_QUEUES.webhooks,
  workflowType: WEBHOOK_SHARD,
  keyText: String,
  workflowId: webhookShardId,
  workflowInput: (shard) => shard,
  searchAttributes: () => new TypedSearchAttributes([]),

  takeOverdue: takeOverdueShards,
};
