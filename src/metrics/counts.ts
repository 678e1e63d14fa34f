import type { PendingQuery, Row } from 'postgres';
import type { RolloutState } from '../rollouts/rollout';
import type { UploadState } from '../uploads/upload';
import type { Sql } from '../platform/db/client';
import { MESSAGE_NAMES, type MessageName } from './waiting-deliveries';

/** The most rows of a kind that are counted, so that a scrape costs the same however many there are. */
export const COUNTED_ROWS = 20_000;

export interface UploadCount {
  readonly state: UploadState;
  readonly count: number;
}

/** How many uploads wait or run now, and how many ended within the last hour; of each kind up to `COUNTED_ROWS`. */
export async function countUploads(sql: Sql): Promise<UploadCount[]> {
  return sql<UploadCount[]>`
    select state, count(*)::int as count from (${unfinishedUploads(sql)}) as unfinished group by state
    union all
    select state, count(*)::int from (${endedWithinHour(sql, sql`menu_upload`, sql`state`)}) as ended group by state`;
}

/** Uploads that have not ended, up to `COUNTED_ROWS`, in the order that only the index of these has. */
export function unfinishedUploads(sql: Sql): PendingQuery<Row[]> {
  return sql`
    select integration_id, state from menu_upload where state in ('queued', 'running')
    order by store_id, integration_id, seq limit ${COUNTED_ROWS}`;
}

/** The newest that ended within the last hour, up to `COUNTED_ROWS`, by the index of a table on `finished_at`. */
export function endedWithinHour(
  sql: Sql,
  table: PendingQuery<Row[]>,
  columns: PendingQuery<Row[]>,
): PendingQuery<Row[]> {
  return sql`
    select ${columns} from ${table} where finished_at > now() - interval '1 hour'
    order by finished_at desc limit ${COUNTED_ROWS}`;
}

export interface RolloutCount {
  readonly state: RolloutState;
  readonly count: number;
}

/** How many rollouts are under way, and how many ended within the last hour; of each kind up to `COUNTED_ROWS`. */
export async function countRollouts(sql: Sql): Promise<RolloutCount[]> {
  return sql<RolloutCount[]>`
    select state, count(*)::int as count from (
      select state from rollout where state in ('running', 'reverting')
      order by next_sweep_at limit ${COUNTED_ROWS}) as under_way
    group by state
    union all
    select state, count(*)::int from (${endedWithinHour(sql, sql`rollout`, sql`state`)}) as ended group by state`;
}

export interface SubscriptionCount {
  readonly type: MessageName;
  readonly state: 'enabled' | 'paused' | 'disabled';
  readonly count: number;
}

/** The number of webhooks by state; paused: no attempt has succeeded since its series of failures. */
export async function countSubscriptions(sql: Sql): Promise<SubscriptionCount[]> {
  return sql<SubscriptionCount[]>`
    select (${[...MESSAGE_NAMES]}::text[])[type] as type,
      case when state = 'disabled' then 'disabled'
        when paused_until is not null then 'paused' else 'enabled' end as state,
      count(*)::int as count
    from subscription where deleted_at is null group by 1, 2`;
}

export interface DriftedMenus {
  readonly app: string;
  readonly count: number;
}

/** The live menus that their app showed otherwise when it was last read, by app; found by an index of these alone. */
export async function countDriftedMenus(sql: Sql): Promise<DriftedMenus[]> {
  return sql<DriftedMenus[]>`
    select i.app, count(*)::int as count
    from publication p join integration i using (integration_id) join store s using (store_id)
    where p.drift_state = 'changed' and s.deleted_at is null group by i.app`;
}
