import type { PushOutcome } from '../../delivery-apps/app-client';
import type { Sql } from '../../platform/db/client';
import { isOfOtherStore } from './upload-target';
import { hasTask } from './upload-attempts';

/** Stores an app's callback about a task; a repeat overwrites it, and an unknown task does no harm. */
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

/** Removes up to `limit` callbacks older than the retention; returns how many. */
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

/** Deletes the stored callback about a task. */
export async function forgetAppTask(
  sql: Sql,
  integrationId: number,
  taskId: string,
): Promise<void> {
  await sql`
    delete from app_task
    where integration_id = ${integrationId}::bigint and task_id = ${taskId}`;
}

/**
 * The task that a store (by its id in the app) waits for, if it was accepted before `atMs` (ms since epoch), to the
 * second. A task that waits at another store of the app, to which the store was connected before, is not meant.
 */
export async function findWaitingTask(
  sql: Sql,
  integrationId: number,
  appStoreId: string,
  atMs: number,
): Promise<{ readonly storeId: number; readonly taskId: string } | undefined> {
  const [row] = await sql<{ storeId: number; taskId: string }[]>`
    select store_id, u.task_id from menu_upload u
    join store_integration c using (store_id, integration_id)
    join publication p using (store_id, integration_id)
    where integration_id = ${integrationId}::bigint and c.delivery_id = ${appStoreId}
      and u.state = 'running' and ${hasTask(sql)} and not ${isOfOtherStore(sql)}
      and date_trunc('second', u.pushed_at) <= to_timestamp(${atMs / 1000}::float8)`;
  return row;
}
