import type { Sql } from '../../platform/db/client';
import type { PublicationKey } from './publications';
import { type AttemptKey, isCurrentAttempt } from './upload-attempts';

/**
 * An upload can wait for one of the permits for pushes to an integration, or for the one permit of the upload that
 * fetches the token of a credential.
 */
export type PermitName = `push/${number}` | `token/${string}`;

/**
 * Puts the current attempt back to wait until `resumeUploads` lets it continue, at most `atMostMs`. The attempt does
 * not count as a try. False = it is no longer the current attempt.
 */
export async function awaitPermit(
  sql: Sql,
  attempt: AttemptKey,
  permit: PermitName,
  atMostMs: number,
): Promise<boolean> {
  const rows = await sql`
    update menu_upload u set waits_for = ${permit}, attempts_waited = u.attempts_waited + 1, next_try_at = null,
      waiting_since = case when u.wait_reason = ${permit.startsWith('push/') ? 'permit' : 'token'} then u.waiting_since
        else now() end, wait_reason = ${permit.startsWith('push/') ? 'permit' : 'token'},
      next_attempt_at = now() + ${atMostMs}::int * interval '1 ms'
    where ${isCurrentAttempt(sql, attempt)}
    returning u.upload_id`;
  return rows.length > 0;
}

/**
 * Lets up to `count` of the uploads waiting for `permit` continue, oldest first; returns their publications, to be
 * woken.
 */
export async function resumeUploads(
  sql: Sql,
  permit: PermitName,
  count: number,
): Promise<readonly PublicationKey[]> {
  return sql<PublicationKey[]>`
    update menu_upload set next_attempt_at = now() where upload_id in (
      select upload_id from menu_upload
      where waits_for = ${permit} and state = 'running' and next_attempt_at > now()
      order by created_at limit ${count} for update skip locked)
    returning store_id, integration_id`;
}
