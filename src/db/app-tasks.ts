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

/** Removes up to `limit` callbacks older than the retention; how many. */
export async function removeExpiredAppTasks(
  sql: Sql,
  days: number,
  limit: number,
): Promise<number> {
  const rows = await sql`
    delete from app_task where (integration_id, task_id) in (
      select integration_id, task_id from app_task
      where received_at < now() - ${days}::int * interval '1 day'
      limit ${limit} for update skip locked)
    returning task_id`;
  return rows.length;
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
