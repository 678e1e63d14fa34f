import {
  connectStore,
  insertIntegration,
  type IntegrationRow,
  listIntegrations,
  reserveIntegrationId,
  updateIntegration,
} from '../delivery-apps/sql/integrations';
import {
  clientSecretContext,
  storeCredentialContext,
  webhookSecretContext,
} from '../delivery-apps/tokens/app-access';
import { MOST_PUSHES_AT_ONCE } from '../uploads/push-permits';
import { deliveryApps, isAppName } from '../delivery-apps/registry';
import type { Sql } from '../platform/db/client';
import { type AdminDeps, AdminError } from './admin-deps';

type Deps = Pick<AdminDeps, 'sql' | 'secrets'>;

export interface IntegrationInput {
  /** Null creates a new one. */
  readonly integrationId: number | null;
  readonly app: string;
  readonly name: string | null;
  readonly baseUrl: string | null;
  readonly clientId: string | null;
  readonly clientSecret: string | null;
  /** Signs the app's webhooks if it is not the client's secret (App D); absent: unchanged. */
  readonly webhookSecret?: string | null;
  readonly active: boolean | null;
  /** Simultaneous pushes in one worker; null: unchanged, or 50 for a new one. */
  readonly maxInFlight?: number | null;
}

export async function showIntegrations({ sql }: Pick<Deps, 'sql'>) {
  const rows = await listIntegrations(sql);
  return rows.map((row) => ({ ...render(row), max_in_flight: row.maxInFlight }));
}

/** Creates an integration, or changes the given fields of one, its app included. */
export async function configureIntegration({ sql, secrets }: Deps, input: IntegrationInput) {
  const { app } = input;
  if (!isAppName(app)) {
    throw new AdminError(
      `The app ${app} does not exist; there are ${deliveryApps()
        .map(({ name }) => name)
        .join(', ')}.`,
    );
  }
  if (input.baseUrl !== null && !/^https?:\/\/[^?#@]+$/.test(input.baseUrl)) {
    throw new AdminError('The base URL must be http(s), without credentials, query or fragment.');
  }
  const { maxInFlight = null } = input;
  if (maxInFlight !== null && (maxInFlight < 1 || maxInFlight > MOST_PUSHES_AT_ONCE)) {
    throw new AdminError(`The pushes at once must be from 1 to ${MOST_PUSHES_AT_ONCE}.`);
  }
  const id = input.integrationId ?? (await reserveIntegrationId(sql));
  const settings = {
    app,
    name: input.name,
    baseUrl: input.baseUrl?.replace(/\/+$/, '') ?? null,
    clientId: input.clientId,
    clientSecretEncrypted:
      input.clientSecret === null
        ? null
        : secrets.encrypt(input.clientSecret, clientSecretContext(id)),
    webhookSecretEncrypted: input.webhookSecret
      ? secrets.encrypt(input.webhookSecret, webhookSecretContext(id))
      : null,
    active: input.active,
    maxInFlight,
  };
  const row =
    input.integrationId === null
      ? await insertIntegration(sql, id, settings)
      : await updateIntegration(sql, id, settings);
  if (!row) throw new AdminError(`There is no integration ${id}.`);
  return render(row);
}

function render(row: IntegrationRow) {
  return {
    integration_id: String(row.integrationId),
    app: row.app,
    name: row.name,
    active: row.active,
  };
}

/**
 * Connects a store to an integration; without a credential it has no token there, without a delivery id no store: a null
 * one removes the stored one, unless `keep` is true. Where the credential names the store to the app, that is its
 * delivery id.
 */
export async function connectStoreTo(
  { sql, secrets }: Deps,
  input: {
    storeId: number;
    integrationId: number;
    credential: string | null;
    appStoreId: string | null;
    keep?: boolean;
  },
) {
  const { storeId, integrationId, credential, keep = false } = input;
  const members = credential === null ? {} : readCredential(credential);
  const member = await findStoreIdMember(sql, integrationId);
  const named = member === undefined ? undefined : members[member];
  const isNamed = typeof named === 'number' || (typeof named === 'string' && named !== '');
  const appStoreId = isNamed ? String(named) : input.appStoreId;
  // The credential that is kept may name another store.
  if (keep && credential === null && member !== undefined && appStoreId !== null) {
    throw new AdminError(
      'The credential of this app may name the store, too: give it with the delivery id.',
    );
  }
  const connected = await connectStore(sql, {
    storeId,
    integrationId,
    appStoreId,
    keep,
    credentialEncrypted:
      credential === null
        ? null
        : secrets.encrypt(credential, storeCredentialContext(storeId, integrationId)),
  });
  if (!connected) {
    throw new AdminError(
      `The store ${storeId} or the integration ${integrationId} does not exist.`,
    );
  }
  return { store_id: storeId, integration_id: String(integrationId) };
}

async function findStoreIdMember(sql: Sql, integrationId: number): Promise<string | undefined> {
  const rows = await listIntegrations(sql);
  const row = rows.find((each) => each.integrationId === integrationId);
  return deliveryApps().find(({ name }) => name === row?.app)?.storeIdMember;
}

/** A flat JSON object of strings; error messages never quote its values. */
function readCredential(text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new AdminError('The credential must be a JSON object.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new AdminError('The credential must be a JSON object.');
  }
  return value as Readonly<Record<string, unknown>>;
}
