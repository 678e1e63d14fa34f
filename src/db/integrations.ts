import type { AppName } from '../delivery-apps/types';
import type { UploadId } from '../ids';
import type { Sql } from './client';

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
  readonly hasDeliveryId: boolean;
  /** Base URL and client are configured, so that a client can be built at all. */
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
      c.delivery_id is not null as has_delivery_id,
      i.base_url is not null and i.client_id is not null
        and i.client_secret_encrypted is not null as configured
    from integration i
    left join store_integration c on c.integration_id = i.integration_id and c.store_id = ${storeId}::bigint
    where i.integration_id = ${integrationId}::bigint`;
  return row;
}

/** Everything that a step needs to call the app for an upload. Secrets are still encrypted. */
export interface UploadTarget {
  readonly uploadId: UploadId;
  readonly attemptNo: number;
  readonly storeId: number;
  readonly integrationId: number;
  readonly app: AppName;
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecretEncrypted: Buffer;
  readonly credentialEncrypted: Buffer;
  readonly deliveryId: string;
  readonly countryCode: string;
  readonly documentSha256: string;
  /** Bytes of the menu's text. */
  readonly documentSize: number;
  readonly payloadSha256: string | null;
  readonly taskId: string | null;
  /** Since the app took the task; 0 before. */
  readonly pushAgeMs: number;
  /** Since the app was last asked about the task; null = not yet. */
  readonly askedAgeMs: number | null;
  readonly skipUnchanged: boolean;
  readonly liveDocumentSha256: string | null;
  /** Pushes at once to the integration, in one worker. */
  readonly maxInFlight: number;
}

/** Undefined when the upload is not the running attempt `attemptNo`, or its integration was taken apart meanwhile. */
export async function findUploadTarget(
  sql: Sql,
  uploadId: UploadId,
  attemptNo: number,
): Promise<UploadTarget | undefined> {
  const [row] = await sql<UploadTarget[]>`
    select u.upload_id, u.attempt_no, u.store_id, u.integration_id, i.app, i.base_url, i.client_id,
      i.client_secret_encrypted, c.credential_encrypted, c.delivery_id, s.country_code,
      u.document_sha256, d.size as document_size, u.payload_sha256, u.task_id, u.skip_unchanged, p.live_document_sha256,
      i.max_in_flight,
      coalesce(extract(epoch from now() - u.pushed_at) * 1000, 0)::float8 as push_age_ms,
      (extract(epoch from now() - u.task_asked_at) * 1000)::float8 as asked_age_ms
    from menu_upload u
    join integration i using (integration_id)
    join store_integration c using (store_id, integration_id)
    join publication p using (store_id, integration_id)
    join store s using (store_id)
    join document d on d.sha256 = u.document_sha256
    where u.upload_id = ${uploadId} and u.attempt_no = ${attemptNo} and u.state = 'running'
      and i.base_url is not null and i.client_id is not null
      and i.client_secret_encrypted is not null and c.credential_encrypted is not null
      and c.delivery_id is not null`;
  return row;
}

/** The sealed client secret of an integration of `app`, which the app's callbacks are signed with; or undefined. */
export async function findClientSecret(
  sql: Sql,
  integrationId: number,
  app: AppName,
): Promise<Buffer | undefined> {
  const [row] = await sql<{ clientSecretEncrypted: Buffer }[]>`
    select client_secret_encrypted from integration
    where integration_id = ${integrationId}::bigint and app = ${app}
      and client_secret_encrypted is not null`;
  return row?.clientSecretEncrypted;
}

/** The sealed secret of the webhooks of an integration of `app`, where they have one of their own; or undefined. */
export async function findWebhookSecret(
  sql: Sql,
  integrationId: number,
  app: AppName,
): Promise<Buffer | undefined> {
  const [row] = await sql<{ webhookSecretEncrypted: Buffer }[]>`
    select webhook_secret_encrypted from integration
    where integration_id = ${integrationId}::bigint and app = ${app}
      and webhook_secret_encrypted is not null`;
  return row?.webhookSecretEncrypted;
}

/** The store that an app calls `deliveryId`. */
export async function findStoreByDeliveryId(
  sql: Sql,
  integrationId: number,
  deliveryId: string,
): Promise<number | undefined> {
  const [row] = await sql<{ storeId: number }[]>`
    select store_id from store_integration
    where integration_id = ${integrationId}::bigint and delivery_id = ${deliveryId}`;
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

/** The id of an integration about to be made: its secret is encrypted for that id. */
export async function reserveIntegrationId(sql: Sql): Promise<number> {
  const [row] = await sql<{ id: number }[]>`
    select nextval(pg_get_serial_sequence('integration', 'integration_id')) as id`;
  if (!row) throw new Error('the integration sequence gave no value');
  return row.id;
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

/** Changes what is given and leaves what is null; tokens got with the old configuration are forgotten. */
export async function updateIntegration(
  sql: Sql,
  integrationId: number,
  settings: IntegrationSettings,
): Promise<IntegrationRow | undefined> {
  const { app, name, baseUrl, clientId, active, maxInFlight } = settings;
  const { clientSecretEncrypted, webhookSecretEncrypted } = settings;
  const [changed] = await sql<IntegrationRow[]>`
    with changed as (
      update integration set
        name = coalesce(${name}, name),
        base_url = coalesce(${baseUrl}, base_url),
        client_id = coalesce(${clientId}, client_id),
        client_secret_encrypted = coalesce(${clientSecretEncrypted}::bytea, client_secret_encrypted),
        webhook_secret_encrypted =
          coalesce(${webhookSecretEncrypted}::bytea, webhook_secret_encrypted),
        active = coalesce(${active}::boolean, active),
        max_in_flight = coalesce(${maxInFlight}::int, max_in_flight)
      where integration_id = ${integrationId}::bigint and app = ${app}
      returning integration_id, app, name, base_url, client_id, active, max_in_flight
    ), forgotten as (
      delete from app_token where credential_key = ${`integration/${integrationId}`}
        or credential_key like ${`store/%/${integrationId}`}
    )
    select * from changed`;
  return changed;
}

/** Makes the connection what is given: a null credential or delivery id is absent afterwards. False = no such store or integration. */
export async function connectStore(
  sql: Sql,
  connection: {
    storeId: number;
    integrationId: number;
    deliveryId: string | null;
    credentialEncrypted: Buffer | null;
  },
): Promise<boolean> {
  const { storeId, integrationId, deliveryId, credentialEncrypted } = connection;
  const rows = await sql`
    with forgotten as (
      delete from app_token where credential_key = ${`store/${storeId}/${integrationId}`}
    )
    insert into store_integration (store_id, integration_id, delivery_id, credential_encrypted)
    select s.store_id, i.integration_id, ${deliveryId}, ${credentialEncrypted}::bytea
    from store s, integration i
    where s.store_id = ${storeId}::bigint and s.deleted_at is null
      and i.integration_id = ${integrationId}::bigint
    on conflict (store_id, integration_id)
      do update set delivery_id = excluded.delivery_id, credential_encrypted = excluded.credential_encrypted
    returning store_id`;
  return rows.length > 0;
}
