import type { PendingQuery, Row } from 'postgres';
import type { Sql } from '../../platform/db/client';
import { type Configuration, configurationText, type Credential } from '../tokens/app-access';
import { LAST_USE_MS } from '../tokens/token-life';

export interface AppTokenRow {
  readonly credentialKey: string;
  readonly version: number;
  readonly tokenEncrypted: Buffer;
  /** See `configurationText`. */
  readonly configuration: string;
  /** Whether it may still be used, and whether a new one is due, by the database's clock. */
  readonly usable: boolean;
  readonly due: boolean;
}

/** The stored token of a credential; undefined if there is none. */
export async function findAppToken(
  sql: Sql,
  credentialKey: string,
): Promise<AppTokenRow | undefined> {
  const [row] = await sql<AppTokenRow[]>`
    select ${tokenColumns(sql)}
    from app_token t where t.credential_key = ${credentialKey} and t.token_encrypted is not null`;
  return row;
}

/** The columns of an `AppTokenRow`, for token `t`. */
export function tokenColumns(sql: Sql): PendingQuery<Row[]> {
  return sql`t.credential_key, t.version, t.token_encrypted, t.configuration,
    ${isUsable(sql)} as usable, t.renew_at <= now() as due`;
}

type TokenOwner = Pick<Credential, 'key' | 'configuration'>;

/** Whether the token may be used with the credential: both are of the same configuration. */
export function isTokenOf(
  { credentialKey, configuration }: AppTokenRow,
  credential: TokenOwner,
): boolean {
  return (
    credentialKey === credential.key &&
    configuration === configurationText(credential.configuration)
  );
}

/** A condition: neither the integration was configured anew since it was loaded, nor the store connected. */
function isLatest(
  sql: Sql,
  { integrationId, configurationNo, connection }: Configuration,
): PendingQuery<Row[]> {
  const ofIntegration = sql`exists (
    select from integration i where i.integration_id = ${integrationId}::bigint
      and i.configuration_no = ${configurationNo}::bigint)`;
  if (!connection) return ofIntegration;
  return sql`(${ofIntegration} and exists (
    select from store_integration c where c.store_id = ${connection.storeId}::bigint
      and c.integration_id = ${integrationId}::bigint
      and c.connection_no = ${connection.connectionNo}::bigint))`;
}

export async function isLatestConfiguration(
  sql: Sql,
  configuration: Configuration,
): Promise<boolean> {
  const rows = await sql`select where ${isLatest(sql, configuration)}`;
  return rows.length > 0;
}

/** A condition on token `t`: it may still be used. */
function isUsable(sql: Sql): PendingQuery<Row[]> {
  return sql`t.expires_at > now() + ${LAST_USE_MS}::int * interval '1 ms'`;
}

/** The right to fetch a token. */
export interface TokenLease {
  /** The version to replace. */
  readonly version: number;
  /** The last token, if the app refused it. */
  readonly refusedEncrypted: Buffer | null;
}

/**
 * Takes the right to fetch a token for `leaseMs`, for `owner`, who may take it again after its worker has died.
 * Undefined if another owner has the right or has fetched a token since the caller looked. Two tokens at once would use up the app's quota, and one may end the other.
 * Undefined also if the configuration of the credential is no longer the latest one; what belongs to an earlier one does
 * not keep the latest from fetching.
 */
export async function leaseTokenRefresh(
  sql: Sql,
  { key, configuration }: TokenOwner,
  owner: string,
  leaseMs: number,
): Promise<TokenLease | undefined> {
  const isOfOther = sql`t.configuration <> excluded.configuration`;
  const [row] = await sql<TokenLease[]>`
    insert into app_token as t (credential_key, configuration, refresh_until, refresh_owner)
    select ${key}, ${configurationText(configuration)}, now() + ${leaseMs}::int * interval '1 ms', ${owner}
    where ${isLatest(sql, configuration)}
    on conflict (credential_key) do update set refresh_until = excluded.refresh_until,
        refresh_owner = excluded.refresh_owner, configuration = excluded.configuration,
        version = t.version + (${isOfOther})::int,
        token_encrypted = case when not ${isOfOther} then t.token_encrypted end,
        refused_encrypted = case when not ${isOfOther} then t.refused_encrypted end
      where ${isOfOther} or (
        (t.refresh_until is null or t.refresh_until <= now() or t.refresh_owner = excluded.refresh_owner)
        and (t.token_encrypted is null or t.renew_at <= now() or not (${isUsable(sql)})))
    returning version, refused_encrypted`;
  return row;
}

/**
 * Stores a fetched token as the next version. False = the version or the configuration is another one by now, and
 * nothing was stored.
 */
export async function storeAppToken(
  sql: Sql,
  { key, configuration }: TokenOwner,
  token: {
    replaces: number;
    tokenEncrypted: Buffer;
    /** By the database's clock, which judges them: how long it may be used, and when a new one is due, ms from now. */
    livesMs: number;
    renewsInMs: number;
  },
): Promise<boolean> {
  const rows = await sql`
    update app_token set version = version + 1, token_encrypted = ${token.tokenEncrypted}::bytea,
      expires_at = now() + ${token.livesMs}::float8 * interval '1 ms',
      renew_at = now() + ${token.renewsInMs}::float8 * interval '1 ms',
      refresh_until = null, refused_encrypted = null
    where credential_key = ${key} and version = ${token.replaces}::bigint
      and ${isLatest(sql, configuration)}
    returning version`;
  return rows.length > 0;
}

/**
 * Forgets the tokens of credentials that change, for the statement that changes them. Their versions go on, so that a
 * token which is being fetched for the old credential is not stored (`storeAppToken`).
 */
export function forgetAppTokens(sql: Sql, credentialKeys: readonly string[]): PendingQuery<Row[]> {
  return sql`
    update app_token set version = version + 1, token_encrypted = null, refused_encrypted = null,
      refresh_until = null, refresh_owner = null
    where credential_key = any(${[...credentialKeys]}::text[])`;
}

/** Whether an owner currently has the right to fetch a token for this configuration. */
export async function isTokenBeingFetched(
  sql: Sql,
  { key, configuration }: TokenOwner,
): Promise<boolean> {
  const rows = await sql`
    select from app_token where credential_key = ${key} and refresh_until > now()
      and configuration = ${configurationText(configuration)}`;
  return rows.length > 0;
}

/** False = the owner does not have the right any more. */
export async function releaseTokenRefresh(
  sql: Sql,
  credentialKey: string,
  owner: string,
): Promise<boolean> {
  const rows = await sql`
    update app_token set refresh_until = null
    where credential_key = ${credentialKey} and refresh_owner = ${owner}
    returning version`;
  return rows.length > 0;
}

/** After a 401: the token of `version` is not used again, only kept to be recognised. A newer one, fetched meanwhile, stays. */
export async function invalidateAppToken(
  sql: Sql,
  credentialKey: string,
  version: number,
): Promise<void> {
  await sql`
    update app_token set refused_encrypted = token_encrypted, token_encrypted = null, version = version + 1, refresh_until = null
    where credential_key = ${credentialKey} and version = ${version}::bigint`;
}
