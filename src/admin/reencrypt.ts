import type { PendingQuery, Row } from 'postgres';
import {
  appTokenContext,
  clientSecretContext,
  storeCredentialContext,
  webhookSecretContext,
} from '../delivery-apps/tokens/app-access';
import type { SubscriptionId } from '../platform/ids';
import { type SecretBox, SecretError } from '../platform/crypto/secrets';
import type { Sql } from '../platform/db/client';
import { AdminError } from './admin-deps';
import { keptAnswerContext, type KeyName } from '../http/sql/idempotency';
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
  ...(['token_encrypted', 'refused_encrypted'] as const).map((column) => ({
    table: 'app_token',
    keys: ['credentialKey'],
    column,
    context: (row: Row) => appTokenContext(String(row['credentialKey'])),
  })),
  {
    table: 'pos_system',
    keys: ['posId'],
    column: 'secret_encrypted',
    context: (row) => posSecretContext(Number(row['posId'])),
  },
  {
    table: 'subscription',
    keys: ['subscriptionId'],
    column: 'secret_encrypted',
    context: (row) => subscriptionSecretContext(row['subscriptionId'] as SubscriptionId),
  },
  {
    table: 'earlier_secret',
    keys: ['subscriptionId', 'secretId'],
    column: 'secret_encrypted',
    context: (row) => subscriptionSecretContext(row['subscriptionId'] as SubscriptionId),
  },
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
    context: (row) => keptAnswerContext(row as KeyName),
  },
];

/** Rows that are read at a time, and decrypted in memory where they need it. */
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
 * Safe while processes run: a secret that changes meanwhile is not touched. One that cannot be opened, because its key
 * was lost, is left as it is; where there are any, it throws at the end, with their number and the place of the first.
 */
export async function reencryptSecrets(sql: Sql, secrets: SecretBox): Promise<ReencryptedColumn[]> {
  const done: ReencryptedColumn[] = [];
  let closed = 0;
  let first: SecretError | undefined;
  const onClosed = (error: SecretError): void => {
    closed += 1;
    first ??= error;
  };
  for (const place of SEALED_COLUMNS) {
    const reencrypted = await reencryptColumn(sql, secrets, place, onClosed);
    done.push({ table: place.table, column: place.column, reencrypted });
  }
  if (!first) return done;
  const sealed = done.reduce((sum, { reencrypted }) => sum + reencrypted, 0);
  throw new AdminError(
    `Secrets that could not be opened, and stay as they are: ${closed}; sealed again: ${sealed}. The first of them: ${first.message}.`,
  );
}

type OnClosed = (error: SecretError) => void;

/**
 * Walks through the table by its primary key, so that each row is read once: a day's idempotency keys may be millions.
 */
async function reencryptColumn(
  sql: Sql,
  secrets: SecretBox,
  place: SealedColumn,
  onClosed: OnClosed,
): Promise<number> {
  let reencrypted = 0;
  let rows: readonly Row[] = [];
  do {
    rows = await readBatch(sql, secrets, place, rows.at(-1));
    const old = rows.filter((row) => row['sealed'] !== null);
    reencrypted += await sealAgain(sql, secrets, place, old, onClosed);
  } while (rows.length === BATCH);
  return reencrypted;
}

/** The rows after `last`, or the first ones; `sealed` is null where there is nothing to do. */
async function readBatch(
  sql: Sql,
  secrets: SecretBox,
  { table, keys, column }: SealedColumn,
  last: Row | undefined,
): Promise<readonly Row[]> {
  const currentHead = secrets
    .encrypt('', 'the head of what the current key seals')
    .subarray(0, HEAD_BYTES);
  const isAfter = last
    ? sql`(${sql([...keys])}) > (${list(sql, keys, (key) => sql`${last[key]}`)})`
    : sql`true`;
  return sql`
    select ${sql([...keys])}, case when substring(${sql(column)} from 1 for ${HEAD_BYTES}::int) <> ${currentHead}::bytea
      then ${sql(column)} end as sealed
    from ${sql(table)} where ${isAfter}
    order by ${list(sql, keys, (key) => sql`${sql(key)}`)} limit ${BATCH}`;
}

/** Returns how many could be opened. */
async function sealAgain(
  sql: Sql,
  secrets: SecretBox,
  { table, keys, column, context }: SealedColumn,
  rows: readonly Row[],
  onClosed: OnClosed,
): Promise<number> {
  const changes = rows.flatMap((row) => {
    const sealed = row['sealed'] as Buffer;
    const place = context(row);
    try {
      return [{ row, sealed, sealedAgain: secrets.encrypt(secrets.decrypt(sealed, place), place) }];
    } catch (error) {
      if (!(error instanceof SecretError)) throw error;
      onClosed(error);
      return [];
    }
  });
  await Promise.all(
    changes.map(
      ({ row, sealed, sealedAgain }) => sql`
        update ${sql(table)} set ${sql(column)} = ${sealedAgain}::bytea
        where (${sql([...keys])}) = (${list(sql, keys, (key) => sql`${row[key]}`)})
          and ${sql(column)} = ${sealed}::bytea`,
    ),
  );
  return changes.length;
}

function list(
  sql: Sql,
  keys: readonly string[],
  item: (key: string) => PendingQuery<Row[]>,
): PendingQuery<Row[]> {
  return keys.map(item).reduce((all, each) => sql`${all}, ${each}`);
}
