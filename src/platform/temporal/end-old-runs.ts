import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import type { Log } from '../observe/log';

/** Workflow types of earlier releases that no worker runs any more. Their work is in rows. */
const OLD_TYPES = ['webhookSubscription', 'sweep'];

/**
 * Terminates remaining workflows of earlier releases; their work is found by its rows. Several workers may do so at
 * once. Never rejects: such runs only clutter the UI, and a Temporal that cannot list runs, for example while its
 * index is rebuilt, must not keep a worker from working.
 */
export async function endOldRuns(client: Client, log: Log): Promise<void> {
  try {
    await endRuns(client, log);
  } catch (error) {
    log.warn({ err: error }, 'runs of workflows of an earlier release cannot be ended');
  }
}

async function endRuns(client: Client, log: Log): Promise<void> {
  const types = OLD_TYPES.map((type) => `'${type}'`).join(', ');
  const query = `WorkflowType in (${types}) and ExecutionStatus = 'Running'`;
  let ended = 0;
  for await (const { workflowId, runId } of client.workflow.list({ query })) {
    try {
      await client.workflow.getHandle(workflowId, runId).terminate('its release was replaced');
      ended += 1;
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    }
  }
  if (ended > 0) log.info({ ended }, 'runs of workflows of an earlier release were ended');
}
