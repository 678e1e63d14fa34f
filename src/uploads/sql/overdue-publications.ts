import { isOverdue, isSwept, maySweep } from '../../platform/queue/lease';
import type { Sql } from '../../platform/db/client';
import type { PublicationKey } from './publications';

/** `takeOverdue` of menu uploads. */
export async function takeOverduePublications(sql: Sql, limit: number): Promise<PublicationKey[]> {
  return sql<PublicationKey[]>`
    -- From what waits, along menu_upload_due: nearly all publications are at rest.
    with due as materialized (
      select distinct u.store_id, u.integration_id from menu_upload u
      where u.state in ('queued', 'running') and not u.held
        and ${isOverdue(sql, sql`coalesce(u.next_attempt_at, u.created_at)`)}
    ), overdue as (
      select o.store_id, o.integration_id from due d cross join lateral (
        select p.store_id, p.integration_id from publication p
        where p.store_id = d.store_id and p.integration_id = d.integration_id
          and ${maySweep(sql, sql`p.`)}
          and exists (
            select from menu_upload u
            where u.store_id = p.store_id and u.integration_id = p.integration_id
              and u.state in ('queued', 'running') and not u.held
              and ${isOverdue(
                sql,
                sql`greatest(u.next_attempt_at, u.created_at, u.released_at,
                  case when p.slot_upload_id <> u.upload_id
                    then greatest(p.slot_until, p.slot_settles_until) end)`,
              )})
        for update skip locked) as o
      limit ${limit}
    )
    update publication p set ${isSwept(sql)}
    from overdue o where p.store_id = o.store_id and p.integration_id = o.integration_id
    returning p.store_id, p.integration_id`;
}
