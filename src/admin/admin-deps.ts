import type { Client } from '@temporalio/client';
import type { Sql } from '../platform/db/client';
import type { SecretBox } from '../platform/crypto/secrets';

export interface AdminDeps {
  readonly sql: Sql;
  readonly secrets: SecretBox;
  readonly temporal: Client;
}

/** One sentence for the person at the keyboard; the command ends with status 1. */
export class AdminError extends Error {
  override readonly name = 'AdminError';
}
