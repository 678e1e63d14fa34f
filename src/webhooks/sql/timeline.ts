import type { Sql } from '../../platform/db/client';
import { sqlState } from '../../platform/db/is-data-refused';

/** More than can have been given out and lost. */
const LEAP = 1_000_000;
/** Not allowed, not there, or not supported: some managed servers do not tell their timeline. */
const DOES_NOT_TELL = /^(?:42501|42883|0A000|55000)$/;

/**
 * Raises the numbers of messages and of epochs by a million if Postgres is on another timeline than before: a standby
 * was promoted, or a backup restored to a point in time, and the last numbers may be lost with what had them. Given out
 * again, receivers would take newer stock for older. Resolves with whether it did; with false also where the server
 * does not tell.
 */
export async function leapIfTimelineChanged(sql: Sql): Promise<boolean> {
  try {
    const rows = await sql`
      with changed as (
        update webhook_timeline t set timeline = now_on.timeline
        from (select left(pg_walfile_name(pg_current_wal_lsn()), 8) as timeline) as now_on
        where t.timeline is distinct from now_on.timeline
        returning t.timeline
      )
      select setval('webhook_sequence', nextval('webhook_sequence') + ${LEAP}::int),
        setval('webhook_epoch', nextval('webhook_epoch') + ${LEAP}::int)
      from changed`;
    return rows.length > 0;
  } catch (error) {
    if (DOES_NOT_TELL.test(sqlState(error) ?? '')) return false;
    throw error;
  }
}
