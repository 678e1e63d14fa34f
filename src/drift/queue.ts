import type { Config } from '../platform/config/config';
import type { WorkflowKind } from '../platform/queue/workflow-kind';
import { DRIFT_CHECK, driftCheckId, TASK_QUEUES } from '../platform/temporal/workflow-names';
import { readableApps } from '../delivery-apps/registry';
import { menuPublicationWorkflow } from '../uploads/queue';
import type { PublicationKey } from '../uploads/sql/publications';
import { forgetChecks, planChecks, takeDueChecks } from './sql/check-schedule';

/** Reads back live menus: one workflow per store and integration, beside the one of its menus. */
export const driftCheckWorkflow: WorkflowKind<PublicationKey> = {
  ...menuPublicationWorkflow,
  name: 'check',
  taskQueue: TASK_QUEUES.menus,
  workflowType: DRIFT_CHECK,
  workflowId: ({ storeId, integrationId }) => driftCheckId(storeId, integrationId),
  takeOverdue: (sql, limit) => takeDueChecks(sql, limit, readableApps()),
};

/** The most readings that one round of the sweep plans or cancels: it takes some ten milliseconds, and wakes wait for it. */
const PLANNED_CHECKS = 2_000;

/** The same for the sweep, which also plans the scheduled readings, or cancels them when the schedule is off. */
export function sweptChecks({
  DRIFT_CHECK_EVERY: everyMs,
}: Pick<Config, 'DRIFT_CHECK_EVERY'>): WorkflowKind<PublicationKey> {
  return {
    ...driftCheckWorkflow,
    async takeOverdue(sql, limit) {
      await (everyMs === null
        ? forgetChecks(sql, PLANNED_CHECKS)
        : planChecks(sql, everyMs, readableApps(), PLANNED_CHECKS));
      return takeDueChecks(sql, limit, readableApps());
    },
  };
}
