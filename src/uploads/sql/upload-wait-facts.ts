import { appsApprovedByPeople } from '../../delivery-apps/registry';
import type { UploadWait } from '../../contract/why-it-waits';
import type { UploadId } from '../../platform/ids';
import type { Sql } from '../../platform/db/client';
import { isLeased } from '../../platform/queue/lease';

/** The facts about why these uploads wait; those that have ended are left out. */
export async function findUploadWaits(
  sql: Sql,
  uploadIds: readonly UploadId[],
): Promise<(UploadWait & { readonly uploadId: UploadId })[]> {
  return sql<(UploadWait & { readonly uploadId: UploadId })[]>`
    select u.upload_id, now() as now, greatest(u.released_at, u.created_at) as ready_since,
      u.state = 'queued' as is_queued, u.held as is_held,
      ${isLeased(sql, sql`p.`)} as is_leased, u.waits_for, u.next_attempt_at, u.next_try_at,
      u.wait_reason, u.retry_reason as words, u.waiting_since, u.failed_tries,
      exists (
        select from menu_upload o
        where o.store_id = u.store_id and o.integration_id = u.integration_id and o.state = 'running'
          and o.seq < u.seq) as is_behind_earlier,
      case when p.slot_upload_id <> u.upload_id then greatest(p.slot_until, p.slot_settles_until) end
        as earlier_until,
      s.name as step, s.started_at as step_since,
      case when u.task_id is not null
          and coalesce(u.app, i.app) = any(${[...appsApprovedByPeople()]}::text[])
        then u.pushed_at end as approval_since
    from menu_upload u join publication p using (store_id, integration_id)
      join integration i using (integration_id)
      left join lateral (
        select name, started_at from upload_step
        where upload_id = u.upload_id and state = 'running' order by started_at desc limit 1) as s on true
    where u.upload_id = any(${[...uploadIds]}::text[]) and u.state in ('queued', 'running')`;
}
