import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { SWEEP_ID, SWEEP_WORKFLOW, TASK_QUEUES, WORKFLOW_TASK_TIMEOUT } from './workflow-names';

/**
 * Starts the sweep if it does not run; returns whether it was missing. Several workers may do so at once. The interval
 * of its rounds is in activities/sweep-activities.ts.
 */
export async function startSweep(client: Client): Promise<boolean> {
  if (await isSweeping(client)) return false;
  await client.workflow.start(SWEEP_WORKFLOW, {
    workflowId: SWEEP_ID,
    taskQueue: TASK_QUEUES.webhooks,
    args: [],
    workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT,
    workflowIdConflictPolicy: 'USE_EXISTING',
  });
  return true;
}

async function isSweeping(client: Client): Promise<boolean> {
  try {
    const { status } = await client.workflow.getHandle(SWEEP_ID).describe();
    return status.name === 'RUNNING';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}
