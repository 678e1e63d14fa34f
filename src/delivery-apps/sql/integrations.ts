import type { PendingQuery, Row } from 'postgres';
import { keysOfIntegration, keysOfStore, type SealedCredential } from '../tokens/app-access';
import type { AppName } from '../types';
import { forgetAppTokens } from './app-tokens';
import type { Sql } from '../../platform/db/client';
import { maySweepAtOnce } from '../../platform/queue/lease';
import { onlyRow } from '../../platform/db/only-row';

export interface IntegrationRow {
  readonly integrationId: number;
  readonly app: AppName;
  readonly name: string;
  readonly baseUrl: string | null;
  readonly clientId: string | null;
  readonly active: boolean;
  readonly maxInFlight: number;
}

/** What decides, before any row is written, whether a store's menu can go to an integration. */
export interface ConnectionFacts {
  readonly app: AppName;
  readonly active: boolean;
  readonly hasCredential: boolean;
  readonly hasAppStoreId: boolean;
  /** Base URL and client are configured, so that a client can be created. */
  readonly configured: boolean;
}

/** Undefined = no such integration. */
export async function findConnection(
  sql: Sql,
  storeId: number,
  integrationId: number,
): Promise<ConnectionFacts | undefined> {
  const [row] = await sql<ConnectionFacts[]>`
    select i.app, i.active,
      c.credential_encrypted is not null as has_credential,
      c.delivery_id is not null as has_app_store_id,
      i.base_url is not null and i.client_id is not null
        and i.client_secret_encrypted is not null as configured
    from integration i
    left join store_integration c on c.integration_id = i.integration_id and c.store_id = ${storeId}::bigint
    where i.integration_id = ${integrationId}::bigint`;
  return row;
}

/** All that is needed to call the app for a store. Secrets are still encrypted. */
export interface AppTarget extends SealedCredential {
  readonly app: AppName;
  readonly baseUrl: string;
}

/** Undefined: the integration was removed or deactivated. */
export async function findAppTarget(
  sql: Sql,
  storeId: number,
  integrationId: number,
): Promise<AppTarget | undefined> {
  const [row] = await sql<AppTarget[]>`
    select c.store_id, c.integration_id, i.configuration_no, c.connection_no, i.app, i.base_url, i.client_id,
      i.client_secret_encrypted, c.credential_encrypted,
      c.delivery_id as app_store_id
    from store_integration c join integration i using (integration_id)
    where c.store_id = ${storeId}::bigint and c.integration_id = ${integrationId}::bigint
      and i.active and i.base_url is not null and i.client_id is not null
      and i.client_secret_encrypted is not null and c.credential_encrypted is not null
      and c.delivery_id is not null`;
  return row;
}

/**
 * A sealed secret of an integration of `app`, with which the app signs its callbacks: the client secret, or the webhook
 * secret where the app has a separate one, and the database's time in ms. Undefined: there is none.
 */
export async function findCallbackSecret(
  sql: Sql,
  integrationId: number,
  app: AppName,
  column: 'client_secret_encrypted' | 'webhook_secret_encrypted',
): Promise<{ readonly sealed: Buffer; readonly now: number } | undefined> {
  const [row] = await sql<{ sealed: Buffer; now: number }[]>`
    select ${sql(column)} as sealed, (extract(epoch from now()) * 1000)::float8 as now from integration
    where integration_id = ${integrationId}::bigint and app = ${app} and ${sql(column)} is not null`;
  return row;
}

/** The store with this id in the app. */
export async function findStoreByAppStoreId(
  sql: Sql,
  integrationId: number,
  appStoreId: string,
): Promise<number | undefined> {
  const [row] = await sql<{ storeId: number }[]>`
    select store_id from store_integration
    where integration_id = ${integrationId}::bigint and delivery_id = ${appStoreId}`;
  return row?.storeId;
}

export async function listIntegrations(sql: Sql): Promise<IntegrationRow[]> {
  return sql<IntegrationRow[]>`
    select integration_id, app, name, base_url, client_id, active, max_in_flight
    from integration order by integration_id`;
}

export interface IntegrationSettings {
  readonly app: AppName;
  readonly name: string | null;
  readonly baseUrl: string | null;
  readonly clientId: string | null;
  readonly clientSecretEncrypted: Buffer | null;
  readonly webhookSecretEncrypted: Buffer | null;
  readonly active: boolean | null;
  readonly maxInFlight: number | null;
}

/** The id of an integration about to be created, because its secret is encrypted for that id. */
export async function reserveIntegrationId(sql: Sql): Promise<number> {
  const rows = await sql<{ id: number }[]>`
    select nextval(pg_get_serial_sequence('integration', 'integration_id')) as id`;
  return onlyRow(rows).id;
}

export async function insertIntegration(
  sql: Sql,
  integrationId: number,
  settings: IntegrationSettings,
): Promise<IntegrationRow | undefined> {
  const { app, name, baseUrl, clientId, active, maxInFlight } = settings;
  const { clientSecretEncrypted, webhookSecretEncrypted } = settings;
  const [made] = await sql<IntegrationRow[]>`
    insert into integration
      (integration_id, app, name, base_url, client_id, client_secret_encrypted,
        webhook_secret_encrypted, active, max_in_flight)
    values (${integrationId}::bigint, ${app}, ${name ?? app}, ${baseUrl}, ${clientId},
      ${clientSecretEncrypted}::bytea, ${webhookSecretEncrypted}::bytea,
      coalesce(${active}::boolean, true),
      coalesce(${maxInFlight}::int, 50))
    returning integration_id, app, name, base_url, client_id, active, max_in_flight`;
  return made;
}

/**
 * Changes the given fields and leaves null ones as they are; tokens from the old configuration are forgotten. Another app
 * has shown no menu yet: nothing is live in it, and nothing is compared with what was.
 * `pushed_to` names the app, as `destination` in `upload-target.ts` describes, to the end of an upload that waits for
 * this statement and began before it.
 */
export async function updateIntegration(
  sql: Sql,
  integrationId: number,
  settings: IntegrationSettings,
): Promise<IntegrationRow | undefined> {
  const { app, name, baseUrl, clientId, active, maxInFlight } = settings;
  const { clientSecretEncrypted, webhookSecretEncrypted } = settings;
  // By their keys, one by one: every token of every app would be read to find those whose keys are alike.
  const stores = await sql<{ storeId: number }[]>`
    select store_id from store_integration where integration_id = ${integrationId}::bigint`;
  const tokens = [
    ...keysOfIntegration(integrationId),
    ...stores.flatMap(({ storeId }) => keysOfStore(storeId, integrationId)),
  ];
  const [changed] = await sql<IntegrationRow[]>`
    with before as (
      -- Not for update, for which the foreign keys of marks would wait, whose queues this statement waits for.
      select integration_id, app from integration
      where integration_id = ${integrationId}::bigint for no key update
    ), changed as (
      update integration i set app = ${app}, configuration_no = i.configuration_no + 1,
        name = coalesce(${name}, i.name),
        base_url = coalesce(${baseUrl}, i.base_url),
        client_id = coalesce(${clientId}, i.client_id),
        client_secret_encrypted =
          coalesce(${clientSecretEncrypted}::bytea, i.client_secret_encrypted),
        webhook_secret_encrypted =
          coalesce(${webhookSecretEncrypted}::bytea, i.webhook_secret_encrypted),
        active = coalesce(${active}::boolean, i.active),
        max_in_flight = coalesce(${maxInFlight}::int, i.max_in_flight)
      from before b where i.integration_id = b.integration_id
      returning i.integration_id, i.app, i.name, i.base_url, i.client_id, i.active, i.max_in_flight
    ), forgotten as (
      ${forgetAppTokens(sql, tokens)}
    ), never_shown as (
      update publication p set live_upload_id = null, live_document_sha256 = null, live_since = null,
        pushed_to = json_build_array(${app}::text)::text, drift_state = 'unknown', drift_checked_at = null,
        drift_changes_count = null, drift_changes = null, is_unfollowed = false, has_item_calls = false
      from before b where p.integration_id = b.integration_id and b.app <> ${app}
    ), tried as (
      ${trySoon(sql)}
      from changed c where q.integration_id = c.integration_id and q.retry_at is not null
    )
    select * from changed`;
  return changed;
}

/** The start of an update of queues `q`: what waits for their integration is tried soon. */
function trySoon(sql: Sql): PendingQuery<Row[]> {
  return sql`
    update availability_queue q set retry_at = least(q.retry_at, now()), retry_is_asked = false,
      ${maySweepAtOnce(sql)}`;
}

/**
 * Sets the connection as given: a null credential or delivery id removes the old one, or with `keep` leaves it as it is.
 * The store's tokens are forgotten in any case. False = no such store or integration.
 */
export async function connectStore(
  sql: Sql,
  connection: {
    storeId: number;
    integrationId: number;
    appStoreId: string | null;
    credentialEncrypted: Buffer | null;
    keep?: boolean;
  },
): Promise<boolean> {
  const { storeId, integrationId, appStoreId, credentialEncrypted, keep = false } = connection;
  const rows = await sql`
    with forgotten as (
      ${forgetAppTokens(sql, keysOfStore(storeId, integrationId))}
    ), connected as (
      insert into store_integration as c (store_id, integration_id, delivery_id, credential_encrypted)
      select s.store_id, i.integration_id, ${appStoreId}, ${credentialEncrypted}::bytea
      from store s, integration i
      where s.store_id = ${storeId}::bigint and s.deleted_at is null
        and i.integration_id = ${integrationId}::bigint
      on conflict (store_id, integration_id)
        do update set connection_no = c.connection_no + 1,
          delivery_id = coalesce(excluded.delivery_id, case when ${keep}::boolean then c.delivery_id end),
          credential_encrypted =
            coalesce(excluded.credential_encrypted, case when ${keep}::boolean then c.credential_encrypted end)
      returning store_id, integration_id
    ), tried as (
      ${trySoon(sql)}
      from connected c where q.store_id = c.store_id and q.integration_id = c.integration_id
        and q.retry_at is not null
    )
    select store_id from connected`;
  return rows.length > 0;
}

/**
 * Ids of the integrations that a store is connected to, oldest first; unless `liveOrOff` is null, only those that show
 * a menu, or where one of these items is off sale.
 */
export async function listConnectedIntegrations(
  sql: Sql,
  storeId: number,
  liveOrOff: readonly string[] | null,
): Promise<number[]> {
  const rows = await sql<{ integrationId: number }[]>`
    select c.integration_id from store_integration c
    where c.store_id = ${storeId}::bigint and (${liveOrOff === null}::boolean or exists (
      select from publication p where p.store_id = c.store_id
        and p.integration_id = c.integration_id and p.live_upload_id is not null)
      or exists (
        select from availability_mark m where m.store_id = c.store_id
          and m.integration_id = c.integration_id and m.external_id = any(${[...(liveOrOff ?? [])]}::text[])))
    order by c.integration_id`;
  return rows.map((row) => row.integrationId);
}
