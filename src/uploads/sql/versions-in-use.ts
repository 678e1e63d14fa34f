import type { PendingQuery, Row } from 'postgres';
import type { Sql, Transaction } from '../../platform/db/client';

/**
 * A condition on upload `u`: it is live, was live before the current one, or belongs to a rollout that is still
 * stored (or was live before one, so that the rollout can be reverted). Retention keeps such uploads
 * (contract-more.md §18.40).
 */
export function isInUse(sql: Sql | Transaction): PendingQuery<Row[]> {
  return sql`(
    exists (select from publication p
      where p.store_id = u.store_id and p.integration_id = u.integration_id
        and p.live_upload_id = u.upload_id)
    or exists (select from menu_upload later join publication p
        on p.store_id = later.store_id and p.integration_id = later.integration_id
          and p.live_upload_id = later.upload_id
      where later.previous_upload_id = u.upload_id)
    or exists (select from rollout o where o.rollout_id = u.rollout_id)
    or exists (select from menu_upload later join rollout o using (rollout_id)
      where later.previous_upload_id = u.upload_id))`;
}
