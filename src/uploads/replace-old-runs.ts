import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import type { Sql } from '../platform/db/client';
import type { Log } from '../platform/observe/log';
import type { Nudger } from '../platform/queue/nudger';
import { MENU_PUBLICATION } from '../platform/temporal/workflow-names';
import { menuPublicationWorkflow } from './menu-publication-workflow';

export interface ReplaceOldRunsDeps {
  readonly sql: Sql;
  readonly temporal: Client;
  readonly nudger: Nudger;
  readonly log: Log;
}

/** The migration of the release whose workflow cannot replay older histories. */
const MIGRATION = 'no_verdict.sql';

/**
 * Terminates publication runs that the previous release started, and has new ones start; their work is in rows.
 * Several workers may do so at once. Never rejects: an old run would only fail its task until somebody terminates it,
 * and a Temporal that cannot list runs must not keep a worker from working.
 */
export async function replaceOldRuns(deps: ReplaceOldRunsDeps): Promise<void> {
  try {
    await replaceRuns(deps);
  } catch (error) {
    deps.log.warn({ err: error }, 'runs of the previous release cannot be replaced');
  }
}

async function replaceRuns({ sql, temporal, nudger, log }: ReplaceOldRunsDeps): Promise<void> {
  const [migration] = await sql<{ appliedAt: Date }[]>`
    select applied_at from schema_migration where name like ${`%${MIGRATION}`}`;
  if (!migration) return;
  const query =
    `WorkflowType = '${MENU_PUBLICATION}' and ExecutionStatus = 'Running' ` +
    `and StartTime < '${migration.appliedAt.toISOString()}'`;
  let replaced = 0;
  for await (const { workflowId, runId } of temporal.workflow.list({ query })) {
    const [, storeId, integrationId] = workflowId.split('/').map(Number);
    if (storeId === undefined || integrationId === undefined) continue;
    try {
      await temporal.workflow.getHandle(workflowId, runId).terminate('its release was replaced');
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    }
    await nudger.nudge(menuPublicationWorkflow, { storeId, integrationId }, false);
    replaced += 1;
  }
  if (replaced > 0) log.info({ replaced }, 'runs of the previous release were replaced');
}
