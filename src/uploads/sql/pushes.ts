import type { PendingQuery, Row } from 'postgres';
import type { Sql } from '../../platform/db/client';
import { type AttemptKey, hasTask, isCurrentAttempt } from './upload-attempts';
import { writeSteps } from './upload-steps';
import type { UploadState, UploadStep } from '../upload';

/** One call's push of an attempt, by which it holds the app's lease. */
export interface PushKey extends AttemptKey {
  readonly callId: string;
}

export interface BegunPush {
  /**
   * Another call's push to the app, or a call about single items, is in progress: nothing was changed, and nothing
   * may be sent.
   */
  readonly isAppBusy: boolean;
  /** Until when an earlier push could still take effect; `endPush` restores it. */
  readonly settlesUntil: Date | null;
  /** Whether an earlier push may have had an effect; `endPush` restores it. */
  readonly mayBeShown: boolean;
  /** Whether something in the store is off sale in the app. */
  readonly hasUnavailable: boolean;
  /** Whether the menu itself has something off sale that is not marked yet (`markOffSale`). */
  readonly marksOffSale: boolean;
}

/**
 * How long a push, or another call to the app of a store, counts as in progress without renewal: shorter than the time
 * until a dead worker's step runs again.
 */
export const APP_LEASE_MS = 1_500;
/** How often it is renewed, ms. */
export const RENEW_LEASE_MS = 400;

export interface PushBeginning extends PushKey {
  /** For an asynchronous app: how long a push without a readable answer may still take effect, ms. */
  readonly settleMs: number | null;
  /** Where it goes, see `UploadTarget`. */
  readonly destination: string;
  /** The step begins with this push, at this time; null: it has begun. */
  readonly stepStartsAt: Date | null;
  /** What is sent: the whole menu, by default, or calls about single items of a change. */
  readonly step?: Extract<UploadStep, 'push' | 'items'>;
}

/**
 * The last check before a push; undefined = another attempt or a newer upload has taken over, or the attempt has a
 * result by now, and nothing was changed. From here on it is unknown what the app shows. With `settleMs` the slot is
 * taken before anything is sent, because a process that dies during the push may leave a task with an unknown id.
 */
export async function beginPush(
  sql: Sql,
  { settleMs, destination, stepStartsAt, step = 'push', ...push }: PushBeginning,
): Promise<BegunPush | undefined> {
  const steps =
    stepStartsAt === null
      ? []
      : [{ name: step, state: 'running', startedAt: stepStartsAt } as const];
  const [row] = await sql<BegunPush[]>`
    with changed as (
      select u.upload_id, u.may_be_shown, p.store_id, p.integration_id,
        p.slot_settles_until as settles_until,
        coalesce(p.push_until > now() and p.push_holder <> ${push.callId}, false)
          or coalesce(p.call_until > now(), false) as is_app_busy,
        exists (select from availability_mark m
          where m.store_id = p.store_id and m.integration_id = p.integration_id) as has_unavailable,
        u.off_sale is not null and not u.off_sale_is_marked and u.republished_from is null
          and u.changed_from is null as marks_off_sale
      from menu_upload u join publication p using (store_id, integration_id)
      where ${isCurrentAttempt(sql, push)} and ${hasNoResult(sql)}
      -- In this order, as claims take them. What a claim, a cancellation or another call commits meanwhile is seen:
      -- Postgres checks the conditions again, on the rows as they are once locked.
      for no key update of p, u
    ), taken as (
      -- If the worker dies now, nobody learns what the app did.
      update menu_upload u set may_be_shown = true, next_try_at = null,
        first_push_at = coalesce(u.first_push_at, clock_timestamp()),
        way = case when u.changed_from is not null and u.refusal is null
          then case when ${step} = 'items' then 'items' else 'menu' end else u.way end
      from changed c
      where u.upload_id = c.upload_id and not c.is_app_busy
    ), begun as (
      update publication p set live_document_sha256 = null, pushed_to = ${destination},
        -- Of another store of the app they say nothing.
        has_item_calls = ${step} = 'items'
          or (p.has_item_calls and coalesce(p.pushed_to = ${destination}, false)), push_holder = ${push.callId},
        -- Not now(): that is the start of the transaction, so waiting for the row's lock would shorten the lease.
        push_until = clock_timestamp() + ${APP_LEASE_MS}::int * interval '1 ms',
        slot_upload_id = case when ${settleMs}::int is null then p.slot_upload_id else c.upload_id end,
        slot_settles_until =
          greatest(p.slot_settles_until, now() + ${settleMs}::int * interval '1 ms')
      from changed c
      where p.store_id = c.store_id and p.integration_id = c.integration_id
        and not c.is_app_busy
    ), steps as (
      ${writeSteps(sql, steps)}
    )
    select is_app_busy, settles_until, may_be_shown, has_unavailable, marks_off_sale
    from changed`;
  return row;
}

/**
 * A condition on a running upload `u` and its publication `p`: no push of this attempt has planned a round, waits for a
 * permit, or was accepted as a task. The next claim decides what follows.
 */
export function hasNoResult(sql: Sql): PendingQuery<Row[]> {
  return sql`u.next_attempt_at is null and not ${hasTask(sql)}`;
}

/** What another process has made of an attempt so far. */
export interface PushElsewhere {
  /** The app is being pushed to: the lease of the publication has not lapsed. */
  readonly isHeld: boolean;
  /** A push may begin: the attempt is the current one and has no result. */
  readonly isOpen: boolean;
  /** Of the upload, whose latest attempt is this one. */
  readonly state: UploadState;
}

/** Undefined = another attempt has taken over, or the upload was removed. */
export async function findPushElsewhere(
  sql: Sql,
  { uploadId, attemptNo }: AttemptKey,
): Promise<PushElsewhere | undefined> {
  const [row] = await sql<PushElsewhere[]>`
    select coalesce(p.push_until > clock_timestamp(), false) as is_held, u.state,
      u.state = 'running' and ${hasNoResult(sql)} as is_open
    from menu_upload u join publication p using (store_id, integration_id)
    where u.upload_id = ${uploadId} and u.attempt_no = ${attemptNo}`;
  return row;
}

/**
 * The push is still in progress. No effect once another call has begun its own, or once the push has ended: its last
 * renewal may come after its end.
 */
export async function renewPush(sql: Sql, push: PushKey): Promise<void> {
  await sql`
    update publication p set push_until = clock_timestamp() + ${APP_LEASE_MS}::int * interval '1 ms'
    from menu_upload u
    where ${isHolder(sql, push)} and p.push_until is not null`;
}

/** Whether this call still holds publication `p` for its upload `u`. */
function isHolder(sql: Sql, { uploadId, callId }: PushKey): PendingQuery<Row[]> {
  return sql`
    u.upload_id = ${uploadId} and p.store_id = u.store_id
      and p.integration_id = u.integration_id and p.push_holder = ${callId}`;
}

/** The push was answered and not taken: only earlier unanswered pushes may have had or can still have an effect. */
export async function endPush(
  sql: Sql,
  push: PushKey,
  begun: Pick<BegunPush, 'settlesUntil' | 'mayBeShown'>,
): Promise<void> {
  await sql`
    with freed as (
      update publication p
      set slot_settles_until = ${begun.settlesUntil}::timestamptz, push_until = null
      from menu_upload u
      where ${isHolder(sql, push)}
      returning u.upload_id
    )
    update menu_upload u set may_be_shown = ${begun.mayBeShown}::boolean from freed f
    where u.upload_id = f.upload_id and u.may_be_shown <> ${begun.mayBeShown}::boolean`;
}
