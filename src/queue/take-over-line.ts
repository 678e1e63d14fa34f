import type { Client } from '@temporalio/client';
import { TAKE_OVER_SIGNAL, WORKFLOW_TASK_TIMEOUT } from '../domain/workflow-names';
import type { Log } from '../log';
import { webhookKind } from './webhook-kind';

const TIMEOUT_MS = 2_000;

/**
 * Tells the workflow of a line that it needs another drain than the one with this epoch, so that it begins one now and
 * not when a heartbeat is missed. Never rejects: who found the line without a drain finds it so again.
 */
export async function takeOverLine(
  { temporal, log }: { temporal: Client; log: Log },
  line: number,
  epoch: number,
): Promise<void> {
  try {
    await temporal.withDeadline(Date.now() + TIMEOUT_MS, () =>
      temporal.workflow.signalWithStart(webhookKind.workflowType, {
        workflowId: webhookKind.workflowId(line),
        taskQueue: webhookKind.taskQueue,
        args: [webhookKind.workflowInput(line)],
        signal: TAKE_OVER_SIGNAL,
        signalArgs: [epoch],
        workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT,
        typedSearchAttributes: webhookKind.searchAttributes(line),
      }),
    );
    log.warn({ line, epoch }, 'a line without a drain gets another one');
  } catch (error) {
    log.warn({ line, err: error }, 'a line without a drain cannot get another one yet');
  }
}
