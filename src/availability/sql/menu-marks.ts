import { newId, type UploadId } from '../../platform/ids';
import type { Sql } from '../../platform/db/client';
import type { PublicationKey } from '../../uploads/sql/publications';
import { lockQueue } from './changes';

/**
 * Marks what the menu of an upload has off sale, as the API would, before its first push. Only once: what comes back on
 * sale while the push is tried again stays so. Items that the app does not get are left out.
 */
export async function markOffSale(
  sql: Sql,
  key: PublicationKey,
  uploadId: UploadId,
): Promise<void> {
  await sql.begin(async (tx) => {
    await lockQueue(tx, key);
    await tx`
      with menu as (
        update menu_upload set off_sale_is_marked = true
        where upload_id = ${uploadId} and not off_sale_is_marked
        returning off_sale, item_ids || '{}' as item_ids
      )
      insert into availability_mark as m (store_id, integration_id, external_id, by_api, api_until,
        by_stock, change_id, may_be_off)
      select ${key.storeId}::bigint, ${key.integrationId}::bigint, i."externalId", true, i.until, false,
        ${newId('avc')}, false
      from menu cross join json_to_recordset(off_sale) as i ("externalId" text, until timestamptz)
      where item_ids ? i."externalId" and (i.until is null or i.until > now())
      on conflict (store_id, integration_id, external_id) do update set
        by_api = true, api_until = excluded.api_until`;
  });
}
