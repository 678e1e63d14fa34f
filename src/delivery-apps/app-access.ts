import { setTimeout as delay } from 'node:timers/promises';
import {
  findAppToken,
  invalidateAppToken,
  leaseTokenRefresh,
  releaseTokenRefresh,
  storeAppToken,
} from '../db/app-tokens';
import type { Sql } from '../db/client';
import type { UploadTarget } from '../db/integrations';
import type { SecretBox } from '../secrets';
import type { AppCredential, DeliveryAppClient, TokenResult } from './types';

/** A lease outlives the longest token call, so that two fetch at once only when the first process is gone. */
const LEASE_MARGIN_MS = 10_000;
const POLL_MS = 100;
/** Renewed when a tenth of its life is left, at most five minutes early. */
const LONGEST_MARGIN_MS = 300_000;

export type Access =
  | { readonly kind: 'token'; readonly token: string; readonly version: number }
  | Exclude<TokenResult, { kind: 'token' }>;

export interface AppAccessDeps {
  readonly sql: Sql;
  readonly secrets: SecretBox;
  readonly timeoutMs: number;
}

/** Whose credential it is decides whose token it is: the integration's, unless the store brings a client of its own. */
export interface Credential extends AppCredential {
  readonly key: string;
}

/** Decrypts what opens the app's door for one store. The result lives in the calling step only. */
export function openCredential(
  target: UploadTarget,
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

export function storeCredentialContext(storeId: number, integrationId: number): string {
  return `store_integration/credential/${storeId}/${integrationId}`;
}

export function clientSecretContext(integrationId: number): string {
  return `integration/client_secret/${integrationId}`;
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

/**
 * A token for the credential: the kept one while it is good, else a fresh one, fetched by one process at a time.
 * When the app cannot be asked for a new one, the old one serves until its very end.
 */
export async function accessToken(
  { sql, secrets, timeoutMs }: AppAccessDeps,
  client: DeliveryAppClient,
  credential: Credential,
): Promise<Access> {
  const context = `app_token/${credential.key}`;
  const giveUpAt = Date.now() + timeoutMs + LEASE_MARGIN_MS;
  for (;;) {
    const kept = await findAppToken(sql, credential.key);
    const open = (): Access & { kind: 'token' } => ({
      kind: 'token',
      token: secrets.decrypt(kept?.tokenEncrypted ?? Buffer.alloc(0), context),
      version: kept?.version ?? 0,
    });
    if (kept?.usable && !kept.due) return open();
    const replaces = await leaseTokenRefresh(sql, credential.key, timeoutMs + LEASE_MARGIN_MS);
    if (replaces !== undefined) {
      const fetched = await refresh(replaces);
      return fetched.kind === 'retry' && kept?.usable ? open() : fetched;
    }
    if (kept?.usable) return open();
    if (Date.now() > giveUpAt)
      return { kind: 'retry', reason: 'the token is being fetched elsewhere' };
    await delay(POLL_MS);
  }

  async function refresh(replaces: number): Promise<Access> {
    const result = await client.fetchToken(credential);
    if (result.kind !== 'token') {
      await releaseTokenRefresh(sql, credential.key);
      return result;
    }
    const life = result.expiresAt - Date.now();
    await storeAppToken(sql, {
      credentialKey: credential.key,
      replaces,
      tokenEncrypted: secrets.encrypt(result.token, context),
      expiresAt: new Date(result.expiresAt),
      renewAt: new Date(result.expiresAt - Math.min(life / 10, LONGEST_MARGIN_MS)),
    });
    return { kind: 'token', token: result.token, version: replaces + 1 };
  }
}

/** After a 401 for `version`: the next `accessToken` fetches anew, unless somebody already has. */
export async function forgetToken(
  sql: Sql,
  credential: Credential,
  version: number,
): Promise<void> {
  await invalidateAppToken(sql, credential.key, version);
}
