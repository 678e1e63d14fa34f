import type { UploadId } from '../../platform/ids';
import type { Viewer } from '../../users/sql/users';
import type { Sql } from '../../platform/db/client';
import { isVisible } from './upload-views';

/** What is kept of the menu of an upload. */
export interface UploadVersion {
  readonly uploadId: UploadId;
  readonly storeId: number;
  readonly integrationId: number;
  /** The four lists of the menu. */
  readonly documentSha256: string;
  readonly documentSize: number;
  /** JSON text of an object: what was sent beside the lists. Null for uploads from before it was kept. */
  readonly sentBeside: string | null;
  /** The same of its rollout, whose body had it once for all targets. */
  readonly rolloutBeside: string | null;
  /** Null while there is none, and where a loss blocked it. */
  readonly payloadSha256: string | null;
}

/** The version that an upload of a store that the viewer has stands for. */
export async function findVersion(
  sql: Sql,
  viewer: Viewer,
  uploadId: UploadId,
): Promise<UploadVersion | undefined> {
  const [row] = await sql<UploadVersion[]>`
    select u.upload_id, u.store_id, u.integration_id, u.document_sha256, d.size as document_size,
      u.sent_beside::text as sent_beside, o.sent_beside::text as rollout_beside,
      case when (u.loss_counts ->> 'block')::int = 0 then u.payload_sha256 end as payload_sha256
    from menu_upload u join document d on d.sha256 = u.document_sha256
    left join rollout o on o.rollout_id = u.rollout_id and u.republished_from is null
    where u.upload_id = ${uploadId} and ${isVisible(sql, viewer)}`;
  return row;
}
