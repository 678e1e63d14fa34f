import type { Sql } from '../../src/platform/db/client';
import { newId } from '../../src/platform/ids';
import { versionedMenu } from '../support/versioned-menu';

/** Gives the upload a payload, which otherwise only a worker makes. */
export async function givePayload(sql: Sql, uploadId: string): Promise<void> {
  await sql`update menu_upload set payload_sha256 = document_sha256 where upload_id = ${uploadId}`;
}

/** Enough for the tests of one file: each upload can be canceled once. */
const CANCELABLE = 50;

/** Older uploads of the same menu that wait; their ids. */
export async function queueUploads(sql: Sql, uploadId: string): Promise<string[]> {
  const uploadIds = Array.from({ length: CANCELABLE }, (_, n) => newId('upl', n));
  await sql`
    insert into menu_upload (upload_id, store_id, integration_id, seq, user_id, request_id,
      document_sha256)
    select id, store_id, integration_id, -n, user_id, request_id, document_sha256
    from menu_upload, unnest(${uploadIds}::text[]) with ordinality as made (id, n)
    where upload_id = ${uploadId}`;
  return uploadIds;
}

/** The body of a rollout to one place. */
export function rolloutOf(storeId: number, integrationId: number) {
  return { targets: [{ store_id: storeId, integration_id: integrationId }], ...versionedMenu(1) };
}

/** Older rollouts of the same user that have ended, each to be taken back once; their ids. */
export async function endedRollouts(sql: Sql, rolloutId: string): Promise<string[]> {
  const rolloutIds = Array.from({ length: CANCELABLE }, (_, n) => newId('rol', n));
  await sql`
    insert into rollout (rollout_id, user_id, request_id, state, parallel, stop_after_failures,
      menu_count, sent_beside, finished_at)
    select id, user_id, request_id, 'done', parallel, stop_after_failures, menu_count, sent_beside,
      now()
    from rollout, unnest(${rolloutIds}::text[]) as made (id)
    where rollout_id = ${rolloutId}`;
  return rolloutIds;
}

/** As if the app showed a menu of the store. */
export async function showMenu(
  sql: Sql,
  { storeId, integrationId }: { readonly storeId: number; readonly integrationId: number },
): Promise<void> {
  await sql`
    insert into publication (store_id, integration_id, live_upload_id, live_since)
    values (${storeId}::bigint, ${integrationId}::bigint, ${newId('upl')}, now())`;
}
