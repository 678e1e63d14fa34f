import type { PendingQuery, Row } from 'postgres';
import type { PreparedMenu } from '../../delivery-apps/prepare-menu';
import type { AppName } from '../../delivery-apps/types';
import type { WaitingReason } from '../../contract/why-it-waits';
import type { UploadId } from '../../platform/ids';
import type { Sql, Transaction } from '../../platform/db/client';
import { type Document, keepDocument } from './documents';
import { type StepRow, writeSteps } from './upload-steps';

/** An upload and the attempt that may change it: a second claim raises the number, which fences the first. */
export interface AttemptKey {
  readonly uploadId: UploadId;
  readonly attemptNo: number;
}

/** A condition on upload `u`: this attempt is the current one. */
export function isCurrentAttempt(
  sql: Sql | Transaction,
  { uploadId, attemptNo }: AttemptKey,
): PendingQuery<Row[]> {
  return sql`u.upload_id = ${uploadId} and u.attempt_no = ${attemptNo} and u.state = 'running'`;
}

/** A condition on upload `u` and its publication `p`: the app works on its task, in time or not. */
export function hasTask(sql: Sql): PendingQuery<Row[]> {
  return sql`(u.task_id is not null and p.slot_upload_id = u.upload_id)`;
}

/*
 * Each of these changes the upload together with the steps that led to it, in one statement. It returns false (or
 * undefined), and writes nothing, if the attempt is no longer the current one.
 */

/** Records the start or end of steps; nothing else changes. */
export async function recordSteps(
  sql: Sql,
  attempt: AttemptKey,
  steps: readonly StepRow[],
): Promise<boolean> {
  const rows = await sql`
    with changed as (select u.upload_id from menu_upload u where ${isCurrentAttempt(sql, attempt)}),
    steps as (${writeSteps(sql, steps)})
    select from changed`;
  return rows.length > 0;
}

/** Records the payload that the menu became and its losses. */
export async function recordPrepared(
  sql: Sql,
  attempt: AttemptKey,
  {
    document,
    losses,
    lossCounts,
    itemIds,
    offSale,
    seasons,
    app,
  }: Pick<PreparedMenu, 'losses' | 'lossCounts' | 'itemIds' | 'offSale' | 'seasons'> & {
    readonly document: Document;
    /** Whose payload it is. */
    readonly app: AppName;
  },
  steps: readonly StepRow[] = [],
): Promise<boolean> {
  const rows = await sql`
    with kept as (${keepDocument(sql, document)}), changed as (
      update menu_upload u set payload_sha256 = ${document.sha256}, app = ${app},
        losses = ${JSON.stringify(losses)}::text::json, item_ids = ${itemIds}::text::jsonb,
        loss_counts = ${JSON.stringify(lossCounts)}::text::json,
        off_sale = ${offSale.length === 0 ? null : JSON.stringify(offSale)}::text::json,
        seasons = ${seasons.length === 0 ? null : JSON.stringify(seasons)}::text::json
      where ${isCurrentAttempt(sql, attempt)}
      returning u.upload_id
    ), steps as (${writeSteps(sql, steps)})
    select from changed`;
  return rows.length > 0;
}

/**
 * The attempt's menu is already live and will not be pushed. Its upload gets the stored payload of the push that made
 * it live, not the one that the transform would make today (docs/api.md, "Versions of a menu").
 */
export async function adoptLivePayload(sql: Sql, attempt: AttemptKey): Promise<boolean> {
  const rows = await sql`
    update menu_upload u set
      payload_sha256 = coalesce(live.payload_sha256, u.payload_sha256),
      app = coalesce(live.app, u.app),
      losses = coalesce(live.losses, u.losses),
      loss_counts = coalesce(live.loss_counts, u.loss_counts),
      item_ids = coalesce(live.item_ids, u.item_ids)
    from publication p left join menu_upload live on live.upload_id = p.live_upload_id
    where ${isCurrentAttempt(sql, attempt)}
      and p.store_id = u.store_id and p.integration_id = u.integration_id
    returning u.upload_id`;
  return rows.length > 0;
}

/**
 * The app has refused a change after calls about items had begun: the next claim, which is due at once, pushes again what
 * is live. Its task and the lease of the app are given back.
 */
export async function recordRefusal(
  sql: Sql,
  attempt: AttemptKey,
  {
    messages,
    steps = [],
    callId = null,
  }: {
    readonly messages: readonly string[];
    readonly steps?: readonly StepRow[];
    readonly callId?: string | null | undefined;
  },
): Promise<boolean> {
  const rows = await sql`
    with changed as (
      update menu_upload u set refusal = ${JSON.stringify(messages)}::text::json, task_id = null,
        next_attempt_at = now(), next_try_at = null, ${afterWord(sql)}
      where ${isCurrentAttempt(sql, attempt)}
      returning u.upload_id, u.store_id, u.integration_id
    ), freed as (
      update publication p set
        slot_until = case when p.slot_upload_id = c.upload_id then null else p.slot_until end,
        push_until = case when p.push_holder = ${callId} then null else p.push_until end
      from changed c
      where p.store_id = c.store_id and p.integration_id = c.integration_id
    ), steps as (${writeSteps(sql, steps)})
    select from changed`;
  return rows.length > 0;
}

/** A change of single items is live already, because the app has no difference to show. */
export async function recordNoCalls(sql: Sql, attempt: AttemptKey): Promise<boolean> {
  const rows = await sql`
    update menu_upload u set way = 'items' where ${isCurrentAttempt(sql, attempt)}
    returning u.upload_id`;
  return rows.length > 0;
}

export interface AcceptedTask {
  readonly taskId: string;
  /** When the app is asked about it for the first time, if people decide, ms; null: as the workflow polls. */
  readonly firstQuestionMs?: number | null;
  /** How long the app's slot stays taken for it, unless the upload ends earlier, ms. */
  readonly deadlineMs: number;
  /** The call that pushed, and until when an earlier push may still take effect: only that counts from now on. */
  readonly callId: string;
  readonly settlesUntil: Date | null;
}

/** The app has accepted the attempt as a task; the push was answered. */
export async function recordTask(
  sql: Sql,
  attempt: AttemptKey,
  { taskId, firstQuestionMs = null, deadlineMs, callId, settlesUntil }: AcceptedTask,
  steps: readonly StepRow[] = [],
): Promise<boolean> {
  const rows = await sql`
    with changed as (
      update menu_upload u set task_id = ${taskId}, pushed_at = now(), task_asked_at = null,
        next_try_at = now() + ${firstQuestionMs}::int * interval '1 ms',
        ${afterWord(sql)}
      where ${isCurrentAttempt(sql, attempt)}
      returning u.upload_id, u.store_id, u.integration_id
    ), taken as (
      update publication p set slot_upload_id = c.upload_id,
        slot_until = now() + ${deadlineMs}::int * interval '1 ms',
        slot_settles_until = case when p.push_holder = ${callId} then ${settlesUntil}::timestamptz
          else p.slot_settles_until end,
        push_until = case when p.push_holder = ${callId} then null else p.push_until end
      from changed c
      where p.store_id = c.store_id and p.integration_id = c.integration_id
    ), steps as (${writeSteps(sql, steps)})
    select from changed`;
  return rows.length > 0;
}

/** What a try in vain said. */
export interface FailedTry {
  /** In words, cleaned. */
  readonly reason: string;
  readonly waits: WaitingReason;
}

/** Columns of upload `u` after one more try in vain; null: what the last one said still holds. */
function afterFailedTry(
  sql: Sql,
  { reason, waits }: { [K in keyof FailedTry]: FailedTry[K] | null },
): PendingQuery<Row[]> {
  return sql`retry_reason = coalesce(${reason}, u.retry_reason),
    waiting_since = case when u.wait_reason is distinct from coalesce(${waits}, u.wait_reason) then now()
      else coalesce(u.waiting_since, now()) end,
    wait_reason = coalesce(${waits}, u.wait_reason), failed_tries = u.failed_tries + 1`;
}

/**
 * A try was in vain, and a quick one follows after `pauseMs`. Until it begins the upload may be canceled. False = it was,
 * or another attempt has taken over.
 */
export async function recordQuickTry(
  sql: Sql,
  attempt: AttemptKey,
  failed: FailedTry,
  pauseMs: number,
): Promise<boolean> {
  const rows = await sql`
    update menu_upload u set ${afterFailedTry(sql, failed)},
      next_try_at = now() + ${pauseMs}::int * interval '1 ms'
    where ${isCurrentAttempt(sql, attempt)}
    returning u.upload_id`;
  return rows.length > 0;
}

/** Why a round had no result, and when the next one is due. */
export interface Postponement {
  readonly delayMs: number;
  readonly reason: string | null;
  /** Null: as before. */
  readonly waits?: WaitingReason | null;
  /** How long the app asked us to wait, ms. */
  readonly afterMs: number | null;
}

/** Sends an upload back to wait; it stays the newest until a newer one comes. */
export async function postponeUpload(
  sql: Sql,
  attempt: AttemptKey,
  { delayMs, reason, waits = null, afterMs }: Postponement,
  steps: readonly StepRow[] = [],
): Promise<boolean> {
  const rows = await sql`
    with changed as (
      update menu_upload u set next_attempt_at = now() + ${delayMs}::int * interval '1 ms',
        next_try_at = null, ${afterFailedTry(sql, { reason, waits })}, retry_after_ms = ${afterMs}::int
      where ${isCurrentAttempt(sql, attempt)}
      returning u.upload_id
    ), steps as (${writeSteps(sql, steps)})
    select from changed`;
  return rows.length > 0;
}

export interface RetryFacts {
  readonly ageMs: number;
  /** Attempts that actually tried the app; the others only waited for a permit. */
  readonly rounds: number;
  /** Why the last round failed. */
  readonly retryReason: string | null;
  /** How long the app has asked us to wait in this attempt; each claim clears what it asked before. */
  readonly retryAfterMs: number | null;
  /**
   * Whether the app works on its task, so that the next claim asks about it (`decideClaim`). `overdue`: the task has not
   * ended by its deadline.
   */
  readonly task: 'none' | 'open' | 'overdue';
}

/** Undefined = the attempt is no longer the current one. */
export async function findRetryFacts(
  sql: Sql,
  attempt: AttemptKey,
): Promise<RetryFacts | undefined> {
  const [row] = await sql<RetryFacts[]>`
    select (extract(epoch from now() - coalesce(u.released_at, u.created_at)) * 1000)::float8 as age_ms,
      u.attempt_no - u.attempts_waited as rounds, u.retry_reason, u.retry_after_ms,
      case when ${hasTask(sql)} is not true then 'none'
        when p.slot_until > now() then 'open' else 'overdue' end as task
    from menu_upload u join publication p using (store_id, integration_id)
    where ${isCurrentAttempt(sql, attempt)}`;
  return row;
}

/**
 * People at the app were just asked about the attempt's task, and are asked again after `pauseMs`. `failed`: the app did
 * not say how it is.
 */
export async function recordQuestion(
  sql: Sql,
  attempt: AttemptKey,
  pauseMs: number,
  failed: FailedTry | null = null,
): Promise<void> {
  await sql`
    update menu_upload u set next_try_at = now() + ${pauseMs}::int * interval '1 ms',
      ${failed ? afterFailedTry(sql, failed) : sql`task_asked_at = now(), ${afterWord(sql)}`}
    where ${isCurrentAttempt(sql, attempt)}`;
}

/** Columns of an upload whose app has said how its task is. */
function afterWord(sql: Sql): PendingQuery<Row[]> {
  return sql`wait_reason = null, retry_reason = null, failed_tries = 0`;
}

/**
 * Extends the lease of the workflow, which polls the task of the attempt: a signal for each newer
 * upload would only make it ask the app at once. `forMs`: longer than its pause between two questions, and a question.
 * `failed`: the app did not say how the task is.
 */
export async function extendLease(
  sql: Sql,
  attempt: AttemptKey,
  forMs: number,
  failed: FailedTry | null = null,
): Promise<boolean> {
  const rows = await sql`
    with said as (
      update menu_upload u set ${failed ? afterFailedTry(sql, failed) : afterWord(sql)}
      where ${isCurrentAttempt(sql, attempt)} ${failed ? sql`` : sql`and u.wait_reason is not null`}
    )
    update publication p set lease_until = now() + ${forMs}::int * interval '1 ms'
    from menu_upload u
    where ${isCurrentAttempt(sql, attempt)}
      and p.store_id = u.store_id and p.integration_id = u.integration_id
    returning p.store_id`;
  return rows.length > 0;
}
