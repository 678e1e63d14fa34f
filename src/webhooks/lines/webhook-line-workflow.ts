import { TypedSearchAttributes } from '@temporalio/common';
import { waitingIds, waitingSubscriptions } from '../sql/webhook-lines';
import { TASK_QUEUES, WEBHOOK_LINE, webhookLineId } from '../../platform/temporal/workflow-names';
import { nextSweepAt, type WorkflowKind } from '../../platform/queue/workflow-kind';

/** Webhooks: one workflow per line of subscriptions; its input is the number of the line. */
export const webhookLineWorkflow: WorkflowKind<number> = {
  name: 'webhooks',
  taskQueue: TASK_QUEUES.webhooks,
  workflowType: WEBHOOK_LINE,
  keyText: String,
  workflowId: webhookLineId,
  workflowInput: (line) => line,
  searchAttributes: () => new TypedSearchAttributes([]),

  // Due for 30 s and not held back for that long: a timer wakes the line at the end of a pause.
  async takeOverdue(sql, limit) {
    const rows = await sql<{ line: number }[]>`
      with recursive ${waitingIds(sql)},
      overdue as (
        select distinct s.line from ${waitingSubscriptions(sql)}
        where s.state = 'enabled'
          and (s.paused_until is null or s.paused_until < now() - interval '30 s')
          and exists (
            select from delivery d
            where d.subscription_id = s.subscription_id
              and d.due_at < now() - interval '30 s')
      )
      update webhook_line w set sweeps = sweeps + 1,
        next_sweep_at = ${nextSweepAt(sql)}
      where w.line in (
        select l.line from webhook_line l join overdue using (line)
        where l.next_sweep_at <= now() and (l.alive_until is null or l.alive_until <= now())
        limit ${limit} for update of l skip locked)
      returning w.line`;
    return rows.map((row) => row.line);
  },
};
