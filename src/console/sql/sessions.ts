import type { Sql } from '../../platform/db/client';
import type { UserId } from '../../platform/ids';
import type { TokenOwner } from '../../users/sql/users';

/** A token in many browsers at once is a loop: with one more session its oldest ends. */
const MOST_OF_TOKEN = 50;

/** Keeps a new session of a user for `seconds`, at most as long as the token is valid. */
export async function insertSession(
  sql: Sql,
  session: {
    readonly id: string;
    readonly userId: UserId;
    readonly tokenId: TokenOwner['tokenId'];
    readonly seconds: number;
  },
): Promise<void> {
  await sql`
    with pushed_out as (
      delete from console_session where session_id in (
        select session_id from console_session
        where user_id = ${session.userId} and token_id = ${session.tokenId}
        order by ends_at desc offset ${MOST_OF_TOKEN - 1})
    )
    insert into console_session (session_id, user_id, token_id, ends_at)
    values (${session.id}, ${session.userId}, ${session.tokenId}, now() + ${session.seconds}::int * interval '1 s')`;
}

/** The user of a session that has not ended, and whose token, if it began with one, is neither revoked nor expired. */
export async function findSessionOwner(sql: Sql, id: string): Promise<TokenOwner | undefined> {
  const [row] = await sql<TokenOwner[]>`
    select s.token_id, s.user_id, u.state as user_state, u.permissions, t.expires_at
    from console_session s join app_user u using (user_id)
    left join access_token t on t.token_id = s.token_id
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
