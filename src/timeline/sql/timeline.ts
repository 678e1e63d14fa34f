import type { PendingQuery, Row } from 'postgres';
import type { Sql } from '../../platform/db/client';
import { keyIs } from '../../platform/db/key-is';
import type { TimelineKey, TimelineKind } from '../timeline';

export interface TimelineFilter {
  readonly storeId: number;
  /** Inclusive. */
  readonly since?: Date;
  /** Exclusive. */
  readonly until?: Date;
  /** The last entry of the previous page. */
  readonly before?: TimelineKey;
  readonly limit: number;
}

/**
 * Where the newest `limit` entries of a store are: as many of each kind by an index of its own, merged. What was asked
 * for counts as of its acceptance, which does not change; a delivery as of its failure.
 */
export async function listTimelineKeys(sql: Sql, filter: TimelineFilter): Promise<TimelineKey[]> {
  const key = (kind: TimelineKind, at: PendingQuery<Row[]>, id: PendingQuery<Row[]>) =>
    sql`select ${kind}::text as kind, ${at} as at, ${id} as id`;
  const within = (kind: TimelineKind, at: PendingQuery<Row[]>, id: PendingQuery<Row[]>) =>
    sql`${keyIs(sql, sql`t.store_id`, sql`${filter.storeId}::bigint`)} ${isWithin(sql, filter, kind, at, id)}`;
  const newest = (at: PendingQuery<Row[]>, id: PendingQuery<Row[]>) =>
    sql`order by t.store_id desc, ${at} desc, ${id} desc limit ${filter.limit}`;
  const created = sql`t.created_at`;
  const [upload, change, delivery] = [sql`t.upload_id`, sql`t.change_id`, sql`t.delivery_id`];
  const [found, ended] = [sql`t.found_at`, sql`t.finished_at`];
  // As text in the order of the numbers.
  const finding = sql`lpad(t.finding_no::text, 19, '0')`;
  return sql<TimelineKey[]>`
    select kind, (extract(epoch from at) * 1000000)::bigint as at_us, id from (
      (${key('upload', created, upload)} from menu_upload t
        where ${within('upload', created, upload)} ${newest(created, upload)})
      union all
      -- Of a rollout to several apps of the store, the first upload stands for all.
      (${key('rollout', created, upload)} from menu_upload t
        where ${within('rollout', created, upload)} and t.rollout_id is not null
          and not exists (select from menu_upload f
            where ${keyIs(sql, sql`f.store_id`, sql`t.store_id`)} and f.created_at = t.created_at
              and f.rollout_id = t.rollout_id and f.upload_id < t.upload_id)
        ${newest(created, upload)})
      union all
      (${key('availability', created, change)} from availability_change t
        where ${within('availability', created, change)} and t.cause <> 'menu' and t.kind <> 'pause'
        ${newest(created, change)})
      union all
      (${key('pause', created, change)} from availability_change t
        where ${within('pause', created, change)} and t.cause <> 'menu' and t.kind = 'pause'
        ${newest(created, change)})
      union all
      (${key('drift', found, finding)} from drift_finding t
        where ${within('drift', found, finding)} ${newest(found, finding)})
      union all
      (${key('delivery', ended, delivery)} from ended_delivery t
        where ${within('delivery', ended, delivery)} and t.type <> 3
          and t.state in ('refused', 'exhausted', 'discarded')
        ${newest(ended, delivery)})
    ) as happened
    order by at desc, kind desc, id desc limit ${filter.limit}`;
}

/** Whether an entry of this kind is in the wanted time, and behind the last one of the previous page. */
function isWithin(
  sql: Sql,
  { since, until, before }: TimelineFilter,
  kind: TimelineKind,
  at: PendingQuery<Row[]>,
  id: PendingQuery<Row[]>,
): PendingQuery<Row[]> {
  return sql`
    ${since === undefined ? sql`` : sql`and ${at} >= ${since}::timestamptz`}
    ${until === undefined ? sql`` : sql`and ${at} < ${until}::timestamptz`}
    ${before === undefined ? sql`` : isBehind(sql, before, kind, at, id)}`;
}

function isBehind(
  sql: Sql,
  { atUs, kind: lastKind, id: lastId }: TimelineKey,
  kind: TimelineKind,
  at: PendingQuery<Row[]>,
  id: PendingQuery<Row[]>,
): PendingQuery<Row[]> {
  const last = sql`timestamptz 'epoch' + ${atUs}::bigint * interval '1 us'`;
  if (kind > lastKind) return sql`and ${at} < ${last}`;
  if (kind < lastKind) return sql`and ${at} <= ${last}`;
  return sql`and ${at} <= ${last} and (${at} < ${last} or ${id} < ${lastId})`;
}
