import postgres from 'postgres';
import { arrayTypesOf } from './connection/array-types';
import { openConnection } from './connection/connection';
import { guardSql } from './connection/guarded-sql';
import { createPool } from './connection/pool';
import { runTransaction } from './connection/transaction';
import { wireTypes } from './connection/wire-types';

/** What `begin` hands to its body. A pool passes for one, so a function that only runs statements asks for this. */
export type Transaction = postgres.ISql;

/** A pool. Sessions (`reserve`, `listen`, `set`) are left out: which connection a statement gets is nobody's business. */
export interface Sql extends Transaction {
  /** Commits when `body` resolves, rolls back when it rejects; inside it use `tx`: the pool may have no other connection. */
  begin<T>(body: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Refuses new statements, lets the running ones finish; after `timeout` seconds (default: never) they are cut off. */
  end(options?: { timeout?: number }): Promise<void>;
}

export interface ConnectOptions {
  /** Connections in the pool; default 10. */
  max?: number;
  /** Shown in `pg_stat_activity`. */
  applicationName?: string;
  /** Milliseconds for one statement, and as many before it in line for a connection; default 15,000, 0 = no limit (migrations). */
  statementTimeoutMs?: number;
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
  const { max = 10, statementTimeoutMs = 15_000, applicationName = 'pos-integrations' } = options;
  const settings = {
    types: { ...wireTypes, ...arrayTypesOf(wireTypes) },
    // Not `postgres.camel`: that one also renames the keys inside JSON values, which are other people's data.
    transform: { undefined: null, column: postgres.camel.column },
    connection: {
      application_name: applicationName,
      statement_timeout: statementTimeoutMs,
      ...KEYED_PLANS,
      // A process that stops in the middle of a transaction must not hold its locks for ever.
      idle_in_transaction_session_timeout: 60_000,
    },
  };
  const pool = createPool({
    max,
    patienceMs: statementTimeoutMs,
    open: () => openConnection(databaseUrl, settings),
  });
  // Makes the queries, which connections of the pool run; it never connects.
  const modelSettings = { ...settings, socket: refuseToConnect };
  const model = postgres(databaseUrl, modelSettings);
  const guard = { timeoutMs: statementTimeoutMs, lease: pool.lease };
  return guardSql<Sql>(model, guard, {
    begin: (body) => runTransaction(model, guard, body),
    end: pool.end,
  });
}

function refuseToConnect(): never {
  throw new Error('a statement is started by `await`, in no other way');
}

/**
 * Each statement is planned once on a connection, to enter every table by an index and to join row by row. Planned at
 * every execution it would cost more than it does itself; and a plan that is kept must suit a table of a million rows
 * even when it is made for one of fifty. Without `jit: off` a statement that has no index to use would look expensive
 * enough to be compiled.
 */
const KEYED_PLANS = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  jit: 'off',
} as const;
