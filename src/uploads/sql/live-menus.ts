import type { PendingQuery, Row } from 'postgres';
import type { DRIFT_STATES } from '../../../schemas/states';
import type { UploadId } from '../../platform/ids';
import type { Sql } from '../../platform/db/client';

export type DriftState = (typeof DRIFT_STATES)[number];

export interface Drift {
  readonly driftState: DriftState;
  readonly driftCheckedAt: Date | null;
  /** How many changes the last reading found; null before the first one. */
  readonly driftChangesCount: number | null;
}

/** What an app shows of a store that is connected to it. */
export interface LiveMenu extends Drift {
  readonly storeId: number;
  readonly integrationId: number;
  /** Null: nothing was shown there yet. */
  readonly uploadId: UploadId | null;
  readonly liveSince: Date | null;
}

/** Writes the event of a publication whose live menu is no longer what the app shows, for a select from its row. */
export function writeDrift(sql: Sql): PendingQuery<Row[]> {
  return sql`write_event('menu.drifted', drift_checked_at, json_build_object(
    'store_id', store_id, 'integration_id', integration_id::text,
    'upload_id', live_upload_id, 'live_since', api_time(live_since),
    'drift', json_build_object('state', drift_state, 'checked_at', api_time(drift_checked_at),
      'changes_count', drift_changes_count)), store_id)`;
}

/**
 * One row per integration that the store is connected to, newest first, at most `limit`; `before` is the last one of
 * the previous page.
 */
export async function listLiveMenus(
  sql: Sql,
  storeId: number,
  { before, limit }: { readonly before?: number; readonly limit: number },
): Promise<LiveMenu[]> {
  return sql<LiveMenu[]>`
    select c.store_id, c.integration_id, p.live_upload_id as upload_id, p.live_since,
      coalesce(p.drift_state, 'unknown') as drift_state, p.drift_checked_at, p.drift_changes_count
    from store_integration c
    left join publication p using (store_id, integration_id)
    where c.store_id = ${storeId}::bigint
      ${before === undefined ? sql`` : sql`and c.integration_id < ${before}::bigint`}
    order by c.integration_id desc limit ${limit}`;
}
