import { TypedSearchAttributes } from '@temporalio/common';
import type { WorkflowKind } from '../platform/queue/workflow-kind';
import { MENU_ROLLOUT, menuRolloutId, TASK_QUEUES } from '../platform/temporal/workflow-names';
import { takeOverdueRollouts } from './sql/overdue-rollouts';
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
  takeOverdue: takeOverdueRollouts,
};
