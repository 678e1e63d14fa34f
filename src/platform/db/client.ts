import postgres from 'postgres';
import { arrayTypesOf } from './connection/array-types';
import { openConnection } from './connection/connection';
import { guardSql } from './connection/guarded-sql';
import { createPool, type PoolUsage } from './connection/pool';
import { runTransaction } from './connection/transaction';
import { wireTypes } from './connection/wire-types';
import { IDLE_IN_TRANSACTION_MS, KEYED_PLANS, STATEMENT_TIMEOUT_MS } from './session-settings';

export type { PoolUsage };

/** What `begin` hands to its body. A pool passes for one, so a function that only runs statements asks for this. */
export type Transaction = postgres.ISql;

/** A pool. Sessions (`reserve`, `listen`, `set`) are left out: which connection a statement gets is nobody's business. */
export interface Sql extends Transaction {
  /** Commits when `body` resolves, rolls back when it rejects; inside it use `tx`: the pool may have no other connection. */
  begin<T>(body: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Refuses new statements, lets the running ones finish; after `timeout` seconds (default: never) they are cut off. */
  end(options?: { timeout?: number }): Promise<void>;
  /** How full the pool is now. */
  usage(): PoolUsage;
}

export interface ConnectOptions {
  /** Connections in the pool; default 10. */
  max?: number;
  /** Shown in `pg_stat_activity`. */
  applicationName?: string;
  /** Milliseconds for one statement, and as many before it in line for a connection; default 15,000, 0 = no limit (migrations). */
  statementTimeoutMs?: number;
  /**
   * The URL leads through a transaction pooler, so a session is ours for one transaction. Nothing is asked of it at its
   * start (`POOLER_CONNECT_QUERY` is), no statement is kept prepared in it, and its process id says nothing.
   */
  pooled?: boolean;
}

/**
 * The only way to Postgres: a lazy pool on which one caller never sees another's rows and no statement waits for ever.
 *
 * Columns are camelCase, values inside JSON are left alone; int8 is a number where that is exact, else text; numeric
 * is text; `undefined` is null; a string given to `sql.json` is JSON text already; an array of booleans or dates needs
 * `sql.array`. A column whose name has a digit
 * after an underscore (`step_2`) does not survive the way back through `sql(row)`: avoid such names. A statement past
 * its time rejects with code 57014, whether the server gave up or we did; it may have taken effect all the same.
 * Whatever keeps Postgres from doing anything at all is a `PostgresAwayError`.
 */
export function connect(databaseUrl: string, options: ConnectOptions = {}): Sql {
  const { max = 10, statementTimeoutMs = STATEMENT_TIMEOUT_MS, pooled = false } = options;
  const { applicationName = 'pos-integrations' } = options;
  const settings = {
    types: { ...wireTypes, ...arrayTypesOf(wireTypes) },
    // Not `postgres.camel`: that one also renames the keys inside JSON values, which are other people's data.
    transform: { undefined: null, column: postgres.camel.column },
    prepare: !pooled,
    connection: {
      application_name: applicationName,
      ...(pooled ? {} : { statement_timeout: statementTimeoutMs, ...OWN_SESSION }),
    },
  };
  const pool = createPool({
    max,
    patienceMs: statementTimeoutMs,
    knowsSessions: !pooled,
    open: () => openConnection(databaseUrl, settings),
  });
  // Makes the queries, which connections of the pool run; it never connects.
  const modelSettings = { ...settings, socket: refuseToConnect };
  const model = Object.assign(postgres(databaseUrl, modelSettings), { usage: pool.usage });
  const guard = { timeoutMs: statementTimeoutMs, lease: pool.lease };
  return guardSql<Sql>(model, guard, {
    begin: (body) => runTransaction(model, guard, body),
    end: pool.end,
  });
}

function refuseToConnect(): never {
  throw new Error('a statement is started by `await`, in no other way');
}

const OWN_SESSION = {
  ...KEYED_PLANS,
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
};
