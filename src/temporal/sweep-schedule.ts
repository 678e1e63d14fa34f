import {
  type Client,
  ScheduleAlreadyRunning,
  ScheduleOverlapPolicy,
  type ScheduleOptions,
} from '@temporalio/client';
import { SWEEP, TASK_QUEUES } from '../domain/workflow-names';

export const SWEEP_SCHEDULE_ID = 'sweep';
const EVERY = '10s';

/** Makes the sweep's schedule, or brings the one that is there up to date. Safe from many workers at once. */
export async function ensureSweepSchedule(client: Client): Promise<void> {
  const options: ScheduleOptions = {
    scheduleId: SWEEP_SCHEDULE_ID,
    spec: { intervals: [{ every: EVERY }] },
    action: {
      type: 'startWorkflow',
      workflowType: SWEEP,
      workflowId: SWEEP,
      taskQueue: TASK_QUEUES.sweep,
      args: [],
      workflowExecutionTimeout: '5m',
    },
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1m' },
  };
  try {
    await client.schedule.create(options);
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    const { spec, action, policies } = options;
    await client.schedule.getHandle(SWEEP_SCHEDULE_ID).update((was) => ({
      ...was,
      spec,
      // Only what starts a workflow has a workflow id to keep; ours always does.
      action: { ...was.action, ...action },
      policies: { ...was.policies, ...policies },
    }));
  }
}
