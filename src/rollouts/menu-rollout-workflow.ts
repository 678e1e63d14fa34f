import { TypedSearchAttributes } from '@temporalio/common';
import { nextSweepAt, type WorkflowKind } from '../platform/queue/workflow-kind';
import { MENU_ROLLOUT, menuRolloutId, TASK_QUEUES } from '../platform/temporal/workflow-names';
import type { RolloutId } from './sql/rollouts';

/** Rollouts: one workflow each. */
export const menuRolloutWorkflow: WorkflowKind<RolloutId> = {
  name: 'rollout',
  taskQueue: TASK_QUEUES.menus,
  workflowType: MENU_ROLLOUT,
  keyText: (rolloutId) => rolloutId,
  workflowId: menuRolloutId,
  workflowInput: (rolloutId) => rolloutId,
  searchAttributes: () => new TypedSearchAttributes([]),
  async takeOverdue(sql, limit) {
    const rows = await sql<{ rolloutId: RolloutId }[]>`
      update rollout o set sweeps = sweeps + 1,
        next_sweep_at = ${nextSweepAt(sql)}
      where rollout_id in (
        select rollout_id from rollout
        where state in ('running', 'reverting') and next_sweep_at < now() - interval '30 s'
          and (alive_until is null or alive_until <= now())
        limit ${limit} for update skip locked)
      returning o.rollout_id`;
    return rows.map((row) => row.rolloutId);
  },
};
