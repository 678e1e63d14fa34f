import { REVERT_STATES, TARGET_STATES } from '../../../schemas/states';
import type { Viewer } from '../../users/sql/users';
import type { PendingQuery, Row } from 'postgres';
import type { Sql } from '../../platform/db/client';
import { maySweepAtOnce } from '../../platform/queue/lease';
import { keyIs } from '../../platform/db/key-is';
import { onlyRow } from '../../platform/db/only-row';
import type { Id, UploadId } from '../../platform/ids';
import { canceledWords, isBetweenTries } from '../../uploads/sql/upload-cancel';
import { skipOpenSteps } from '../../uploads/sql/upload-steps';
import { notifyRowsDone } from '../../platform/db/row-done';
import {
  countsOf,
  type RevertCounts,
  type RolloutState,
  type TargetCounts,
  type TargetState,
} from '../rollout';
import { membersOfBoth } from './members-of-both';

export type RolloutId = Id<'rol'>;

/** A rollout as callers see it. */
export interface RolloutView {
  readonly rolloutId: RolloutId;
  readonly state: RolloutState;
  readonly parallel: number;
  readonly stopAfterFailures: number;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
  readonly counts: TargetCounts;
  /** Null unless it was reverted. */
  readonly revert: RevertCounts | null;
}

type RolloutRow = Omit<RolloutView, 'counts' | 'revert'> & {
  /** Without the states that no target is in. */
  readonly counts: Partial<TargetCounts> | null;
  readonly revert: Partial<RevertCounts> | null;
};

/** A rollout that the viewer started; operators see all. */
export async function findRollout(
  sql: Sql,
  viewer: Viewer,
  rolloutId: RolloutId,
): Promise<RolloutView | undefined> {
  const [row] = await sql<RolloutRow[]>`
    select ${rolloutColumns(sql)} from rollout o
    where o.rollout_id = ${rolloutId} and ${isVisible(sql, viewer)}`;
  return row && viewOf(row);
}

/** The rollouts that the viewer started, newest first. */
export async function listRollouts(
  sql: Sql,
  viewer: Viewer,
  filter: { readonly state?: RolloutState; readonly before?: string; readonly limit: number },
): Promise<RolloutView[]> {
  const { state, before, limit } = filter;
  const own = keyIs(sql, sql`o.user_id`, sql`${viewer.userId}`);
  const rows = await sql<RolloutRow[]>`
    select ${rolloutColumns(sql)} from rollout o
    where ${viewer.seesAll ? sql`true` : own}
      ${state === undefined ? sql`` : sql`and o.state = ${state}`}
      ${before === undefined ? sql`` : sql`and o.rollout_id < ${before}`}
    order by ${viewer.seesAll ? sql`` : sql`o.user_id desc,`} o.rollout_id desc limit ${limit}`;
  return rows.map(viewOf);
}

/** The rollouts of the viewer that a request started, newest first; callers may give many requests the same id. */
export async function listRolloutsOfRequest(
  sql: Sql,
  viewer: Viewer,
  requestId: string,
  limit: number,
): Promise<RolloutView[]> {
  const rows = await sql<RolloutRow[]>`
    select ${rolloutColumns(sql)} from rollout o
    where ${keyIs(sql, sql`o.request_id`, sql`${requestId}`)} and ${isVisible(sql, viewer)}
    order by o.request_id desc, o.rollout_id desc limit ${limit}`;
  return rows.map(viewOf);
}

function viewOf({ counts, revert, ...row }: RolloutRow): RolloutView {
  const isReverted = row.state === 'reverting' || row.state === 'reverted';
  return {
    ...row,
    counts: { ...countsOf(TARGET_STATES, []), ...counts },
    revert: isReverted ? { ...countsOf(REVERT_STATES, []), ...revert } : null,
  };
}

/** What has ended has its counts in its row. */
function rolloutColumns(sql: Sql): PendingQuery<Row[]> {
  return sql`o.rollout_id, o.state, o.parallel, o.stop_after_failures, o.created_at, o.finished_at,
    coalesce(o.counts, ${countsBy(sql, sql`state`)}) as counts,
    case when o.state in ('reverting', 'reverted')
      then coalesce(o.revert_counts, ${countsBy(sql, sql`revert_state`)}) end as revert`;
}

function countsBy(sql: Sql, column: PendingQuery<Row[]>): PendingQuery<Row[]> {
  return sql`(select json_object_agg(state, count) from (
    select ${column} as state, count(*)::int as count from rollout_target_state t
    where t.rollout_id = o.rollout_id group by 1) as counted)`;
}

/** A condition on rollout `o`. One over both kinds of viewers would be no condition on an index. */
function isVisible(sql: Sql, viewer: Viewer): PendingQuery<Row[]> {
  return viewer.seesAll ? sql`true` : sql`o.user_id = ${viewer.userId}`;
}

/** A target as callers see it. */
export interface TargetView {
  readonly position: number;
  readonly sent: { readonly store_id: string | number; readonly integration_id: string | number };
  readonly storeId: number | null;
  readonly state: TargetState;
  readonly uploadId: UploadId | null;
  readonly messages: readonly string[];
  /** Whether the app shows the rollout's menu. */
  readonly live: boolean;
}

/** The targets of a rollout in the order in which they were sent, after position `after`. */
export async function listTargets(
  sql: Sql,
  rolloutId: RolloutId,
  filter: { readonly state?: TargetState; readonly after: number; readonly limit: number },
): Promise<TargetView[]> {
  return sql<TargetView[]>`
    select t.position, t.sent, t.store_id, t.state, t.upload_id,
      coalesce(t.refusal, t.messages, '[]') as messages,
      coalesce(p.live_upload_id = t.upload_id, false) as live
    from rollout_target_state t
    left join publication p on p.store_id = t.store_id and p.integration_id = t.integration_id
    where t.rollout_id = ${rolloutId} and t.position > ${filter.after}::int
      ${filter.state === undefined ? sql`` : sql`and t.state = ${filter.state}`}
    order by t.position limit ${filter.limit}`;
}

/**
 * Starts no further targets and ends those that are not being pushed: held ones, and those that wait for another try
 * of an app that answered. False = the rollout has ended.
 */
export async function cancelRollout(sql: Sql, rolloutId: RolloutId): Promise<boolean> {
  const rows = await sql<{ canceled: number }[]>`
    with canceled as (
      update rollout set ends_as = 'canceled' where rollout_id = ${rolloutId} and state = 'running'
      returning rollout_id
    ), waiting as materialized (
      -- In the order in which a pass releases them, so that the two never wait for each other.
      select u.upload_id from menu_upload u, canceled c
      where u.rollout_id = c.rollout_id and u.task_id is null and not u.may_be_shown
        and ${isBetweenTries(sql)}
      order by u.upload_id for no key update of u
    ), ended as (
      update menu_upload u set state = 'canceled', finished_at = now(), next_attempt_at = null,
        next_try_at = null, waits_for = null, messages = ${canceledWords(sql)}
      from waiting w where u.upload_id = w.upload_id
      returning u.upload_id, u.awaited_until
    ), skipped as (
      ${skipOpenSteps(sql, sql`select upload_id from ended`)}
    ), notified as (
      ${notifyRowsDone(sql, sql`select upload_id as id from ended where awaited_until > now()`)}
    )
    select count(*)::int as canceled, (select count(*) from notified) as notified from canceled`;
  return onlyRow(rows).canceled > 0;
}

/** Starts to revert a rollout, if it has ended and was not reverted yet. False = it is in another state. */
export async function beginRevert(sql: Sql, rolloutId: RolloutId): Promise<boolean> {
  const rows = await sql`
    update rollout set state = 'reverting', finished_at = null, revert_began_at = now(),
      ${maySweepAtOnce(sql)}
    where rollout_id = ${rolloutId} and state in ('done', 'stopped', 'canceled')
    returning rollout_id`;
  return rows.length > 0;
}

/**
 * Removes the oldest rollouts that ended before the retention, with their targets, until these are `limit` or more;
 * returns how many targets that were. Fewer than `limit` = there are no more. Their remaining uploads (for example
 * live ones) take over the rollout's additional fields, so that their menus can still be read as they were sent.
 */
export async function removeExpiredRollouts(
  sql: Sql,
  days: number,
  limit: number,
): Promise<number> {
  const rows = await sql<{ targets: number }[]>`
    with expired as (
      select rollout_id, sent_beside, finished_at from rollout
      where finished_at < now() - ${days}::int * interval '1 day'
      order by finished_at limit ${limit} for update skip locked
    ), counted as (
      select e.*, coalesce(last.position, 0) + 1 as targets,
        sum(coalesce(last.position, 0) + 1) over (order by e.finished_at, e.rollout_id) as up_to
      from expired e left join lateral (
        select position from rollout_target t where t.rollout_id = e.rollout_id
        order by position desc limit 1
      ) last on true
    ), old as (
      select * from counted where up_to - targets < ${limit}
    ), handed_over as (
      update menu_upload u
      set sent_beside = ${membersOfBoth(sql, sql`u.sent_beside`, sql`old.sent_beside`)}
      from old
      where u.rollout_id = old.rollout_id and u.republished_from is null
        and old.sent_beside::text <> '{}'
    ), removed as (
      delete from rollout o using old where o.rollout_id = old.rollout_id
    )
    select coalesce(sum(targets), 0)::int as targets from old`;
  return onlyRow(rows).targets;
}
