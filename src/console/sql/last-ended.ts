import type { PendingQuery, Row } from 'postgres';
import type { Sql } from '../../platform/db/client';

/** The most uploads of a publication that are looked at, the newest first. */
const SEEN_UPLOADS = 200;

/**
 * The last upload of publication `p` that its app took or refused: one that waits, was superseded or was canceled does
 * not count. One row, or none.
 */
export function lastEnded(sql: Sql): PendingQuery<Row[]> {
  return sql`
    select newest.* from (
      select u.upload_id, u.state, u.finished_at, u.messages, u.seq from menu_upload u
      where u.store_id = p.store_id and u.integration_id = p.integration_id
      order by u.seq desc limit ${SEEN_UPLOADS}) as newest
    where newest.state in ('uploaded', 'partly_uploaded', 'failed')
    order by newest.seq desc limit 1`;
}
