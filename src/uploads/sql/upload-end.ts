import type { PendingQuery, Row } from 'postgres';
import { notifyRowsDone } from '../../platform/db/row-done';
import type { AppName } from '../../delivery-apps/types';
import type { Sql } from '../../platform/db/client';
import type { FinalUploadState } from '../upload';
import type { UploadOutcome } from '../upload-verdict';
import { writeDrift } from './live-menus';
import { withoutWireIds } from './refused-items';
import { waitId } from './upload-cancel';
import { type AttemptKey, isCurrentAttempt } from './upload-attempts';
import { skipOpenSteps, type StepRow, writeSteps } from './upload-steps';

export interface EndedUpload {
  readonly state: FinalUploadState;
  /** The publication has come to rest: see `recordUploadEnd`. */
  readonly rests: boolean;
  readonly app: AppName;
}

export interface EndFacts {
  /** Wire ids of items that the app does not have, although it shows the rest of the menu. */
  readonly refused?: readonly string[] | undefined;
  /** The call whose push ended the upload; null: something else did. */
  readonly callId?: string | null | undefined;
  /** It failed, and what was live before it was pushed again. */
  readonly isRestored?: boolean | undefined;
}

/**
 * Ends an upload, records what is live, frees the app's slot and notifies waiting callers. Undefined = another
 * attempt or a newer upload has taken over.
 * If it is the newest, the publication comes to rest too: its lease is given back. An insert draws its
 * number under the lock of the publication's row, and this statement reads the last number under the same lock. So
 * either this upload is the newest, and a later insert sees no lease, or a newer one exists and the
 * lease stands.
 * If the upload did not fail and the publication has an availability queue, the lease stands too: the activity
 * `claimNewest` finds nothing more to publish and wakes that queue, which tells the app again what is off sale.
 *
 * What was found when the live menu was last read is forgotten with a push; an unchanged menu was not pushed. If it
 * failed after calls about items had begun, the app may show something between two menus, which is told as a change of
 * the live one (`is_mixed`), unless what was live was pushed again.
 *
 * Only the call that has the lease of the app gives it back: another push to the app may be under way, of an earlier
 * attempt or of an older upload, whose process does not know yet that it has been replaced.
 */
export async function recordUploadEnd(
  sql: Sql,
  attempt: AttemptKey,
  { state, messages, isUnchanged = false }: UploadOutcome,
  steps: readonly StepRow[] = [],
  { refused = [], callId = null, isRestored = false }: EndFacts = {},
): Promise<EndedUpload | undefined> {
  const isNewlyShown = isUnchanged ? sql`false` : isLive(sql);
  const isForgotten = isRestored ? sql`true` : isNewlyShown;
  const [row] = await sql<Pick<EndedUpload, 'rests' | 'app'>[]>`
    with changed as (
      update menu_upload u set state = ${state}, finished_at = now(), next_attempt_at = null,
        messages = coalesce(u.refusal, ${JSON.stringify(messages)}::text::json),
        previous_upload_id = case when ${state} <> 'failed' then p.live_upload_id end
        ${refused.length === 0 ? sql`` : sql`, item_ids = ${withoutWireIds(sql, refused)}`}
      from publication p
      where ${isCurrentAttempt(sql, attempt)}
        and p.store_id = u.store_id and p.integration_id = u.integration_id
      returning u.*, p.drift_told as told_before,
        u.state = 'failed' and p.has_item_calls and not ${isRestored} as is_mixed,
        u.state <> 'failed' and exists (
        -- Its queue must tell the app again what is off sale.
        select from availability_queue q
        where q.store_id = u.store_id and q.integration_id = u.integration_id) as must_be_followed,
        -- Null: it failed, or is for an app that the integration no longer has; see also isLive.
        (select i.app from integration i where i.integration_id = u.integration_id
          and u.state <> 'failed' and coalesce(u.app, i.app) = i.app) as live_in
    ), published as (
      update publication p set
        live_upload_id = case when ${isLive(sql)} then c.upload_id else p.live_upload_id end,
        live_document_sha256 = case
          when ${isRestored} then (select l.document_sha256 from menu_upload l
            where l.upload_id = p.live_upload_id and l.state = 'uploaded')
          when not ${isLive(sql)} then p.live_document_sha256
          when c.state = 'uploaded' then c.document_sha256 else null end,
        live_since = case when ${isLive(sql)} then now() else p.live_since end,
        is_unfollowed = case when ${isLive(sql)} then c.must_be_followed else p.is_unfollowed end,
        has_item_calls = p.has_item_calls and not ${isRestored} and not ${isNewlyShown},
        drift_state = case when c.is_mixed then 'changed'
          when ${isForgotten} then 'unknown' else p.drift_state end,
        drift_checked_at = case when c.is_mixed then now()
          when not ${isForgotten} then p.drift_checked_at end,
        drift_changes_count =
          case when not c.is_mixed and not ${isForgotten} then p.drift_changes_count end,
        drift_changes = case when not c.is_mixed and not ${isForgotten} then p.drift_changes end,
        drift_told = case when c.is_mixed then p.live_upload_id || '/items'
          when ${isRestored} then null else p.drift_told end,
        slot_until = case when p.slot_upload_id = c.upload_id then null else p.slot_until end,
        push_until = case when p.push_holder = ${callId} then null else p.push_until end,
        lease_until =
          case when p.last_seq = c.seq and not c.must_be_followed then null else p.lease_until end
      from changed c where p.store_id = c.store_id and p.integration_id = c.integration_id
      returning p.*, c.told_before, c.is_mixed,
        p.last_seq = c.seq and not c.must_be_followed as rests
    ), told as (
      select ${writeDrift(sql)} from published
      where is_mixed and live_upload_id is not null and drift_told is distinct from told_before
    ), steps as (
      ${writeSteps(sql, steps)}
    ), skipped as (
      ${skipOpenSteps(sql, sql`select upload_id from changed`, steps)}
    ), notified as (
      ${notifyRowsDone(sql, sql`select ${waitId(sql)} as id from changed where awaited_until > now()`)}
    )
    -- A select in a with clause runs only if its result is read.
    select rests, app, (select count(*) from notified) as notified, (select count(*) from told) as told
    from published join integration using (integration_id)`;
  return row && { state, rests: row.rests, app: row.app };
}

/**
 * Whether the upload of `c` is live in publication `p` now. `c.live_in` follows from the app that the integration had
 * when the statement began; while that waited for the publication, the integration may have got another one, which then
 * is in `pushed_to` (see `destination`).
 */
function isLive(sql: Sql): PendingQuery<Row[]> {
  const app = sql`(p.pushed_to::json ->> 0)`;
  return sql`coalesce(c.live_in = coalesce(${app}, c.live_in), false)`;
}
