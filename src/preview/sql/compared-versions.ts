import type { AppName } from '../../delivery-apps/types';
import type { UploadId } from '../../platform/ids';
import type { Sql } from '../../platform/db/client';

/** The facts needed to read an upload's payload, and the uploads to which its menu can be compared. */
export interface VersionSurroundings {
  /** Whose payload the upload has. */
  readonly app: AppName;
  readonly countryCode: string;
  /** The store's id in the app; null if they are no longer connected. */
  readonly appStoreId: string | null;
  /** Whether the upload has ever been live. */
  readonly wentLive: boolean;
  /** The upload that was live when this one went live. */
  readonly previousUploadId: UploadId | null;
  /** The upload that is live now. */
  readonly liveUploadId: UploadId | null;
}

/** Undefined = the upload is gone. */
export async function findSurroundings(
  sql: Sql,
  uploadId: UploadId,
): Promise<VersionSurroundings | undefined> {
  const [row] = await sql<VersionSurroundings[]>`
    select coalesce(u.app, i.app) as app, s.country_code, c.delivery_id as app_store_id, u.previous_upload_id, p.live_upload_id,
      u.state in ('uploaded', 'partly_uploaded') as went_live
    from menu_upload u
    join integration i using (integration_id)
    join store s using (store_id)
    left join store_integration c using (store_id, integration_id)
    left join publication p using (store_id, integration_id)
    where u.upload_id = ${uploadId}`;
  return row;
}
