import type { Sql } from '../../platform/db/client';
import type { UploadId } from '../../platform/ids';

/** What was sent beside the menu of an upload, as JSON objects: with the upload itself, and with its rollout. */
export async function listSentBeside(sql: Sql, uploadId: UploadId): Promise<readonly string[]> {
  const [row] = await sql<{ own: string; ofRollout: string | null }[]>`
    select u.sent_beside::text as own, o.sent_beside::text as of_rollout
    from menu_upload u
    left join rollout o on o.rollout_id = u.rollout_id and u.republished_from is null
    where u.upload_id = ${uploadId}`;
  return [row?.own, row?.ofRollout].flatMap((text) => text ?? []);
}
