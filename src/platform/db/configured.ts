import type { Config } from '../config/config';
import type { Log } from '../observe/log';
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

/**
 * See `listenResiliently`. Notifications sent through a pooler are received past it. A pooler that is found wrong only
 * after the start, as when Postgres was away, is logged: without notifications everything still goes on, but late.
 */
export function listenAsConfigured(
  { DATABASE_URL, DATABASE_DIRECT_URL }: DatabaseConfig,
  channels: readonly string[],
  { log, ...heard }: Omit<ListenHandlers, 'onMisconfigured'> & { readonly log: Log },
): Promise<Listener> {
  const handlers: ListenHandlers = {
    ...heard,
    onMisconfigured: ({ message }) =>
      log.error(`outcomes and deliveries are noticed late until this is mended: ${message}`),
  };
  if (DATABASE_DIRECT_URL === null) return listenResiliently(DATABASE_URL, channels, handlers);
  return listenResiliently(DATABASE_DIRECT_URL, channels, handlers, DATABASE_URL);
}
