import type { SubscriptionWakefulness } from '../sql/announcements';
import { nudgeInBackground, type Nudger } from '../../platform/queue/nudger';
import { webhookLineWorkflow } from './webhook-line-workflow';
import type { Sql } from '../../platform/db/client';
import { assignLines, findSleepingLines } from '../sql/webhook-lines';
import type { Log } from '../../platform/observe/log';
import type { Client } from '@temporalio/client';
import {
  TAKE_OVER_SIGNAL,
  WAKE_SIGNAL,
  WORKFLOW_TASK_TIMEOUT,
} from '../../platform/temporal/workflow-names';

/**
 * Nudges the lines of subscriptions that have new rows. A line with a drain has heard the NOTIFY and gets no signal.
 * Calls `onBlocked` for each subscription whose deliveries do not go out for now: it is disabled or paused, or Temporal
 * cannot be reached and only the sweep will find it.
 */
export function nudgeLinesOf(
  nudger: Nudger,
  subscriptions: readonly SubscriptionWakefulness[],
  onBlocked: (subscriptionId: string) => void = () => {},
): void {
  for (const { subscriptionId, line, alive, epoch, blockedBy } of subscriptions) {
    if (blockedBy) onBlocked(subscriptionId);
    // The line of a paused subscription waits for its end, so it must know that there is something to send then.
    if (blockedBy === 'disabled') continue;
    const nudge = { kind: webhookLineWorkflow, key: line, alive, epoch };
    nudgeInBackground(nudger, nudge, () => onBlocked(subscriptionId));
  }
}

/**
 * Nudges a line that has new rows, but no drain since the one with this epoch (see `LINES_ASLEEP`). All workers do so:
 * whichever comes first starts it, and the others' signals change nothing. If none is taken, the line is found asleep.
 */
export function nudgeLine(nudger: Nudger, line: number, epoch: number): void {
  nudgeInBackground(
    nudger,
    { kind: webhookLineWorkflow, key: line, alive: false, epoch },
    () => {},
  );
}

/**
 * Run by a worker at startup: distributes the subscriptions over this many lines while other workers continue, and
 * wakes those that have something to send. A line that lost subscriptions finishes its requests in flight.
 */
export async function startLines(
  { sql, nudger, log }: { sql: Sql; nudger: Nudger; log: Log },
  shards: number,
): Promise<void> {
  const moved = await assignLines(sql, shards);
  if (moved > 0) log.info({ shards, moved }, 'subscriptions were moved to other lines');
  const lines = await findSleepingLines(sql);
  await Promise.all(lines.map(({ line }) => nudger.nudge(webhookLineWorkflow, line, false)));
}

/**
 * Tells the workflow of a line that it needs another drain than the one with this epoch, so that it starts one now
 * rather than after a missed heartbeat. Calls of `temporal` must end by themselves (`callTimeoutMs`). Never rejects:
 * the caller will find the line without a drain again.
 */
export async function takeOverLine(
  { temporal, log }: { temporal: Client; log: Log },
  line: number,
  epoch: number,
): Promise<void> {
  try {
    const handle = await temporal.workflow.signalWithStart(webhookLineWorkflow.workflowType, {
      workflowId: webhookLineWorkflow.workflowId(line),
      taskQueue: webhookLineWorkflow.taskQueue,
      args: [webhookLineWorkflow.workflowInput(line)],
      signal: TAKE_OVER_SIGNAL,
      signalArgs: [epoch],
      workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT,
      typedSearchAttributes: webhookLineWorkflow.searchAttributes(line),
    });
    // A line that waits for a later try has no drain to take over, and would go on waiting.
    await handle.signal(WAKE_SIGNAL);
    log.warn({ line, epoch }, 'a line had no drain; its workflow was told to start one');
  } catch (error) {
    log.warn({ line, err: error }, 'a line has no drain, and its workflow cannot be told now');
  }
}
