import type { Config } from '../config/config';
import { connect, type ConnectOptions, type Sql } from './client';
import { type ListenHandlers, type Listener, listenResiliently } from './listen';

/**
 * How a process reaches Postgres: both URLs lead to the same database, the second one past the pooler of the first.
 */
export type DatabaseConfig = Pick<Config, 'DATABASE_URL' | 'DATABASE_DIRECT_URL'>;

/** A pool for statements; see `connect`. */
export function connectAsConfigured(
  config: DatabaseConfig,
  options: Omit<ConnectOptions, 'pooled' | 'statementTimeoutMs'>,
): Sql {
  return connect(config.DATABASE_URL, { ...options, pooled: config.DATABASE_DIRECT_URL !== null });
}

/** See `listenResiliently`. Notifications sent through a pooler are received past it. */
export function listenAsConfigured(
  { DATABASE_URL, DATABASE_DIRECT_URL }: DatabaseConfig,
  channels: readonly string[],
  handlers: ListenHandlers,
): Promise<Listener> {
  if (DATABASE_DIRECT_URL === null) return listenResiliently(DATABASE_URL, channels, handlers);
  return listenResiliently(DATABASE_DIRECT_URL, channels, handlers, DATABASE_URL);
}
