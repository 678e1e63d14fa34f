import type { Config } from '../config/config';
import { connect, type ConnectOptions, type Sql } from './client';
import { type ListenHandlers, type Listener, listenResiliently } from './listen';

/** How a process reaches Postgres: both lead to one database, the second without the pooler of the first. */
export type DatabaseConfig = Pick<Config, 'DATABASE_URL' | 'DATABASE_DIRECT_URL'>;

/** A pool for statements; see `connect`. */
export function connectAsConfigured(
  config: DatabaseConfig,
  options: Omit<ConnectOptions, 'pooled' | 'statementTimeoutMs'>,
): Sql {
  return connect(config.DATABASE_URL, { ...options, pooled: config.DATABASE_DIRECT_URL !== null });
}

/** See `listenResiliently`. What statements announce through a pooler arrives without one. */
export function listenAsConfigured(
  { DATABASE_URL, DATABASE_DIRECT_URL }: DatabaseConfig,
  channels: readonly string[],
  handlers: ListenHandlers,
): Promise<Listener> {
  if (DATABASE_DIRECT_URL === null) return listenResiliently(DATABASE_URL, channels, handlers);
  return listenResiliently(DATABASE_DIRECT_URL, channels, handlers, DATABASE_URL);
}
