import type { Sql } from '../../platform/db/client';
import type { PendingQuery, Row } from 'postgres';
import type { UserId } from '../../platform/ids';

export interface NewSignInLink {
  readonly sha256: Buffer;
  readonly userId: string;
  /** Null: the administration. */
  readonly madeBy: UserId | null;
  readonly seconds: number;
}

/** Keeps a new link of an active user and returns when it expires; undefined = there is no such user. */
export async function insertSignInLink(sql: Sql, link: NewSignInLink): Promise<Date | undefined> {
  const [row] = await sql<{ expiresAt: Date }[]>`
    insert into sign_in_link (link_sha256, user_id, made_by, expires_at)
    select ${link.sha256}::bytea, user_id, ${link.madeBy}, now() + ${link.seconds}::int * interval '1 s'
    from app_user where user_id = ${link.userId} and state = 'active'
    returning expires_at`;
  return row?.expiresAt;
}

export interface SignInLink {
  /** The name of the user whom it signs in. */
  readonly name: string;
  readonly state: 'good' | 'used' | 'expired';
}

/** Undefined = no such link, or one that has been over for long. */
export async function findSignInLink(sql: Sql, sha256: Buffer): Promise<SignInLink | undefined> {
  const [row] = await sql<SignInLink[]>`
    select u.name, case when l.used_at is not null then 'used'
        when ${isGood(sql)} then 'good' else 'expired' end as state
    from sign_in_link l join app_user u using (user_id)
    where l.link_sha256 = ${sha256}::bytea`;
  return row;
}

/** Uses a link up and begins the session of its user, in one statement. False = it is not good any more. */
export async function useSignInLink(
  sql: Sql,
  sha256: Buffer,
  session: { readonly id: string; readonly seconds: number },
): Promise<boolean> {
  const rows = await sql`
    with used as (
      update sign_in_link l set used_at = now()
      from app_user u
      where l.link_sha256 = ${sha256}::bytea and u.user_id = l.user_id and l.used_at is null
        and ${isGood(sql)}
      returning l.user_id
    )
    insert into console_session (session_id, user_id, ends_at)
    select ${session.id}, user_id, now() + ${session.seconds}::int * interval '1 s' from used
    returning session_id`;
  return rows.length > 0;
}

/** Whether link `l` of user `u` may still be used: also not once the operator who made it is none any more. */
function isGood(sql: Sql): PendingQuery<Row[]> {
  return sql`(l.expires_at > now() and u.state = 'active' and (l.made_by is null or exists (
    select from app_user m
    where m.user_id = l.made_by and m.state = 'active' and 'operator' = any (m.permissions))))`;
}

/** Removes up to `limit` links that have been over for a day, in which they still say so; returns how many. */
export async function removeExpiredSignInLinks(sql: Sql, limit: number): Promise<number> {
  const rows = await sql`
    delete from sign_in_link where link_sha256 in (
      select link_sha256 from sign_in_link where expires_at <= now() - interval '1 day'
      order by expires_at limit ${limit} for update skip locked)
    returning link_sha256`;
  return rows.length;
}
