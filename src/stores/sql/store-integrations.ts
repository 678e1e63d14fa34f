import type { AppName } from '../../delivery-apps/types';
import type { ChangeId, UploadId } from '../../platform/ids';
import type { Sql } from '../../platform/db/client';

/** A delivery app that a store is connected to. */
export interface StoreIntegration {
  readonly integrationId: number;
  readonly name: string;
  readonly app: AppName;
  readonly active: boolean;
  readonly hasToken: boolean;
  /** The store's id in the app. */
  readonly appStoreId: string | null;
  /** Null: nothing was shown there yet. */
  readonly liveUploadId: UploadId | null;
  /** Null: the store takes orders there. Times are Postgres' own text. */
  readonly paused: {
    readonly since: string;
    readonly until: string | null;
    readonly reason: string | null;
    readonly change_id: ChangeId | null;
    readonly state: 'queued' | 'running' | 'done' | 'failed';
  } | null;
}

/** Newest integration first, at most `limit`; `before` is the last one of the previous page. */
export async function listStoreIntegrations(
  sql: Sql,
  storeId: number,
  { before, limit }: { readonly before?: number; readonly limit: number },
): Promise<StoreIntegration[]> {
  return sql<StoreIntegration[]>`
    select i.integration_id, i.name, i.app, i.active, c.delivery_id as app_store_id, p.live_upload_id,
      c.credential_encrypted is not null as has_token,
      (select json_build_object('since', s.since, 'until', s.until, 'reason', s.reason,
          'change_id', s.change_id, 'state', coalesce(a.state, 'done'))
        from store_pause s left join availability_change a using (change_id)
        where s.store_id = c.store_id and s.integration_id = c.integration_id) as paused
    from store_integration c
    join integration i using (integration_id)
    left join publication p using (store_id, integration_id)
    where c.store_id = ${storeId}::bigint
      ${before === undefined ? sql`` : sql`and c.integration_id < ${before}::bigint`}
    order by c.integration_id desc limit ${limit}`;
}
