import type { TokenId, UserId } from '../../platform/ids';
import type { Sql } from '../../platform/db/client';

export const PERMISSIONS = ['inventory:create', 'pos:events', 'operator', 'support'] as const;
export type Permission = (typeof PERMISSIONS)[number];
export type UserState = 'active' | 'deactivated' | 'deleted';

export interface TokenOwner {
  /** Null: signed in to the console by a link. */
  readonly tokenId: TokenId | null;
  readonly userId: UserId;
  readonly userState: UserState;
  readonly permissions: readonly Permission[];
  readonly expiresAt: Date | null;
}

/** Whose rows are meant: a user's own, or all. */
export interface Viewer {
  readonly userId: UserId;
  /** Every store's and every system's. */
  readonly seesAll: boolean;
}

/** The owner of a token that is neither revoked nor expired, by the SHA-256 of the token. */
export async function findTokenOwner(
  sql: Sql,
  tokenSha256: Buffer,
): Promise<TokenOwner | undefined> {
  const [row] = await sql<TokenOwner[]>`
    select t.token_id, t.user_id, u.state as user_state, u.permissions, t.expires_at
    from access_token t join app_user u using (user_id)
    where t.token_sha256 = ${tokenSha256}::bytea
      and t.revoked_at is null
      and (t.expires_at is null or t.expires_at > now())`;
  return row;
}

export async function insertUser(
  sql: Sql,
  user: { userId: UserId; name: string; permissions: readonly Permission[] },
): Promise<void> {
  await sql`
    insert into app_user (user_id, name, permissions)
    values (${user.userId}, ${user.name}, ${[...user.permissions]}::text[])`;
}

/** Gives a user permissions and takes others; what is in both is taken. Undefined = no such user, or a deleted one. */
export async function changePermissions(
  sql: Sql,
  userId: string,
  { add, remove }: { readonly add: readonly Permission[]; readonly remove: readonly Permission[] },
): Promise<UserRow | undefined> {
  const [row] = await sql<UserRow[]>`
    update app_user set permissions = array(
      select p from unnest(${[...PERMISSIONS]}::text[]) with ordinality as known (p, place)
      where (p = any (permissions) or p = any (${[...add]}::text[])) and p <> all (${[...remove]}::text[])
      order by place)
    where user_id = ${userId} and state <> 'deleted'
    returning user_id, name, permissions, state`;
  return row;
}

export interface UserRow {
  readonly userId: UserId;
  readonly name: string;
  readonly permissions: readonly Permission[];
  readonly state: UserState;
}

/** Users whose name has `part` in it, newest first, made before the user `before`; null: any. */
export async function listUsers(
  sql: Sql,
  { part, before, limit }: { part: string | null; before: string | null; limit: number },
): Promise<UserRow[]> {
  return sql<UserRow[]>`
    select user_id, name, permissions, state from app_user
    where (${before}::text is null or user_id < ${before}::text)
      and (${part}::text is null or position(lower(${part}::text) in lower(name)) > 0)
    order by user_id desc limit ${limit}::int`;
}

/** Undefined = no such user. */
export async function findUserName(sql: Sql, userId: UserId): Promise<string | undefined> {
  const [row] = await sql<{ name: string }[]>`
    select name from app_user where user_id = ${userId}`;
  return row?.name;
}

/** False if there is no such user. */
export async function insertToken(
  sql: Sql,
  token: { tokenId: TokenId; userId: string; sha256: Buffer; expiresAt: Date | null },
): Promise<boolean> {
  const rows = await sql`
    insert into access_token (token_id, user_id, token_sha256, expires_at)
    select ${token.tokenId}, user_id, ${token.sha256}::bytea, ${token.expiresAt}::timestamptz
    from app_user where user_id = ${token.userId}
    on conflict (token_sha256) do nothing
    returning token_id`;
  return rows.length > 0;
}

export interface TokenRow {
  readonly tokenId: TokenId;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
}

export async function listTokens(sql: Sql, userId: string): Promise<TokenRow[]> {
  return sql<TokenRow[]>`
    select token_id, created_at, expires_at, revoked_at from access_token
    where user_id = ${userId} order by created_at`;
}

export async function revokeToken(sql: Sql, tokenId: string): Promise<TokenRow | undefined> {
  const [row] = await sql<TokenRow[]>`
    update access_token set revoked_at = coalesce(revoked_at, now()) where token_id = ${tokenId}
    returning token_id, created_at, expires_at, revoked_at`;
  return row;
}
