import type { Client } from '@temporalio/client';
import type { Config } from '../platform/config/config';
import type { Sql } from '../platform/db/client';
import type { SecretBox } from '../platform/crypto/secrets';

export interface AdminDeps {
  readonly sql: Sql;
  readonly secrets: SecretBox;
  readonly temporal: Client;
  readonly settings: Pick<Config, 'PUBLIC_URL'>;
}

/** An error explained in one sentence for the user; the command exits with status 1. */
export class AdminError extends Error {
  override readonly name = 'AdminError';
}
