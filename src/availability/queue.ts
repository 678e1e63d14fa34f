import type { PublicationKey } from '../uploads/sql/publications';
import {
  STORE_AVAILABILITY,
  storeAvailabilityId,
  TASK_QUEUES,
} from '../platform/temporal/workflow-names';
import type { WorkflowKind } from '../platform/queue/workflow-kind';
import { menuPublicationWorkflow } from '../uploads/queue';
import { takeOverdueQueues } from './sql/overdue-queues';

/**
 * Tells an app which items are off sale and whether the store is paused: one workflow for each queue, beside that of
 * its menus.
 */
export const storeAvailabilityWorkflow: WorkflowKind<PublicationKey> = {
  ...menuPublicationWorkflow,
  name: 'availability',
  taskQueue: TASK_QUEUES.menus,
  workflowType: STORE_AVAILABILITY,
  workflowId: ({ storeId, integrationId }) => storeAvailabilityId(storeId, integrationId),

  takeOverdue: takeOverdueQueues,
};
