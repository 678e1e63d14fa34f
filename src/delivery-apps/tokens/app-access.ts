import type { SecretBox } from '../../platform/crypto/secrets';
import type { AppCredential } from '../types';

/** Whose credential it is decides whose token it is: the integration's, unless the store brings a client of its own. */
export interface Credential extends AppCredential {
  readonly key: string;
}

/** What opens the app's door for a store, as it is kept. */
export interface SealedCredential {
  readonly storeId: number;
  readonly integrationId: number;
  readonly clientId: string;
  readonly clientSecretEncrypted: Buffer;
  readonly credentialEncrypted: Buffer;
  readonly deliveryId: string;
}

/** Decrypts what opens the app's door for one store. The result lives in the calling step only. */
export function openCredential(
  target: SealedCredential,
  scope: 'integration' | 'store',
  secrets: SecretBox,
): Credential {
  const { storeId, integrationId } = target;
  const store = parseStoreCredential(
    secrets.decrypt(target.credentialEncrypted, storeCredentialContext(storeId, integrationId)),
  );
  const own = store['client_id'] !== undefined && store['client_secret'] !== undefined;
  return {
    key:
      scope === 'store' || own
        ? `store/${storeId}/${integrationId}`
        : `integration/${integrationId}`,
    clientId: store['client_id'] ?? target.clientId,
    clientSecret:
      store['client_secret'] ??
      secrets.decrypt(target.clientSecretEncrypted, clientSecretContext(integrationId)),
    store: { delivery_id: target.deliveryId, ...store },
  };
}

/** The credential of a token for pauses, where the app wants one of its own for them. */
export function pauseCredential(credential: Credential): Credential {
  return { ...credential, key: `${credential.key}/pauses`, forPauses: true };
}

export function storeCredentialContext(storeId: number, integrationId: number): string {
  return `store_integration/credential/${storeId}/${integrationId}`;
}

export function clientSecretContext(integrationId: number): string {
  return `integration/client_secret/${integrationId}`;
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
