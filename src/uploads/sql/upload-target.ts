import type { PendingQuery, Row } from 'postgres';
import { type AppTokenRow, tokenColumns } from '../../delivery-apps/sql/app-tokens';
import type { SealedCredential } from '../../delivery-apps/tokens/app-access';
import type { AppName } from '../../delivery-apps/types';
import type { Sql } from '../../platform/db/client';
import type { UploadId, UserId } from '../../platform/ids';
import { hasNoResult } from './pushes';
import { type AttemptKey, isCurrentAttempt } from './upload-attempts';

/** Everything that a step needs to call the app for an upload. Secrets are still encrypted. */
export interface UploadTarget extends AttemptKey, SealedCredential {
  readonly app: AppName;
  /** Who sent it. */
  readonly userId: UserId;
  readonly baseUrl: string;
  readonly countryCode: string;
  readonly documentSha256: string;
  /** Size of the menu's text in bytes. */
  readonly documentSize: number;
  readonly payloadSha256: string | null;
  /** Whether its integration has another app by now than the one that the payload was made for. */
  readonly isPayloadOfOtherApp: boolean;
  readonly taskId: string | null;
  /** Whether the latest push went to another store of the app than the one to which the store is connected now. */
  readonly isOfOtherStore: boolean;
  /** A push may begin: the attempt has no result yet. */
  readonly isOpen: boolean;
  /** Time since the upload was accepted. */
  readonly ageMs: number;
  /** Attempts that actually tried the app, including this one. */
  readonly rounds: number;
  /** Time since the app accepted the task; 0 before. */
  readonly pushAgeMs: number;
  /** When its first push began; null before. */
  readonly firstPushAt: Date | null;
  /** Time since the app was last asked about the task; null = not yet. */
  readonly askedAgeMs: number | null;
  /** The trace of the request that sent it. */
  readonly traceParent: string | null;
  readonly skipUnchanged: boolean;
  /** The upload on whose menu this change of single items was made. */
  readonly changedFrom: UploadId | null;
  /** Its messages, once the app has refused it: what is live is pushed again before it ends. */
  readonly refusal: readonly string[] | null;
  readonly liveUploadId: UploadId | null;
  /** What was pushed of the live menu, if it was made for this app. */
  readonly livePayloadSha256: string | null;
  /** The app may show something between two menus, because of calls about items. */
  readonly hasItemCalls: boolean;
  /** Where a push goes: the app, its address, the integration's client, the store there and its credential. */
  readonly destination: string;
  /** Of the menu that is known to be live there; null also if the app was last seen to show another one. */
  readonly liveDocumentSha256: string | null;
  /** It has seasons, or those of the menu before end with it. */
  readonly setsSeasons: boolean;
  /** Maximum of simultaneous pushes to the integration, in one worker. */
  readonly maxInFlight: number;
  /** Stored tokens of the integration and of the store; the credential decides which one is used. */
  readonly keptTokens: readonly AppTokenRow[];
}

type TargetRow = Omit<UploadTarget, 'keptTokens'> &
  (AppTokenRow | { readonly credentialKey: null });

/**
 * Where a push goes. `publication.pushed_to` is that of the latest one; only the app, `["app-a"]`, if nothing was pushed
 * since the integration got that app; null if nothing was ever pushed.
 * The integration's secret changes nothing when it is replaced. The store's credential may name another shop or client,
 * and is encrypted: any change of it counts, also sealing it again.
 */
function destination(sql: Sql): PendingQuery<Row[]> {
  return sql`json_build_array(i.app, i.base_url, i.client_id, c.delivery_id,
    encode(sha256(c.credential_encrypted), 'hex'))::text`;
}

/**
 * A condition on publication `p` and its connection `c`: the latest push went to another store of the app than the one
 * to which the store is connected now.
 */
export function isOfOtherStore(sql: Sql): PendingQuery<Row[]> {
  return sql`coalesce((p.pushed_to::json ->> 3) <> c.delivery_id, false)`;
}

/**
 * A condition on publication `p`: the app was last seen to show another menu than the live one. A later reading that
 * failed has another state, and leaves the difference that was told.
 */
function isSeenOtherwise(sql: Sql): PendingQuery<Row[]> {
  return sql`(p.drift_state = 'changed'
    or coalesce(starts_with(p.drift_told, p.live_upload_id || '/'), false))`;
}

/**
 * Undefined if the attempt is no longer the current one, or the app cannot be called for it: the store is not connected
 * any more, or base URL, client, a credential or the store's id in the app is missing.
 */
export async function findUploadTarget(
  sql: Sql,
  attempt: AttemptKey,
): Promise<UploadTarget | undefined> {
  const rows = await sql<TargetRow[]>`
    select u.upload_id, u.attempt_no, u.store_id, u.user_id, u.integration_id, i.configuration_no, c.connection_no, i.app, i.base_url, i.client_id,
      i.client_secret_encrypted, c.credential_encrypted, c.delivery_id as app_store_id, s.country_code,
      u.document_sha256, d.size as document_size, u.payload_sha256,
      coalesce(u.app, i.app) <> i.app as is_payload_of_other_app, u.task_id, u.trace_parent, u.skip_unchanged,
      u.changed_from, u.refusal, p.live_upload_id, l.payload_sha256 as live_payload_sha256,
      p.has_item_calls and coalesce(p.pushed_to = ${destination(sql)}, false) as has_item_calls,
      ${hasNoResult(sql)} as is_open,
      ${isOfOtherStore(sql)} as is_of_other_store,
      u.seasons is not null or exists (select from item_season s
        where s.store_id = u.store_id and s.integration_id = u.integration_id) as sets_seasons,
      ${destination(sql)} as destination,
      case when p.pushed_to = ${destination(sql)} and not ${isSeenOtherwise(sql)}
        then p.live_document_sha256 end as live_document_sha256, i.max_in_flight, u.attempt_no - u.attempts_waited as rounds,
      (extract(epoch from now() - coalesce(u.released_at, u.created_at)) * 1000)::float8 as age_ms,
      coalesce(extract(epoch from now() - u.pushed_at) * 1000, 0)::float8 as push_age_ms,
      u.first_push_at,
      (extract(epoch from now() - u.task_asked_at) * 1000)::float8 as asked_age_ms,
      ${tokenColumns(sql)}
    from menu_upload u
    join integration i using (integration_id)
    join store_integration c using (store_id, integration_id)
    join publication p using (store_id, integration_id)
    join store s using (store_id)
    join document d on d.sha256 = u.document_sha256
    left join menu_upload l on l.upload_id = p.live_upload_id and l.app = i.app
    left join app_token t on t.token_encrypted is not null and t.credential_key in (
      'integration/' || u.integration_id, 'store/' || u.store_id || '/' || u.integration_id)
    where ${isCurrentAttempt(sql, attempt)}
      and i.base_url is not null and i.client_id is not null
      and i.client_secret_encrypted is not null and c.credential_encrypted is not null
      and c.delivery_id is not null`;
  const keptTokens = rows.flatMap((row) => (row.credentialKey === null ? [] : [row]));
  return rows[0] && { ...rows[0], keptTokens };
}
