import { activityInfo } from '@temporalio/activity';

/** The run that this activity belongs to, for the link from a row to the Temporal UI. */
export function currentRunId(): string {
  return activityInfo().workflowExecution?.runId ?? '';
}
