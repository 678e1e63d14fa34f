import postgres from 'postgres';
import { arrayTypesOf } from './connection/array-types';
import { openConnection } from './connection/connection';
import { guardSql } from './connection/guarded-sql';
import { createPool, type Part, type PoolKey, type PoolUsage } from './connection/pool';
import { runTransaction } from './connection/transaction';
import { wireTypes } from './connection/wire-types';
import { IDLE_IN_TRANSACTION_MS, KEYED_PLANS, STATEMENT_TIMEOUT_MS } from './session-settings';

export type { PoolUsage };

/** What `begin` passes to its body. A pool fits too, so a function that only runs statements takes this type. */
export type Transaction = postgres.ISql;

/** A pool. It omits sessions (`reserve`, `listen`, `set`), because a statement may get any connection. */
export interface Sql extends Transaction {
  /**
   * Commits when `body` resolves, rolls back when it rejects. Inside, use `tx`: the pool may have no other
   * connection.
   */
  begin<T>(body: (tx: Transaction) => Promise<T>): Promise<T>;
  /**
   * Refuses new statements and lets the running ones finish; after `timeout` seconds (default: never) they are
   * aborted.
   */
  end(options?: { timeout?: number }): Promise<void>;
  /** A part of the pool, whose statements use at most so many of its connections at once; further ones wait. */
  part(most: number): Sql;
  /**
   * The same for statements of one key, such as a user: they wait for permits of the key, which may have three quarters
   * of the connections.
   */
  by(key: string): Sql;
  /** The same for statements that serve several keys at once, which wait for permits of the service's own. */
  forAll(): Sql;
  /** How full the pool is now. */
  usage(): PoolUsage;
}

export interface ConnectOptions {
  /** Connections in the pool; default 10. */
  max?: number;
  /** Shown in `pg_stat_activity`. */
  applicationName?: string;
  /**
   * Time limit of one statement in ms, and of its wait for a connection; default 15,000, 0 = no limit (migrations).
   */
  statementTimeoutMs?: number;
  /**
   * The URL leads through a transaction pooler, so a session is ours for one transaction only. We set nothing at its
   * start (`POOLER_CONNECT_QUERY` does), prepare no statements, and ignore its process id.
   */
  pooled?: boolean;
}

/**
 * The only way to Postgres: a lazy pool in which one caller never sees another's rows and no statement waits for
 * ever.
 * Columns are camelCase, and values inside JSON are unchanged. int8 is a number if that is exact, otherwise text;
 * numeric is text; `undefined` is null. A string passed to `sql.json` must already be JSON text; an array of booleans
 * or dates needs `sql.array`. A column whose name has a digit after an underscore (`step_2`) cannot be written
 * through `sql(row)`, so avoid such names. A statement past its deadline rejects with code 57014, whether the server
 * or we gave up; it may have taken effect. Any failure of Postgres itself is a `PostgresAwayError`.
 */
export function connect(databaseUrl: string, options: ConnectOptions = {}): Sql {
  const { max = 10, statementTimeoutMs = STATEMENT_TIMEOUT_MS, pooled = false } = options;
  const { applicationName = 'pos-integrations' } = options;
  const settings = {
    types: { ...wireTypes, ...arrayTypesOf(wireTypes) },
    // Not `postgres.camel`, which would also rename the keys inside JSON values, and those are users' data.
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
  // Builds the queries that the pool's connections run; it never connects.
  const modelSettings = { ...settings, socket: refuseToConnect };
  const model = postgres(databaseUrl, modelSettings);
  const sqlWithin = (parts: readonly Part[], key?: PoolKey, all?: Sql): Sql => {
    const guard = { timeoutMs: statementTimeoutMs, take: () => pool.take(parts, key) };
    const sql: Sql = guardSql<Sql>(model as unknown as Sql, guard, {
      usage: pool.usage,
      end: pool.end,
      part: (most) => sqlWithin([pool.part(most), ...parts]),
      by: byKey((of) => sqlWithin(parts, of, all ?? sql)),
      forAll: () => all ?? sql,
      begin: (body) => runTransaction(model, guard, body),
    });
    return sql;
  };
  return sqlWithin([]);
}

/** Made for each request it would be a tenth of the CPU of a small one. */
const MOST_KEPT = 500;

function byKey(make: (key: string) => Sql): (key: string) => Sql {
  const kept = new Map<string, Sql>();
  return (key) => {
    const known = kept.get(key);
    if (known) return known;
    if (kept.size >= MOST_KEPT) kept.clear();
    const made = make(key);
    kept.set(key, made);
    return made;
  };
}

function refuseToConnect(): never {
  throw new Error('a statement is started by `await`, in no other way');
}

const OWN_SESSION = {
  ...KEYED_PLANS,
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
};
