import type { SecretBox } from '../../platform/crypto/secrets';
import { type AppCredential, TOKEN_USES, type TokenUse } from '../app-client';

/** A credential, and whose token it gets: the integration's, unless the store has its own client. */
export interface Credential extends AppCredential {
  readonly key: string;
  readonly configuration: Configuration;
}

/** What a credential was loaded from. A token belongs to one configuration. */
export interface Configuration {
  readonly integrationId: number;
  /** How often the integration was configured. */
  readonly configurationNo: number;
  /** Null: the token is the integration's. */
  readonly connection: { readonly storeId: number; readonly connectionNo: number } | null;
}

/** The configuration as it stands beside a token. */
export function configurationText({ configurationNo, connection }: Configuration): string {
  return connection ? `${configurationNo}/${connection.connectionNo}` : String(configurationNo);
}

/** The stored credentials of a store in an app. */
export interface SealedCredential {
  readonly storeId: number;
  readonly integrationId: number;
  readonly configurationNo: number;
  readonly connectionNo: number;
  readonly clientId: string;
  readonly clientSecretEncrypted: Buffer;
  readonly credentialEncrypted: Buffer;
  readonly appStoreId: string;
}

/** Decrypts the credentials of one store. The result must not outlive the calling step. */
export function openCredential(
  target: SealedCredential,
  scope: 'integration' | 'store',
  secrets: SecretBox,
): Credential {
  const { storeId, integrationId, configurationNo, connectionNo } = target;
  const store = parseStoreCredential(
    secrets.decrypt(target.credentialEncrypted, storeCredentialContext(storeId, integrationId)),
  );
  const own = store['client_id'] !== undefined && store['client_secret'] !== undefined;
  const isOfStore = scope === 'store' || own;
  return {
    key: isOfStore ? storeKey(storeId, integrationId) : integrationKey(integrationId),
    configuration: {
      integrationId,
      configurationNo,
      connection: isOfStore ? { storeId, connectionNo } : null,
    },
    clientId: store['client_id'] ?? target.clientId,
    clientSecret:
      store['client_secret'] ??
      secrets.decrypt(target.clientSecretEncrypted, clientSecretContext(integrationId)),
    store: { delivery_id: target.appStoreId, ...store },
  };
}

/** The credential of a token for calls that need one of their own; the same credential where there is no such use. */
export function credentialFor(credential: Credential, use: TokenUse | undefined): Credential {
  return use ? { ...credential, key: keyFor(credential.key, use), use } : credential;
}

/** The keys of all tokens that a store itself may have. */
export function keysOfStore(storeId: number, integrationId: number): string[] {
  return allKeys(storeKey(storeId, integrationId));
}

/** The keys of all tokens that an integration may have, those of its stores left out. */
export function keysOfIntegration(integrationId: number): string[] {
  return allKeys(integrationKey(integrationId));
}

function allKeys(key: string): string[] {
  return [key, ...TOKEN_USES.map((use) => keyFor(key, use))];
}

function integrationKey(integrationId: number): string {
  return `integration/${integrationId}`;
}

function storeKey(storeId: number, integrationId: number): string {
  return `store/${storeId}/${integrationId}`;
}

function keyFor(key: string, use: TokenUse): string {
  return `${key}/${use}`;
}

export function storeCredentialContext(storeId: number, integrationId: number): string {
  return `store_integration/credential/${storeId}/${integrationId}`;
}

export function clientSecretContext(integrationId: number): string {
  return `integration/client_secret/${integrationId}`;
}

export function appTokenContext(credentialKey: string): string {
  return `app_token/${credentialKey}`;
}

export function webhookSecretContext(integrationId: number): string {
  return `integration/webhook_secret/${integrationId}`;
}

function parseStoreCredential(text: string): Record<string, string> {
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      typeof each === 'string' ? each : String(each),
    ]),
  );
}
