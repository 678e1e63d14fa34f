import type { ConnectionFacts } from '../../delivery-apps/sql/integrations';
import type { UploadId } from '../../platform/ids';
import type { Sql } from '../../platform/db/client';

/** An integration that a store's menu could go to. */
export interface PreviewTarget extends ConnectionFacts {
  readonly integrationId: number;
  readonly countryCode: string;
  /** The store's id in the app. */
  readonly appStoreId: string | null;
  /** Null: nothing was shown there yet. */
  readonly liveUploadId: UploadId | null;
  /** The menu of that upload, also while it is unknown whether a later push took effect. */
  readonly liveDocumentSha256: string | null;
  /** POS ids of the items off sale there, whatever the menu: seasons are those of the menu. */
  readonly unavailableIds: readonly string[];
}

/** The integrations that exist among `integrationIds`; null: all that the store is connected to. Ordered by id. */
export async function listPreviewTargets(
  sql: Sql,
  storeId: number,
  integrationIds: readonly number[] | null,
): Promise<PreviewTarget[]> {
  return sql<PreviewTarget[]>`
    select i.integration_id, i.app, i.active, s.country_code, c.delivery_id as app_store_id,
      p.live_upload_id, live.document_sha256 as live_document_sha256,
      array(select m.external_id from availability_mark m
        where m.store_id = s.store_id and m.integration_id = i.integration_id
          and (m.by_api or m.by_stock)) as unavailable_ids,
      c.credential_encrypted is not null as has_credential,
      c.delivery_id is not null as has_app_store_id,
      i.base_url is not null and i.client_id is not null
        and i.client_secret_encrypted is not null as configured
    from store s
    cross join integration i
    left join store_integration c using (store_id, integration_id)
    left join publication p using (store_id, integration_id)
    left join menu_upload live on live.upload_id = p.live_upload_id
    where s.store_id = ${storeId}::bigint
      and ${integrationIds ? sql`i.integration_id = any(${[...integrationIds]}::bigint[])` : sql`c.store_id is not null`}
    order by i.integration_id`;
}
