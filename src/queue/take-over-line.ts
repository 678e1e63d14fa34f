import type { Client } from '@temporalio/client';
import { TAKE_OVER_SIGNAL } from '../domain/workflow-names';
import type { Log } from '../log';
import { webhookKind } from './webhook-kind';

const TIMEOUT_MS = 2_000;

/**
 * Tells the workflow of a line that its drain, the one with this epoch, is dead, so that it begins another one now and
 * not when a heartbeat is missed. Never rejects: who found it dead finds it so again.
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
        typedSearchAttributes: webhookKind.searchAttributes(line),
      }),
    );
    log.warn({ line, epoch }, 'a line whose worker is gone is taken over');
  } catch (error) {
    log.warn({ line, err: error }, 'a line whose worker is gone cannot be taken over yet');
  }
}
