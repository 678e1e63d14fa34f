import type { Sql } from '../../platform/db/client';
import type { TokenId } from '../../platform/ids';
import type { TokenOwner } from '../../users/sql/users';

/** A token in many browsers at once is a loop: with one more session its oldest ends. */
const MOST_OF_TOKEN = 50;

/** Keeps a new session of a valid token for `seconds`. */
export async function insertSession(
  sql: Sql,
  session: { readonly id: string; readonly tokenId: TokenId; readonly seconds: number },
): Promise<void> {
  await sql`
    with pushed_out as (
      delete from console_session where session_id in (
        select session_id from console_session where token_id = ${session.tokenId}
        order by ends_at desc offset ${MOST_OF_TOKEN - 1})
    )
    insert into console_session (session_id, token_id, ends_at)
    values (${session.id}, ${session.tokenId}, now() + ${session.seconds}::int * interval '1 s')`;
}

/** The user of a session that has not ended, and whose token is neither revoked nor expired. */
export async function findSessionOwner(sql: Sql, id: string): Promise<TokenOwner | undefined> {
  const [row] = await sql<TokenOwner[]>`
    select t.token_id, t.user_id, u.state as user_state, u.permissions, t.expires_at
    from console_session s join access_token t using (token_id) join app_user u using (user_id)
    where s.session_id = ${id} and s.ends_at > now()
      and t.revoked_at is null and (t.expires_at is null or t.expires_at > now())`;
  return row;
}

/** Ends a session at once, in every process. */
export async function endSession(sql: Sql, id: string): Promise<void> {
  await sql`delete from console_session where session_id = ${id}`;
}

/** Removes up to `limit` sessions that are over; returns how many. */
export async function removeEndedSessions(sql: Sql, limit: number): Promise<number> {
  const rows = await sql`
    delete from console_session where session_id in (
      select session_id from console_session where ends_at <= now()
      order by ends_at limit ${limit} for update skip locked)
    returning session_id`;
  return rows.length;
}
