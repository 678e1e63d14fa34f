import type { Config } from '../platform/config/config';
import type { WorkflowKind } from '../platform/queue/workflow-kind';
import { DRIFT_CHECK, driftCheckId, TASK_QUEUES } from '../platform/temporal/workflow-names';
import { readableApps } from '../delivery-apps/registry';
import { menuWorkflow } from '../uploads/menu-workflow';
import type { PublicationKey } from '../uploads/sql/publications';
import { forgetChecks, planChecks, takeDueChecks } from './sql/drift-checks';

/** Checks of what is live: one workflow per store and integration, beside the one of its menus. */
export const driftCheckWorkflow: WorkflowKind<PublicationKey> = {
  ...menuWorkflow,
  name: 'check',
  taskQueue: TASK_QUEUES.menus,
  workflowType: DRIFT_CHECK,
  workflowId: ({ storeId, integrationId }) => driftCheckId(storeId, integrationId),
  takeOverdue: (sql, limit) => takeDueChecks(sql, limit, readableApps()),
};

/** The same for the sweep, which also plans the scheduled readings. */
export function sweptChecks({
  DRIFT_CHECK_EVERY: everyMs,
}: Pick<Config, 'DRIFT_CHECK_EVERY'>): WorkflowKind<PublicationKey> {
  return {
    ...driftCheckWorkflow,
    async takeOverdue(sql, limit) {
      await (everyMs === null ? forgetChecks(sql) : planChecks(sql, everyMs, readableApps()));
      return takeDueChecks(sql, limit, readableApps());
    },
  };
}
