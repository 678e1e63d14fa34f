import type { Row } from 'postgres';
import {
  clientSecretContext,
  storeCredentialContext,
  webhookSecretContext,
} from '../delivery-apps/tokens/app-access';
import type { SubscriptionId } from '../platform/ids';
import type { SecretBox } from '../platform/crypto/secrets';
import type { Sql } from '../platform/db/client';
import { posSecretContext } from '../inventory/sql/pos-systems';
import {
  subscriptionHeadersContext,
  subscriptionSecretContext,
} from '../webhooks/sql/subscriptions';

/** A column of sealed secrets, and the context for which they are sealed. */
interface SealedColumn {
  readonly table: string;
  /** In camelCase, like the columns of rows; `sql()` converts an identifier back. */
  readonly keys: readonly string[];
  readonly column: string;
  /** Made from the row's keys. */
  readonly context: (row: Row) => string;
}

/** All columns with secrets: if one is missing here, its secrets are lost with the previous key. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  {
    table: 'integration',
    keys: ['integrationId'],
    column: 'client_secret_encrypted',
    context: (row) => clientSecretContext(Number(row['integrationId'])),
  },
  {
    table: 'integration',
    keys: ['integrationId'],
    column: 'webhook_secret_encrypted',
    context: (row) => webhookSecretContext(Number(row['integrationId'])),
  },
  {
    table: 'store_integration',
    keys: ['storeId', 'integrationId'],
    column: 'credential_encrypted',
    context: (row) => storeCredentialContext(Number(row['storeId']), Number(row['integrationId'])),
  },
  {
    table: 'app_token',
    keys: ['credentialKey'],
    column: 'token_encrypted',
    context: (row) => `app_token/${row['credentialKey']}`,
  },
  {
    table: 'pos_system',
    keys: ['posId'],
    column: 'secret_encrypted',
    context: (row) => posSecretContext(Number(row['posId'])),
  },
  ...(['secret_encrypted', 'previous_secret_encrypted'] as const).map((column) => ({
    table: 'subscription',
    keys: ['subscriptionId'],
    column,
    context: (row: Row) => subscriptionSecretContext(row['subscriptionId'] as SubscriptionId),
  })),
  {
    table: 'subscription',
    keys: ['subscriptionId'],
    column: 'headers_encrypted',
    context: (row) => subscriptionHeadersContext(String(row['subscriptionId'])),
  },
  {
    table: 'idempotency_key',
    keys: ['userId', 'method', 'path', 'key'],
    column: 'answer_encrypted',
    context: (row) =>
      `idempotency_key/${row['userId']}/${row['method']}/${row['path']}/${row['key']}`,
  },
];

/** Rows per batch, which is decrypted in memory. */
const BATCH = 500;
/** Version and key id, which every sealed secret starts with. */
const HEAD_BYTES = 5;

export interface ReencryptedColumn {
  readonly table: string;
  readonly column: string;
  readonly reencrypted: number;
}

/**
 * Seals again, with the current key, every secret that was sealed with another; a second run finds nothing to do.
 * Safe while processes run: a secret that changes meanwhile is not touched. Throws a `SecretError` for one that
 * cannot be opened; earlier batches stay done.
 */
export async function reencryptSecrets(sql: Sql, secrets: SecretBox): Promise<ReencryptedColumn[]> {
  const done: ReencryptedColumn[] = [];
  for (const place of SEALED_COLUMNS) {
    let reencrypted = 0;
    for (let last = -1; last !== 0; reencrypted += last) {
      last = await reencryptBatch(sql, secrets, place);
    }
    done.push({ table: place.table, column: place.column, reencrypted });
  }
  return done;
}

/** Seals one batch; returns how many there were, 0 = none left. */
async function reencryptBatch(sql: Sql, secrets: SecretBox, place: SealedColumn): Promise<number> {
  const { table, keys, column } = place;
  const currentHead = secrets
    .encrypt('', 'the head of what the current key seals')
    .subarray(0, HEAD_BYTES);
  const rows = await sql`
    select ${sql([...keys])}, ${sql(column)} as sealed from ${sql(table)}
    where substring(${sql(column)} from 1 for ${HEAD_BYTES}::int) <> ${currentHead}::bytea
    limit ${BATCH}`;
  for (const row of rows) {
    const context = place.context(row);
    const sealed = row['sealed'] as Buffer;
    const sealedAgain = secrets.encrypt(secrets.decrypt(sealed, context), context);
    const isRow = keys
      .map((key) => sql`${sql(key)} = ${row[key]}`)
      .reduce((all, each) => sql`${all} and ${each}`);
    await sql`
      update ${sql(table)} set ${sql(column)} = ${sealedAgain}::bytea
      where ${isRow} and ${sql(column)} = ${sealed}::bytea`;
  }
  return rows.length;
}
