import type { UploadId } from '../../platform/ids';
import type { Viewer } from '../../users/sql/users';
import type { Sql } from '../../platform/db/client';
import { isVisible } from './upload-views';

/** The stored menu of an upload. */
export interface UploadVersion {
  readonly uploadId: UploadId;
  readonly storeId: number;
  readonly integrationId: number;
  /** The four lists of the menu. */
  readonly documentSha256: string;
  readonly documentSize: number;
  /** JSON text of an object: the members beside the lists. */
  readonly sentBeside: string;
  /** The same for its rollout, which stores it once for all targets. */
  readonly rolloutBeside: string | null;
  /** Null until there is one, and if a loss blocked it. */
  readonly payloadSha256: string | null;
  /** 0 without one. */
  readonly payloadSize: number;
}

/** The version of an upload, if the viewer has its store. */
export async function findVersion(
  sql: Sql,
  viewer: Viewer,
  uploadId: UploadId,
): Promise<UploadVersion | undefined> {
  const [row] = await sql<UploadVersion[]>`
    select u.upload_id, u.store_id, u.integration_id, u.document_sha256, d.size as document_size,
      u.sent_beside::text as sent_beside, o.sent_beside::text as rollout_beside,
      p.sha256 as payload_sha256, coalesce(p.size, 0) as payload_size
    from menu_upload u join document d on d.sha256 = u.document_sha256
    left join document p on p.sha256 = u.payload_sha256 and (u.loss_counts ->> 'block')::int = 0
    left join rollout o on o.rollout_id = u.rollout_id and u.republished_from is null
    where u.upload_id = ${uploadId} and ${isVisible(sql, viewer)}`;
  return row;
}
