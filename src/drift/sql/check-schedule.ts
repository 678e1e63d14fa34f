import type { PendingQuery, Row } from 'postgres';
import type { Sql } from '../../platform/db/client';
import { keyIs } from '../../platform/db/key-is';
import { isOverdue, isSwept, maySweep, maySweepAtOnce } from '../../platform/queue/lease';
import type { PublicationKey } from '../../uploads/sql/publications';
import { isDueAgain } from './drift-checks';

/**
 * Up to `limit` publications of each kind whose check is overdue, scheduled or to be made again, and whose workflow has
 * no lease. The first reading of a menu that went live is spread over the interval. The menus of deleted stores are
 * left alone.
 */
export async function takeDueChecks(
  sql: Sql,
  limit: number,
  readable: readonly string[],
): Promise<PublicationKey[]> {
  return sql<PublicationKey[]>`
    update publication p set ${isSwept(sql, sql`check_`)}
    from (
      (select store_id, integration_id from publication
        where check_asked > check_done and ${isOverdue(sql, sql`check_asked_at`)}
          and ${maySweep(sql, sql`check_`)}
        limit ${limit})
      union all
      ${scheduledChecks(sql, readable, limit)}
      union all
      (select p.store_id, p.integration_id from publication p
        join integration i using (integration_id) join store s using (store_id)
        where ${isDueAgain(sql)} and p.live_upload_id is not null and i.active
          and ${maySweep(sql, sql`p.check_`)}
        limit ${limit})) as found
    where ${isFound(sql)}
    returning p.store_id, p.integration_id`;
}

/** Whether publication `p` is the one in `found`, which is looked up. */
function isFound(sql: Sql): PendingQuery<Row[]> {
  return sql`${keyIs(sql, sql`p.store_id`, sql`found.store_id`)} and p.integration_id = found.integration_id`;
}

/** Integration by integration, because what is planned for an inactive one stays overdue. */
function scheduledChecks(
  sql: Sql,
  readable: readonly string[],
  limit: number,
): PendingQuery<Row[]> {
  return sql`(
    select due.store_id, due.integration_id from integration i
    cross join lateral (
      select p.store_id, p.integration_id, p.check_at from publication p join store s using (store_id)
      where ${keyIs(sql, sql`p.integration_id`, sql`i.integration_id`)} and p.check_at <= now()
        and p.live_upload_id is not null and s.deleted_at is null
        and ${maySweep(sql, sql`p.check_`)}
      order by p.integration_id, p.check_at limit ${limit}) as due
    where i.active and i.app = any(${[...readable]}::text[])
    order by due.check_at limit ${limit})`;
}

/**
 * Plans the next reading of live menus that have none planned within the interval, spread over it: of up to `limit`
 * without any, and of as many whose reading was planned by a longer interval.
 */
export async function planChecks(
  sql: Sql,
  everyMs: number,
  readable: readonly string[],
  limit: number,
): Promise<void> {
  await sql`
    update publication p set check_at = now() + random() * ${everyMs}::float8 * interval '1 ms',
      ${maySweepAtOnce(sql, sql`check_`)}
    from (
      ${unplannedMenus(sql, readable, limit)}
      union all
      ${menusPlannedTooLate(sql, everyMs, readable, limit)}) as found
    where ${isFound(sql)}`;
}

/** Integration by integration, because publications of apps that cannot be read stay unplanned. */
function unplannedMenus(sql: Sql, readable: readonly string[], limit: number): PendingQuery<Row[]> {
  return sql`(
    select u.store_id, u.integration_id from integration i
    cross join lateral (
      select p.store_id, p.integration_id from publication p join store s using (store_id)
      where p.integration_id = i.integration_id and p.check_at is null
        and p.live_upload_id is not null and s.deleted_at is null
      order by p.store_id limit ${limit}) as u
    where i.app = any(${[...readable]}::text[])
    limit ${limit})`;
}

/** The same, in the order of the index, so that no plan reads every publication to find none. */
function menusPlannedTooLate(
  sql: Sql,
  everyMs: number,
  readable: readonly string[],
  limit: number,
): PendingQuery<Row[]> {
  return sql`(
    select late.store_id, late.integration_id from integration i
    cross join lateral (
      select p.store_id, p.integration_id from publication p join store s using (store_id)
      where ${keyIs(sql, sql`p.integration_id`, sql`i.integration_id`)}
        and p.check_at > now() + ${everyMs}::float8 * interval '1 ms'
        and p.live_upload_id is not null and s.deleted_at is null
      order by p.integration_id, p.check_at limit ${limit}) as late
    where i.app = any(${[...readable]}::text[])
    limit ${limit})`;
}

/** Cancels up to `limit` planned readings: the schedule is off. */
export async function forgetChecks(sql: Sql, limit: number): Promise<void> {
  await sql`
    update publication p set check_at = null
    from (
      select store_id, integration_id from publication
      where check_at is not null and live_upload_id is not null
      order by integration_id, check_at limit ${limit}) as found
    where ${isFound(sql)}`;
}
