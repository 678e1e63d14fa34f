import type { PendingQuery, Row } from 'postgres';
import type { LossCounts } from '../../delivery-apps/losses';
import type { MenuChange } from '../../menus/changes/menu-changes';
import { LAST_USE_MS } from '../../delivery-apps/tokens/token-life';
import type { Sql } from '../../platform/db/client';
import type { UploadId, UserId } from '../../platform/ids';
import type { UploadState } from '../../uploads/upload';
import { lastEnded } from './last-ended';

/** The most items off sale that are counted in an app. */
export const COUNTED_OFF_SALE = 1_000;

/** What the database knows of a store in one delivery app, beside what the API answers. */
export interface AppFacts {
  readonly integrationId: number;
  /** Who sent the live menu; null: nothing is live, or that upload is gone by the retention. */
  readonly liveUserId: UserId | null;
  readonly liveUserName: string | null;
  readonly liveLossCounts: LossCounts | null;
  /** The newest upload that has not ended. */
  readonly openId: UploadId | null;
  readonly openState: UploadState | null;
  readonly openAt: Date | null;
  /** The last that the app took or refused: not one that was superseded or canceled. */
  readonly lastId: UploadId | null;
  readonly lastState: 'uploaded' | 'partly_uploaded' | 'failed' | null;
  readonly lastAt: Date | null;
  readonly lastMessages: readonly string[] | null;
  /** How the app's menu differed from ours when it was read last, 100 changes at most; null: it did not. */
  readonly driftChanges: readonly MenuChange[] | null;
  /** Up to `COUNTED_OFF_SALE` and one more. */
  readonly offSale: number;
  /** Of the newest of these uploads: how its call for a token went; null: it needed none. */
  readonly tokenStep: string | null;
  readonly tokenStatus: number | null;
  readonly tokenError: string | null;
  readonly tokenStepAt: Date | null;
  /** Until when the stored token may be used; null: none is stored, or it has ended. */
  readonly tokenUntil: Date | null;
  /** The app refused the last token, and there is no other yet. */
  readonly isTokenRefused: boolean;
}

/**
 * The apps that a store is connected to, the newest integration first, at most `limit`. Each figure is found by an index
 * that begins with the store or with an id, and reads a bounded number of rows.
 */
export async function listAppFacts(sql: Sql, storeId: number, limit: number): Promise<AppFacts[]> {
  return sql<AppFacts[]>`
    select c.integration_id,
      live.user_id as live_user_id, author.name as live_user_name, live.loss_counts as live_loss_counts,
      open.upload_id as open_id, open.state as open_state, open.created_at as open_at,
      last.upload_id as last_id, last.state as last_state, last.finished_at as last_at,
      last.messages as last_messages, p.drift_changes,
      (select count(*)::int from (
        select from availability_mark m
        where m.store_id = c.store_id and m.integration_id = c.integration_id
        limit ${COUNTED_OFF_SALE + 1}) as marks) as off_sale,
      step.state as token_step, (step.answer ->> 'status')::int as token_status,
      step.answer ->> 'error' as token_error, step.finished_at as token_step_at,
      token.until as token_until, coalesce(token.is_refused, false) as is_token_refused
    from (
      select store_id, integration_id from store_integration
      where store_id = ${storeId}::bigint order by integration_id desc limit ${limit}) as c
    left join publication p using (store_id, integration_id)
    left join menu_upload live on live.upload_id = p.live_upload_id
    left join app_user author on author.user_id = live.user_id
    left join lateral (
      select u.upload_id, u.state, u.created_at from menu_upload u
      where u.store_id = c.store_id and u.integration_id = c.integration_id
        and u.state in ('queued', 'running')
      order by u.seq desc limit 1) as open on true
    left join lateral (${lastEnded(sql)}) as last on true
    left join upload_step step
      on step.upload_id = coalesce(open.upload_id, last.upload_id) and step.name = 'token'
    left join lateral (${tokenOf(sql)}) as token on true
    order by c.integration_id desc`;
}

/** The token of connection `c`: that of the store, where it has one of its own, else that of the integration. */
function tokenOf(sql: Sql): PendingQuery<Row[]> {
  return sql`
    select case when t.token_encrypted is not null
        and t.expires_at > now() + ${LAST_USE_MS}::int * interval '1 ms' then t.expires_at end as until,
      t.token_encrypted is null and t.refused_encrypted is not null as is_refused
    from app_token t
    where t.credential_key in ('store/' || c.store_id || '/' || c.integration_id, 'integration/' || c.integration_id)
    order by t.credential_key desc limit 1`;
}
