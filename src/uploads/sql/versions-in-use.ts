import type { PendingQuery, Row } from 'postgres';
import type { Sql, Transaction } from '../../platform/db/client';

/**
 * As a condition on upload `u`: it is live, was live before the one that is live now, or is part of a rollout that is
 * still kept, or was live before such a one, so that the rollout can be taken back. Retention keeps these for as long as they are (contract-more.md §18.40); every statement that removes uploads asks this.
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
