import type { PushOutcome } from '../delivery-apps/types';
import type { Sql } from './client';

/** Keeps what an app called back about a task; repeats overwrite, and a task nobody knows is harmless. */
export async function keepAppTask(
  sql: Sql,
  integrationId: number,
  taskId: string,
  outcome: PushOutcome,
): Promise<void> {
  await sql`
    insert into app_task (integration_id, task_id, outcome)
    values (${integrationId}::bigint, ${taskId}, ${JSON.stringify(outcome)}::text::json)
    on conflict (integration_id, task_id)
      do update set outcome = excluded.outcome, received_at = now()`;
}

export async function findAppTask(
  sql: Sql,
  integrationId: number,
  taskId: string,
): Promise<PushOutcome | undefined> {
  const [row] = await sql<{ outcome: PushOutcome }[]>`
    select outcome from app_task
    where integration_id = ${integrationId}::bigint and task_id = ${taskId}`;
  return row?.outcome;
}
